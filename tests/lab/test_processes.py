"""No process outlives its run, its cancel, its tutor or its worker, whatever it does (fault 47 of the case book)."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lab.conftest import REPOSITORY, Laboratory, needs_linux, still_there
from tutor.lab.supervisor import Supervisor

pytestmark = needs_linux

TUTOR = """
import asyncio, sys
from pathlib import Path
from tutor.lab.catalogue import load_catalogue
from tutor.lab.supervisor import Supervisor

async def main(root):
    run = Supervisor(root).run(load_catalogue(root / "experiments")[0][sys.argv[2]], {})
    async for message in run:
        if message.type == "note":
            print("begun", flush=True)

asyncio.run(main(Path(sys.argv[1])))
"""


async def follow(lab: Laboratory, id: str, spoke: asyncio.Event) -> str:
    """Iterate a run to its end as a screen does; return how it ended."""
    lab.last = run = lab.supervisor.run(lab.catalogue[id], {})
    async for message in run:
        if message.type == "note":
            spoke.set()
    return run.result.ending


@pytest.mark.parametrize("id", ["endless", "stubborn", "parent"])
async def test_cancel_leaves_the_worker_alone(lab: Laboratory, id: str) -> None:
    """After cancel nothing is left but the warm worker: not a busy child, not a deaf one, not what a child started."""
    await lab.supervisor.warm()
    worker, spoke = lab.processes(), asyncio.Event()
    screen = asyncio.create_task(follow(lab, id, spoke))
    await spoke.wait()
    started = [pid for pid in lab.processes() if pid not in worker]
    await lab.cancel()
    assert await screen == "cancelled"
    assert started and still_there(started) == []
    assert lab.processes() == worker
    assert (await lab.run("good"))[1].ending == "passed"


async def test_twenty_cancels_leave_nothing(lab: Laboratory) -> None:
    """Runs begun and cancelled one after the other leave one worker, and nothing once it is closed."""
    for _ in range(20):
        spoke = asyncio.Event()
        screen = asyncio.create_task(follow(lab, "endless", spoke))
        await spoke.wait()
        await lab.cancel()
        assert await screen == "cancelled"
    assert len(lab.processes()) == 1
    await lab.supervisor.close()
    assert lab.processes() == []


@pytest.mark.parametrize("id", ["endless", "stubborn", "parent"])
async def test_a_screen_that_goes_away_takes_the_run_with_it(lab: Laboratory, id: str) -> None:
    """Cancelling the task that iterates ends the run's processes, with nobody calling cancel."""
    spoke = asyncio.Event()
    screen = asyncio.create_task(follow(lab, id, spoke))
    await spoke.wait()
    before = lab.processes()
    screen.cancel()
    await asyncio.wait([screen])
    await lab.supervisor.close()
    assert len(before) >= 2 and still_there(before) == []


async def test_close_in_mid_run_leaves_nothing(lab: Laboratory) -> None:
    """Quitting the tutor ends worker, child and grandchild."""
    spoke = asyncio.Event()
    screen = asyncio.create_task(follow(lab, "parent", spoke))
    await spoke.wait()
    before = lab.processes()
    await lab.cancel()
    await lab.supervisor.close()
    await screen
    assert len(before) >= 3 and still_there(before) == []


async def test_close_is_safe_when_nothing_was_started(root: Path) -> None:
    """A sitting without a miss closes a lab that never started."""
    supervisor = Supervisor(root)
    await supervisor.close()
    await supervisor.close()


async def test_warm_is_idempotent(lab: Laboratory) -> None:
    """Two calls, even at the same time, start one worker."""
    await asyncio.gather(lab.supervisor.warm(), lab.supervisor.warm())
    await lab.supervisor.warm()
    assert len(lab.processes()) == 1


async def test_a_worker_that_was_killed_is_replaced(lab: Laboratory) -> None:
    """The system may take an idle worker for its memory; the runs go on with another."""
    await lab.supervisor.warm()
    (worker,) = lab.processes()
    os.kill(worker, signal.SIGKILL)
    assert still_there([worker]) == []
    endings = [(await lab.run("good"))[1].ending for _ in range(2)]
    assert endings[-1] == "passed"
    assert lab.processes() != [worker]


async def test_a_worker_killed_in_mid_run_takes_its_child_along(lab: Laboratory) -> None:
    """The child dies with the worker; the run ends with a sentence and the next one passes."""
    await lab.supervisor.warm()
    worker, spoke = lab.processes(), asyncio.Event()
    screen = asyncio.create_task(follow(lab, "endless", spoke))
    await spoke.wait()
    children = [pid for pid in lab.processes() if pid not in worker]
    os.kill(worker[0], signal.SIGKILL)
    assert await screen in ("killed", "crashed")
    assert children and still_there(children) == []
    assert (await lab.run("good"))[1].ending == "passed"


@pytest.mark.parametrize("id", ["endless", "stubborn", "parent"])
def test_a_tutor_killed_outright_leaves_nothing(root: Path, id: str) -> None:
    """SIGKILL of the tutor in mid-run ends worker, child and grandchild, with no handler of ours having run."""
    lab = Laboratory(root, {}, Supervisor(root))
    environ = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    with subprocess.Popen(
        [sys.executable, "-c", TUTOR, str(root), id], env=environ, stdout=subprocess.PIPE, text=True
    ) as tutor:
        assert tutor.stdout is not None
        assert tutor.stdout.readline() == "begun\n"
        before = lab.processes()
        tutor.kill()
    assert len(before) >= 2 and still_there(before) == []


def test_the_supervisor_loads_no_torch() -> None:
    """The lab leaves torch, numpy and pandas out of the tutor's own process."""
    script = "import sys, tutor.lab.supervisor; print(sorted({'torch', 'numpy', 'pandas'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", script], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
