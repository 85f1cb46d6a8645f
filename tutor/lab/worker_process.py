"""The worker as a process: how it is started, spoken to and ended. Nothing of it survives the tutor."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from tutor.lab.catalogue import FORKS

LINE_LIMIT = 256 * 1024
STDERR_KEPT = 4096
LAST_WORDS_S = 1.0
END_OF_WORDS = "\x04"
"""What the worker writes on stderr when a child has ended."""


class WorkerProcess:
    """One `python -m experiments.worker`, in a process group of its own with a clean environment."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.process: asyncio.subprocess.Process | None = None
        self.stderr = ""
        self._all_said = asyncio.Event()
        self._listener: asyncio.Task[None] | None = None

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process is not None and self.process.returncode is None

    async def start(self) -> None:
        """Start the process; it says `ready` on its own line once torch is loaded."""
        arguments = ["-m", "experiments.worker"] + ([] if FORKS else ["--once"])
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-u",
            *arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=_environment(self._root),
            cwd=self._root,
            limit=LINE_LIMIT,
            start_new_session=True,
        )
        self._listener = asyncio.create_task(self._listen())

    def request(self, message: dict[str, Any]) -> None:
        """Ask for a run; what an earlier one said on stderr is forgotten."""
        self.stderr = ""
        self._all_said.clear()
        assert self.process is not None and self.process.stdin is not None
        self.process.stdin.write((json.dumps(message) + "\n").encode())

    async def read(self) -> bytes:
        """Return the next chunk of what the process and its child say; empty at the end."""
        assert self.process is not None and self.process.stdout is not None
        return await self.process.stdout.read(65536)

    async def last_words(self) -> str:
        """Return the last line on stderr, once all of it has come: two pipes are read in no order."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS_S):
                await self._all_said.wait()
        lines = self.stderr.replace(END_OF_WORDS, "").strip().splitlines()
        return lines[-1] if lines else ""

    async def exit_code(self) -> int:
        """Wait for the process to end by itself and return its exit code."""
        assert self.process is not None
        return await self.process.wait()

    async def kill(self) -> None:
        """End the process and whatever it started, and wait until it is gone."""
        if self.process is None:
            return
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()
        if self._listener is not None:
            self._listener.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listener
        transport = getattr(self.process, "_transport", None)
        if transport is not None:
            transport.close()
        self.process = None

    async def _listen(self) -> None:
        """Keep the end of stderr, so that its pipe never fills."""
        assert self.process is not None and self.process.stderr is not None
        while chunk := await self.process.stderr.read(4096):
            self.stderr = (self.stderr + chunk.decode(errors="replace"))[-STDERR_KEPT:]
            if END_OF_WORDS in self.stderr:
                self._all_said.set()
        self._all_said.set()


def kill_group(pid: int) -> None:
    """Kill a run's process group."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _environment(root: Path) -> dict[str, str]:
    """Return a clean environment: what Python and torch need, and where experiments and formulas lie."""
    kept = {
        name: os.environ[name]
        for name in ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT", "CUDA_VISIBLE_DEVICES")
        if name in os.environ
    }
    here = str(Path(__file__).resolve().parents[2])
    paths = [str(root)] + ([here] if here != str(root) else [])
    return kept | {
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "1",
        "TORCH_SHOW_CPP_STACKTRACES": "0",
    }
