"""One run of an experiment: its messages as they come, its limits, and its result.

The whole life of a run is one task. Whoever iterates takes from a queue, so that a slow screen delays neither the time
limit nor the end, and a screen that goes away takes the run with it.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from tutor.content.experiments import Experiment
from tutor.content.model import Scalar
from tutor.lab.endings import CANCELLED, Ending, Exit, ending_of, flooded, timeout
from tutor.lab.messages import Message, RunResult, parse_message, parse_object
from tutor.lab.tally import Tally
from tutor.lab.worker_process import LINE_LIMIT, WorkerProcess

OUTPUT_LIMIT = 4_000_000
"""Bytes a run may print."""
_GRACE = 2.0
"""Seconds within which a killed run must be reported gone; after that the worker is killed as well."""
_ids = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use: seconds, and MB above what the warm worker holds."""

    seconds: float
    memory_mb: int


class Run:
    """An asynchronous iterator of messages; `result` is there when the iteration has ended or `cancel` has returned."""

    def __init__(
        self,
        experiment: Experiment,
        params: Mapping[str, Scalar],
        limits: Limits,
        worker: Callable[[], Awaitable[WorkerProcess | Ending]],
    ) -> None:
        self.stray = 0
        """Lines that were no message."""
        self._experiment, self._params, self._limits, self._get_worker = experiment, params, limits, worker
        self._id = next(_ids)
        self._tally = Tally(experiment, params)
        self._messages: asyncio.Queue[Message | None] = asyncio.Queue()
        self._life: asyncio.Task[None] | None = None
        self._started = False
        self._result: RunResult | None = None

    @property
    def ended(self) -> bool:
        """Whether the result is there."""
        return self._result is not None

    @property
    def result(self) -> RunResult:
        """What the run showed and how it ended."""
        if self._result is None:
            raise RuntimeError("the run has not ended yet")
        return self._result

    def __aiter__(self) -> Run:
        return self

    async def __anext__(self) -> Message:
        if self._life is None and not self.ended:
            self._life = asyncio.create_task(self._live())
            # A task cancelled before its first step never runs, not even its `finally`.
            self._life.add_done_callback(lambda _: self._end(CANCELLED, 0.0))
        if self.ended and self._messages.empty():
            raise StopAsyncIteration
        try:
            message = await self._messages.get()
        except asyncio.CancelledError:
            if self._life is not None:
                self._life.cancel()
            raise
        if message is None:
            raise StopAsyncIteration
        return message

    async def cancel(self) -> None:
        """Stop the run and return when its processes are gone; nothing happens where it has ended."""
        if self._life is None:
            self._end(CANCELLED, 0.0)
        else:
            self._life.cancel()
            await asyncio.wait([self._life])

    async def _live(self) -> None:
        """Get a worker, run in it, end. Whatever happens, there is a result and no process of the run is left."""
        clock = asyncio.get_running_loop().time
        began, ending = clock(), CANCELLED
        try:
            for _ in range(2):  # a worker found dead, killed while it was idle, is replaced once
                worker = await self._get_worker()
                if isinstance(worker, Ending):
                    ending = worker
                    return
                began = clock()
                ending = await self._follow(worker)
                if self._started:
                    return
        finally:
            self._end(ending, clock() - began)

    async def _follow(self, worker: WorkerProcess) -> Ending:
        request = {"run": self._experiment.module, "id": self._id, "params": dict(self._params)}
        worker.start_run(request | {"memory_mb": self._limits.memory_mb})
        try:
            async with asyncio.timeout(self._limits.seconds):
                exit = await self._listen(worker)
        except TimeoutError:
            await self._kill(worker)
            return timeout(self._limits.seconds)
        except asyncio.CancelledError:
            await self._kill(worker)
            raise
        if exit is None:
            await self._kill(worker)
            return flooded(OUTPUT_LIMIT)
        return ending_of(exit, self._tally.passed)

    async def _listen(self, worker: WorkerProcess) -> Exit | None:
        """Pass on what the run says; return how it ended, or None where it says too much."""
        spoken = 0
        while (lines := await worker.lines()) is not None:
            for line in lines:
                spoken += len(line) + 1
                exit = self._hear(line, worker)
                if exit is not None:
                    return exit if worker.forks else replace(exit, stderr=(await worker.exit()).stderr)
            if spoken > OUTPUT_LIMIT:
                return None
        worker.kill()
        return await worker.exit()

    def _hear(self, line: bytes, worker: WorkerProcess) -> Exit | None:
        """Take in one line; return how the run ended if it says so."""
        said = (parse_object(line) or {}) if len(line) <= LINE_LIMIT else {}
        if said.get("id") == self._id and said.get("type") == "started":
            self._started, worker.child = True, int(said["pid"])
        elif said.get("id") == self._id and said.get("type") == "exit":
            worker.child = 0
            return Exit(int(said["code"]), int(said["signal"]), str(said["stderr"]))
        elif (message := parse_message(said)) is not None:
            self._tally.hear(message)
            self._messages.put_nowait(message)
        elif line:
            self.stray += 1
        return None

    async def _kill(self, worker: WorkerProcess) -> None:
        """Kill the run and wait until the worker reports it gone; a worker that does not is killed as well."""
        worker.stop_run(self._id)
        try:
            async with asyncio.timeout(_GRACE):
                while (lines := await worker.lines()) is not None:
                    for line in lines:
                        said = parse_object(line) or {}
                        if said.get("id") == self._id and said.get("type") == "exit":
                            worker.child = 0
                            return
        except TimeoutError:
            worker.kill()
        except asyncio.CancelledError:
            worker.kill()
            raise

    def _end(self, ending: Ending, seconds: float) -> None:
        if self._result is None:
            self._result = self._tally.result(ending, seconds)
            self._messages.put_nowait(None)
