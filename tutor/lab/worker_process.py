"""The process that runs experiments, as seen from the tutor: started, spoken to, listened to, and certainly ended.

It has a session of its own, so that a Ctrl-C at the terminal reaches the tutor alone, and an environment of its own, so
that a run measures the same whatever the learner's shell exports.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tutor.lab.endings import Ending, Exit, no_torch, no_worker
from tutor.lab.messages import parse_object

FORKS = sys.platform == "linux"
"""Whether a process that has loaded torch may safely fork here; elsewhere each run gets a fresh process."""
LINE_LIMIT = 64_000
"""Bytes; a longer line is no message."""
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "SYSTEMROOT", "TEMP")
_STDERR_KEPT = 4096
_GRACE = 1.0
"""Seconds given to a worker to leave by itself before it is killed."""


class WorkerProcess:
    """One worker process."""

    def __init__(self, process: asyncio.subprocess.Process, forks: bool) -> None:
        assert process.stdin and process.stdout and process.stderr  # all three are pipes
        self.forks = forks
        self.child = 0
        """Process id of the run in motion, 0 where there is none."""
        self._process = process
        self._stdin, self._stdout = process.stdin, process.stdout
        self._stderr = b""
        self._listening = asyncio.create_task(self._listen(process.stderr))
        self._rest = b""
        self._ready = False
        self._spent = False

    @classmethod
    async def start(cls, root: Path, forks: bool = FORKS) -> WorkerProcess:
        """Start a worker for the experiments under `root` and return at once; it loads torch meanwhile."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-u", "-m", "experiments.worker", *([] if forks else ["--once"])),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment(root, os.environ),
            start_new_session=True,
        )
        return cls(process, forks)

    @property
    def usable(self) -> bool:
        """Whether the process can take another run."""
        return not self._spent and self._process.returncode is None

    async def ready(self) -> Ending | None:
        """Wait until torch is loaded; return None, or why it cannot be."""
        while not self._ready:
            lines = await self.lines()
            if lines is None:
                self._spent = True
                return no_worker(await self.exit())
            for line in lines:
                said = parse_object(line) or {}
                if said.get("type") == "unavailable":
                    self._spent = True
                    return no_torch(str(said.get("text", "")))
                self._ready = self._ready or said.get("type") == "ready"
        return None

    def start_run(self, request: Mapping[str, Any]) -> None:
        """Ask for a run; where it runs in the worker itself, that takes no other."""
        self._spent = not self.forks
        self._send(request)

    def _send(self, request: Mapping[str, Any]) -> None:
        """Write one request; that the worker has died is noticed when it is read from."""
        with contextlib.suppress(OSError):
            self._stdin.write(json.dumps(request).encode() + b"\n")

    async def lines(self) -> list[bytes] | None:
        """Return the lines that have come, perhaps none yet, or None at the end. A line too long comes in pieces."""
        data = await self._stdout.read(LINE_LIMIT)
        if not data:
            return None
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > LINE_LIMIT:
            lines.append(self._rest)
            self._rest = b""
        return lines

    async def exit(self) -> Exit:
        """Wait for the process to end and return how it did."""
        code = await self._process.wait()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._listening), _GRACE)
        return Exit(max(code, 0), max(-code, 0), self._stderr.decode(errors="replace"))

    def stop_run(self, id: int) -> None:
        """Ask for the death of a run's processes; where it runs in the worker itself, that dies."""
        if self.forks:
            self._send({"kill": id})
        else:
            self.kill()

    def kill(self) -> None:
        """Kill the worker, the run in motion, and all that belongs to their groups."""
        self._spent = True
        worker = self._process.pid if self._process.returncode is None else 0
        for group in filter(None, (self.child, worker)):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL) if hasattr(os, "killpg") else self._process.kill()

    async def close(self) -> None:
        """End the worker and wait until it is gone."""
        self.kill()
        await self._process.wait()
        await self._listening
        self._stdin.close()

    async def _listen(self, stderr: asyncio.StreamReader) -> None:
        """Keep the end of what the worker says on stderr, so that its pipe never fills."""
        while data := await stderr.read(65536):
            self._stderr = (self._stderr + data)[-_STDERR_KEPT:]


def environment(root: Path, outer: Mapping[str, str]) -> dict[str, str]:
    """Return the worker's environment: what finds programs and libraries, one thread, and `root` to import from."""
    paths = [str(root), *filter(None, [outer.get("PYTHONPATH")])]
    return {name: outer[name] for name in _KEPT if name in outer} | {
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONUTF8": "1",
        "OMP_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "1",  # each further arena would take 64 MB of the address space that a run may use
    }
