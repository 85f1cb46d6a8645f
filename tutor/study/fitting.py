"""Fitting the memory model as the learner meets it: in a process of its own, taken into use by an event, taken back by another.

The set in use is the newest `parameters` event that was not undone; the store replays every card with it, and the due days that
were shown stand.

    job = FitJob(desk)
    await job.start()
    async for progress in job:
        ...
    verdict = job.result          # None where it was cancelled or failed: job.why says which
    if verdict and verdict.better:
        adopt(desk, verdict)
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutor.i18n import _, marked
from tutor.study.desk import Desk
from tutor.study.verdict import Verdict, from_document

GATE = "last fifth by time"
STOPPED = marked("The fit was stopped; the parameters are as they were.")
ENDED = marked("The fit ended before it was done; the parameters are as they were. `tutor fit` shows why.")
_KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT")


@dataclass(frozen=True, slots=True)
class FitProgress:
    """Where a fit stands between two iterations."""

    stage: str
    """`check`: on the first four fifths; `whole`: on all reviews."""
    iteration: int
    iterations: int
    """The most there can be."""
    log_loss: float
    """Nats."""


class FitJob:
    """One fit of the desk's log. It reads beside the open store and writes nothing; `adopt` takes the result into use."""

    def __init__(self, desk: Desk) -> None:
        self.result: Verdict | None = None
        self.why = ""
        """Why there is no result, in one sentence."""
        self._home, self._lang = desk.home.folder, desk.lang
        self._process: asyncio.subprocess.Process | None = None
        self._cancelled = False

    async def start(self) -> None:
        """Start the process."""
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        root = str(Path(__file__).resolve().parents[2])
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tutor.study.fit_worker", str(self._home), self._lang,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            env=kept | {"PYTHONPATH": root, "OMP_NUM_THREADS": "1"}, start_new_session=True,
        )  # fmt: skip

    async def __aiter__(self) -> AsyncIterator[FitProgress]:
        """Yield each iteration; when this ends `result` or `why` is set and the process is gone."""
        assert self._process is not None and self._process.stdout is not None
        try:
            async for line in self._process.stdout:
                message = json.loads(line)
                kind = message.pop("type")
                if kind == "progress":
                    yield FitProgress(**message)
                elif kind == "verdict":
                    self.result = from_document(message)
                else:
                    self.why = message["why"]
        finally:
            await self._end()

    async def cancel(self) -> None:
        """Stop the fit and wait until its process is gone; a result that had come stands."""
        self._cancelled = True
        await self._end()

    async def _end(self) -> None:
        process = self._process
        assert process is not None
        if process.returncode is None and self.result is None and not self.why:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()
        if self.result is None:
            self.why = self.why or _(STOPPED if self._cancelled else ENDED)


@dataclass(frozen=True)
class TakenBack:
    """The set that was undone and the one in force again."""

    undone: str
    present: str


def adopt(desk: Desk, verdict: Verdict) -> bool:
    """Take a better set into use by an event, after a verified backup; return whether there was one to take."""
    if not verdict.better:
        return False
    desk.store.backup()
    now = desk.now()
    desk.store.append("parameters", _payload(verdict), now, desk.day(now))
    return True


def take_back(desk: Desk) -> TakenBack | None:
    """Undo the fit in use, by an event; the set before it is in force again. None where the library's defaults are in use."""
    newest = desk.store.of_kind("parameters")[-1:]
    if not newest or not newest[0].payload["n"]:
        return None
    now = desk.now()
    desk.store.undo(newest[0].ref, now, desk.day(now))
    return TakenBack(str(newest[0].payload["id"]), desk.store.parameters().id)


def _payload(verdict: Verdict) -> dict[str, Any]:
    return {
        "id": verdict.id,
        "weights": list(verdict.weights),
        "threshold": verdict.threshold,
        "step_version": verdict.step_version,
        "n": verdict.scored,
        "loss": {
            "before": verdict.before,
            "after": verdict.after,
            "difference": verdict.difference,
            "held_out": verdict.held_out,
        },
        "gate": GATE,
        "through": dict(verdict.through),
    }
