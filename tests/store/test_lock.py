"""The writer's lock: one holder, freed when its process ends however that ends, and a file that cannot be made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tutor.store.lock import Held, Lock

HOLDER = """
import sys
from pathlib import Path
from tutor.store.lock import Lock
lock = Lock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_one_holds_it_at_a_time(tmp_path: Path) -> None:
    """The second is refused, in the same process too; released it can be taken, and released twice nothing happens."""
    first = Lock(tmp_path / "lock")
    with pytest.raises(Held):
        Lock(tmp_path / "lock")
    first.release()
    second = Lock(tmp_path / "lock")
    first.release()
    with pytest.raises(Held):
        Lock(tmp_path / "lock")
    second.release()


def test_it_goes_with_its_process(tmp_path: Path) -> None:
    """Killed without a chance to let go, the holder leaves the file and no lock."""
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        with pytest.raises(Held):
            Lock(path)
        holder.kill()
        holder.wait()
    Lock(path).release()


def test_no_process_started_meanwhile_keeps_it(tmp_path: Path) -> None:
    """The lab's worker outlives nothing: it does not inherit the lock."""
    path = tmp_path / "lock"
    lock = Lock(path)
    with subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, text=True, close_fds=False
    ) as child:
        lock.release()
        Lock(path).release()
        child.communicate("\n")


def test_where_no_file_can_be_made(tmp_path: Path) -> None:
    """An OSError with its reason, as for any file."""
    with pytest.raises(FileNotFoundError):
        Lock(tmp_path / "none" / "lock")
