"""Work on the learner's log in a process of its own, beside the open store: begun, followed, and stopped with nothing left behind.

job = FitJob(desk)                # or CalibrationJob(desk)
await job.start()
async for progress in job:
    ...
job.result                        # None where it was stopped or failed: job.why says which
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from tutor.frozen import dataclass
from tutor.i18n import _
from tutor.study.desk import Desk

Result = TypeVar("Result")
_KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT")


@dataclass(frozen=True, slots=True)
class JobProgress:
    """Where a fit stands between two iterations."""

    stage: str
    """`check`: on the first four fifths; `whole`: on all reviews; `evaluate`: on what came before a fold."""
    iteration: int
    iterations: int
    """The most there can be."""
    log_loss: float
    """Nats."""


class Job(ABC, Generic[Result]):
    """One task on the desk's log. It reads beside the open store and writes nothing."""

    task: ClassVar[str]
    """Its name in `study.worker`."""
    stopped: ClassVar[str]
    """What is said where the learner stopped it."""
    ended: ClassVar[str]
    """What is said where its process went before there was a result."""

    def __init__(self, desk: Desk) -> None:
        self.result: Result | None = None
        self.why = ""
        """Why there is no result, in one sentence."""
        self._home, self._lang = desk.home.folder, desk.lang
        self._process: asyncio.subprocess.Process | None = None
        self._cancelled = False

    @abstractmethod
    def read(self, message: Mapping[str, Any]) -> Result:
        """Return the result from the process's message."""

    async def start(self) -> None:
        """Start the process."""
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        root = str(Path(__file__).resolve().parents[2])
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tutor.study.worker", self.task, str(self._home), self._lang,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            env=kept | {"PYTHONPATH": root, "OMP_NUM_THREADS": "1"}, start_new_session=True, limit=1 << 20,
        )  # fmt: skip

    async def __aiter__(self) -> AsyncIterator[JobProgress]:
        """Yield each iteration; when this ends `result` or `why` is set and the process is gone."""
        assert self._process is not None and self._process.stdout is not None
        try:
            async for line in self._process.stdout:
                message = json.loads(line)
                kind = message.pop("type")
                if kind == "progress":
                    yield JobProgress(**message)
                elif kind == "result":
                    self.result = self.read(message)
                else:
                    self.why = message["why"]
        finally:
            await self._end()

    async def cancel(self) -> None:
        """Stop the task and wait until its process is gone; a result that had come stands."""
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
            self.why = self.why or _(self.stopped if self._cancelled else self.ended)
