"""The supervisor: keeps one warm worker and watches each run, whatever it does, so that the review goes on.

Each run has a time limit, a memory limit and a cap on what it may say; it is killed with its process group on cancel, on any
of these, and when the tutor ends.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from tutor.content.experiments import Experiment
from tutor.content.model import Scalar
from tutor.content.runs import RunResult
from tutor.i18n import _
from tutor.lab.catalogue import FORKS, why_not
from tutor.lab.endings import SENTENCES, judge, missing_sentence, summary
from tutor.lab.messages import Message, parse_line
from tutor.lab.worker_process import WorkerProcess, kill_group

OUTPUT_LIMIT = 4_000_000
DEFAULT_MEMORY_MB = 4096
WARM_UP_LIMIT_S = 120.0
STOP_LIMIT_S = 2.0


class Supervisor:
    """Owns the worker. One run at a time."""

    def __init__(self, root: Path, *, memory_mb: int | None = None, timeout_s: float | None = None) -> None:
        self._root = root
        self._memory_mb = memory_mb or DEFAULT_MEMORY_MB
        self._timeout_s = timeout_s
        self._worker: WorkerProcess | None = None
        self._warming: asyncio.Lock | None = None
        self._current: Run | None = None
        self.pending = b""
        self.missing = ""

    async def warm(self) -> None:
        """Start the worker and wait until torch is loaded; at once if it is."""
        self._warming = self._warming or asyncio.Lock()
        async with self._warming:
            if self._worker is not None and self._worker.alive:
                return
            if self._worker is not None:
                await self._worker.kill()
            self._worker, self.pending, self.missing = WorkerProcess(self._root), b"", ""
            await self._worker.start()
            async with asyncio.timeout(WARM_UP_LIMIT_S):
                while True:
                    line = await self.next_line()
                    if line is None:
                        return
                    message = parse_line(line)
                    if message is not None and message.get("type") == "missing":
                        self.missing = str(message["module"])
                        return
                    if message is not None and message.get("type") == "ready":
                        return

    def run(
        self,
        experiment: Experiment,
        params: Mapping[str, Scalar],
        *,
        timeout_s: float | None = None,
        memory_mb: int | None = None,
    ) -> Run:
        """Return a run, to be iterated; it starts with the first message asked for."""
        limit = timeout_s or self._timeout_s or max(20.0, 5 * experiment.seconds)
        return Run(self, experiment, params, limit, memory_mb or self._memory_mb)

    async def take_turn(self, run: Run) -> None:
        """Let `run` be the one in motion; one that still is, is stopped first."""
        before, self._current = self._current, run
        if before is None or before.finished:
            return
        try:
            async with asyncio.timeout(STOP_LIMIT_S):
                await before.cancel()
        except TimeoutError:
            await self.close()  # nobody listens to it any more: the worker goes with it

    async def close(self) -> None:
        """End the worker and whatever runs. Safe when nothing was started."""
        if self._worker is not None:
            await self._worker.kill()
            self._worker = None

    @property
    def worker(self) -> WorkerProcess:
        """The worker that was started."""
        assert self._worker is not None
        return self._worker

    async def last_words(self) -> str:
        """Return the last line a run wrote on stderr; nothing where the worker has been closed meanwhile."""
        return await self._worker.last_words() if self._worker is not None else ""

    async def next_line(self) -> bytes | None:
        """Return the next line of the worker or its child; None when the worker has ended."""
        while b"\n" not in self.pending:
            chunk = await self.worker.read()
            if not chunk:
                return None
            self.pending += chunk
            if len(self.pending) > OUTPUT_LIMIT:
                raise FloodError
        line, self.pending = self.pending.split(b"\n", 1)
        return line


class FloodError(Exception):
    """A run wrote more than it may."""


class Run:
    """One run: an async iterator of messages, then a result. `cancel` may be called at any time."""

    def __init__(
        self,
        supervisor: Supervisor,
        experiment: Experiment,
        params: Mapping[str, Scalar],
        limit_s: float,
        memory_mb: int,
    ) -> None:
        self.experiment = experiment
        self.params = params
        self.result = RunResult("cancelled", _(SENTENCES["cancelled"]), 0.0)
        self.dropped = 0
        self.peak_kib = 0
        """Highest resident memory of the run's process, the warm worker's pages that it shares included (KiB; 0 unknown)."""
        self._supervisor = supervisor
        self._limit_s, self._memory_mb = limit_s, memory_mb
        self._pid: int | None = None
        self._cancelled = False
        self._finished = asyncio.Event()
        self._begun = False
        self._heard: list[Message] = []

    def __aiter__(self) -> AsyncIterator[Message]:
        """Start the run and yield what it says."""
        return self._messages()

    async def cancel(self) -> None:
        """Stop the run and wait until its process is gone."""
        self._cancelled = True
        if self._pid is not None:
            kill_group(self._pid)
        if self._begun:
            await self._finished.wait()

    async def _messages(self) -> AsyncIterator[Message]:
        self._begun = True
        started = time.monotonic()
        ending, code = "crashed", None
        try:
            reason = why_not(self.experiment) or " ".join(self.experiment.faults(self.params)[:1])
            if reason:
                self.result = RunResult(
                    "refused" if self.experiment.faults(self.params) else "unavailable", reason, 0.0
                )
                return
            await self._supervisor.take_turn(self)
            await self._supervisor.warm()
            if self._supervisor.missing:
                self.result = RunResult("unavailable", missing_sentence(self.experiment, self._supervisor.missing), 0.0)
                return
            if self._cancelled:
                return
            started = time.monotonic()
            self._ask()
            said, deadline = 0, asyncio.get_running_loop().time() + self._limit_s
            while True:
                async with asyncio.timeout_at(deadline):  # never across a yield: the listener's own waiting is its own
                    line = await self._supervisor.next_line()
                if line is None:
                    break
                said += len(line)
                if said > OUTPUT_LIMIT:
                    raise FloodError
                message = parse_line(line)
                if message is None:
                    self.dropped += bool(line.strip())
                elif message["type"] == "exit":
                    code, self.peak_kib = int(message["code"]), int(message.get("peak_kib", 0))
                    break
                elif message["type"] == "started":
                    self._started(int(message["pid"]))
                else:
                    known = Message(message["type"], {k: v for k, v in message.items() if k not in ("v", "type")})
                    self._heard.append(known)
                    yield known
            ending = "ended"
        except TimeoutError:
            ending = "timeout"
        except FloodError:
            ending = "flooded"
        finally:
            if self.result.ending == "cancelled" and not self.result.seconds:
                await self._conclude(ending, code, time.monotonic() - started)
            self._finished.set()

    def _ask(self) -> None:
        worker = self._supervisor.worker
        params = self.experiment.settings(self.params)
        worker.request({"run": self.experiment.module, "params": params, "memory_mb": self._memory_mb})

    def _started(self, pid: int) -> None:
        self._pid = pid
        if self._cancelled:
            kill_group(pid)

    @property
    def finished(self) -> bool:
        """Whether nothing of the run is in motion any more."""
        return self._finished.is_set() or not self._begun

    async def _conclude(self, ending: str, code: int | None, seconds: float) -> None:
        """Name the ending. A child that did not end by itself is ended, with the worker whose pipe holds the rest of its words."""
        last_words = await self._supervisor.last_words() if ending == "ended" else ""
        if code is None and not FORKS and ending == "ended":
            code = await self._supervisor.worker.exit_code()
        elif code is None:
            if self._pid is not None:
                kill_group(self._pid)
            await self._supervisor.close()
        done = next((m for m in self._heard if m.type == "done"), None)
        if self._cancelled:
            word, sentence = "cancelled", _(SENTENCES["cancelled"])
        elif ending in ("timeout", "flooded"):
            word, sentence = ending, _(SENTENCES[ending]).format(limit=self._limit_s)
        else:
            passed = None if done is None else bool(done.fields.get("passed"))
            word, sentence = judge(code, passed, last_words, self.experiment)
        self.result = summary(self.experiment, self.params, self._heard, word, sentence, seconds)
