"""A laboratory of the tests' own: the real worker and `emit`, tiny experiments, and a torch that loads at once."""

from __future__ import annotations

import os
import select
import shutil
import sys
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tutor.content.experiments import Experiment
from tutor.content.runs import RunResult
from tutor.lab.catalogue import load_catalogue
from tutor.lab.messages import Message
from tutor.lab.supervisor import Run, Supervisor

REPOSITORY = Path(__file__).resolve().parents[2]

STUB = '''
"""Stands in for torch: whatever is asked of it is there and does nothing."""
import types
__version__ = "stub"
cuda = types.SimpleNamespace(is_available=lambda: False)
OutOfMemoryError = MemoryError
class Anything:
    def __getattr__(self, name): return self
    def __call__(self, *args, **kwargs): return self
def get_num_threads(): return 1
def __getattr__(name):
    if name.startswith("__"): raise AttributeError(name)
    return Anything()
'''

DESCRIPTION = """
schema = 1
id = "{id}"
version = 3
title = "{id}"
question = "?"
shows = "something"
family = "fake"
concepts = []
seconds = 0.1
explanation = "none"
[parameters.n]
type = "int"
default = 1
min = 1
max = 9
[[bets]]
id = "n"
kind = "ratio"
metric = "n"
question = "?"
"""

FAKES: Mapping[str, str] = {
    "good": 'emit.measure("n", params["n"], "things", "counting"); emit.claim("n", params["n"], ">=", 1)',
    "bad": 'emit.claim("n", params["n"], "<", 0)',
    "crash": 'emit.note("still fine"); raise KeyError("the block is gone")',
    "dies": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "newer": "raise AttributeError(\"module 'torch.autograd' has no attribute 'tomorrow'\")",
    "hungry": "keep = bytearray(400_000_000)",
    "refuses": 'from experiments.emit import Refused; raise Refused("n = 1 is too few; take two.")',
    "leaves": "raise SystemExit(0)",
    "endless": 'emit.note("begun")\nwhile True: pass',
    "stubborn": "import signal\nfor s in (signal.SIGTERM, signal.SIGINT): signal.signal(s, signal.SIG_IGN)\n"
    'emit.note("begun")\nwhile True: signal.pause()',
    "floods": 'while True: emit.note("x" * 1000)',
    "one_long_line": 'import os\nwhile True: os.write(1, b"x" * 65536)',
    "loud": "import sys\nfor _ in range(3000): print('e' * 999, file=sys.stderr)\nemit.measure('n', 1)",
    "strays": 'print("hello"); print("[1, 2]"); print("{broken")\n'
    'print(\'{"v": 9, "type": "note"}\'); emit.measure("n", 2)',
    "half_line": 'import os\nemit.note("begun")\nos.write(1, b\'{"v": 1, "type": "no\'); os.kill(os.getpid(), 9)',
    "parent": 'import subprocess, sys\nsubprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])\n'
    'emit.note("begun")\nwhile True: pass',
    "environment": "import os\nnames, group = sorted(os.environ), os.getpgrp() == os.getpid()\n"
    'emit.row("env", names=names, stdin=os.readlink("/proc/self/fd/0"), own=group)',
}


@dataclass
class Laboratory:
    """A root with fake experiments, and a supervisor over it."""

    root: Path
    catalogue: Mapping[str, Experiment]
    supervisor: Supervisor
    last: Run | None = None
    """The run a test follows."""

    async def cancel(self) -> None:
        """Cancel the run that a test follows."""
        assert self.last is not None
        await self.last.cancel()

    async def run(self, id: str, **limits: float) -> tuple[list[Message], RunResult]:
        """Run to the end; return all messages and the result."""
        run = self.supervisor.run(self.catalogue[id], {}, **limits)  # type: ignore[arg-type]
        return [message async for message in run], run.result

    def processes(self) -> list[int]:
        """Return the living processes that were started with this root to import from."""
        return [int(at.name) for at in Path("/proc").glob("[1-9]*") if _belongs(at, self.root)]


def _belongs(process: Path, root: Path) -> bool:
    try:
        zombie = (process / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
        return not zombie and f"PYTHONPATH={root}".encode() in (process / "environ").read_bytes()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return False


def still_there(pids: Iterable[int], within: float = 15.0) -> list[int]:
    """Wait until the processes have ended, at most `within` seconds; return those that have not."""
    deadline, left = time.monotonic() + within, []
    for pid in pids:
        try:
            watched = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        if not select.select([watched], [], [], max(0.0, deadline - time.monotonic()))[0]:
            left.append(pid)
        os.close(watched)
    return left


def furnish(root: Path, fakes: Mapping[str, str], torch: str = STUB) -> Path:
    """Lay out `root` with the worker, `emit`, a stand-in for torch and the fake experiments."""
    package = root / "experiments"
    (package / "fake").mkdir(parents=True)
    for name in ("__init__.py", "emit.py", "worker.py"):
        shutil.copy(REPOSITORY / "experiments" / name, package / name)
    (package / "fake" / "__init__.py").touch()
    for id, body in fakes.items():
        lines = "\n".join(f"    {line}" for line in body.splitlines())
        (package / "fake" / f"{id}.py").write_text(
            f"def predict(params):\n    return []\n\ndef run(params, emit):\n{lines}\n"
        )
        (package / "fake" / f"{id}.toml").write_text(DESCRIPTION.format(id=id))
    distributed = ("distributed", "distributed/fsdp", "distributed/optim")
    for module in ("", "_dynamo", "nn", "optim", "utils", "utils/checkpoint", "utils/flop_counter", *distributed):
        (root / "torch" / module).mkdir(parents=True, exist_ok=True)
        (root / "torch" / module / "__init__.py").write_text(torch)
    return root


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the tests' own `experiments/`."""
    return furnish(tmp_path_factory.mktemp("laboratory"), FAKES)


@pytest.fixture
async def lab(root: Path) -> AsyncIterator[Laboratory]:
    """A laboratory whose processes are ended with the test."""
    laboratory = Laboratory(root, load_catalogue(root / "experiments")[0], Supervisor(root))
    yield laboratory
    await laboratory.supervisor.close()


needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
