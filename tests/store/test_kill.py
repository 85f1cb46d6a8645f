"""A process killed in the middle of writing."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from tests.store.given import assert_sound
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import open_store

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 30


def killed(home: Home, number: int, after: int) -> list[tuple[str, int, int]]:
    """Let a process answer, kill it some time after an acknowledgement, and return all it acknowledged."""
    command = [sys.executable, "-m", "tests.store.writer", str(home.folder), str(number)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(after)]
        process.kill()
        said += process.stdout.readlines()
    assert process.returncode == -9, "it was to die, not to end"
    whole = [line for line in said if line.endswith("\n")]
    return [(device, int(seq), int(ms)) for device, seq, ms in (line.split() for line in whole)]


def test_no_acknowledged_answer_is_lost_or_torn_by_thirty_kills(home: Home, clock: FakeClock) -> None:
    """After each SIGKILL every acknowledged answer is there as written, the log has no gap, and all figures hold."""
    order = random.Random(30)
    acknowledged: dict[tuple[str, int], int] = {}
    for number in range(ROUNDS):
        for device, seq, ms in killed(home, number, after=order.randint(1, 40)):
            assert (device, seq) not in acknowledged, "a number was given twice"
            acknowledged[device, seq] = ms
        with open_store(home, clock, read_only=True) as reader:
            stored = {answer.ref: answer.payload["ms"] for answer in reader.answers()}
        assert acknowledged.items() <= stored.items()
    assert len(acknowledged) >= ROUNDS
    assert_sound(home, clock)
