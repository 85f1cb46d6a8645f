"""Runs experiments beside the review: keeps one warm worker, hands it one run at a time, and leaves no process behind.

Nothing is started before `warm` or the first run, and torch is never loaded in this process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from tutor.content.experiments import Experiment
from tutor.content.model import Scalar
from tutor.lab.catalogue import why_not
from tutor.lab.endings import Ending
from tutor.lab.run import Limits, Run
from tutor.lab.worker_process import FORKS, WorkerProcess

__all__ = ["DEFAULT_MEMORY_MB", "Run", "Supervisor", "seconds_allowed"]

DEFAULT_MEMORY_MB = 4096


def seconds_allowed(experiment: Experiment) -> float:
    """Return how long a run may take where nothing else is asked for: five times what is expected, at least 20 s."""
    return max(20.0, 5 * experiment.seconds)


class Supervisor:
    """Keeps the worker for the experiments in `root`, the folder that holds `experiments/`; lives in one event loop."""

    def __init__(
        self, root: Path, *, memory_mb: int | None = None, timeout_s: float | None = None, forks: bool = FORKS
    ) -> None:
        self._root, self._memory_mb, self._timeout_s, self._forks = root, memory_mb, timeout_s, forks
        self._worker: WorkerProcess | None = None
        self._run: Run | None = None
        self._turn = asyncio.Lock()

    async def warm(self) -> None:
        """Start the worker if there is none, and return without waiting for torch."""
        async with self._turn:
            await self._started()

    async def ready(self) -> None:
        """Start the worker if there is none, and wait until torch is loaded or cannot be."""
        async with self._turn:
            await (await self._started()).ready()

    def run(
        self,
        experiment: Experiment,
        params: Mapping[str, Scalar],
        *,
        timeout_s: float | None = None,
        memory_mb: int | None = None,
    ) -> Run:
        """Return a run that starts when it is iterated; a run still in motion is stopped first."""
        before = self._run
        faults, reason = experiment.faults(params), why_not(experiment)

        async def worker() -> WorkerProcess | Ending:
            if faults:
                return Ending("refused", faults[0])
            if reason:
                return Ending("unavailable", reason)
            if before is not None and not before.ended:
                await before.cancel()
            return await self._ready_worker()

        seconds = timeout_s or self._timeout_s or seconds_allowed(experiment)
        limits = Limits(seconds, memory_mb or self._memory_mb or DEFAULT_MEMORY_MB)
        self._run = Run(experiment, params, limits, worker)
        return self._run

    async def close(self) -> None:
        """Stop the run in motion and the worker; return when no process is left."""
        if self._run is not None:
            await self._run.cancel()
        async with self._turn:
            if self._worker is not None:
                await self._worker.close()
                self._worker = None

    async def _ready_worker(self) -> WorkerProcess | Ending:
        async with self._turn:
            try:
                worker = await self._started()
            except OSError as error:
                return Ending("crashed", f"The process for experiments did not start: {error.strerror}.")
            return await worker.ready() or worker

    async def _started(self) -> WorkerProcess:
        if self._worker is not None and not self._worker.usable:
            await self._worker.close()
            self._worker = None
        if self._worker is None:
            self._worker = await WorkerProcess.start(self._root, self._forks)
        return self._worker
