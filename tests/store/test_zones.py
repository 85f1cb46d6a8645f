"""The machine's time zone has no say in what was learnt."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.given import answered
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import open_store

ROOT = Path(__file__).resolve().parents[2]
REPLAY = """
import sys
from pathlib import Path
from tests.store.given import tables
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import open_store
source, target = Home(Path(sys.argv[1])), Home(Path(sys.argv[2]))
with open_store(source, FakeClock(), read_only=True) as log, open_store(target, FakeClock()) as store:
    store.merge(log.events())
print(tables(target.database))
"""


@pytest.fixture
def log(home: Home, clock: FakeClock) -> Home:
    """A log of three weeks across a change of clocks, answered in two zones near midnight and the rollover hour."""
    clock.utc_us = 1_792_800_000_000_000  # 2026-10-23, two days before Paris sets its clocks back
    with open_store(home, clock) as store:
        for number in range(40):
            clock.offset_min, clock.zone = (120, "Europe/Paris") if number % 3 else (-240, "America/New_York")
            day = clock.now().local.date().isoformat()
            payload = answered(f"item-{number % 6}", rating=1 + number % 4, correct=number % 4 > 0, due=day, interval=1)
            store.append("answered", payload, clock.now(), day)
            clock.pass_days(0.517)
    return home


def test_replay_gives_byte_identical_rows_in_every_zone(log: Home, tmp_path: Path) -> None:
    """Cards, reviews, days and runs rebuilt under far-off zones are the same to the last digit."""
    printed = set()
    for number, zone in enumerate(["UTC", "Europe/Paris", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati"]):
        command = [sys.executable, "-c", REPLAY, str(log.folder), str(tmp_path / f"replay-{number}")]
        env = {**os.environ, "TZ": zone}
        printed.add(subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True, text=True).stdout)
    (rows,) = printed
    assert rows.count("item-") > 40


def test_the_study_day_is_the_one_frozen_when_it_was_answered(log: Home, clock: FakeClock) -> None:
    """Reading the log in another zone, after the clocks were changed, moves no answer to another day."""
    with open_store(log, clock, read_only=True) as reader:
        events = {(event.device, event.seq): event for event in reader.events()}
        days = {answer.ref: answer.study_day for answer in reader.answers()}
        counted = {row.day: row.answered for row in reader.days()}
    assert days == {ref: event.study_day for ref, event in events.items()}
    assert counted == {day: list(days.values()).count(day) for day in days.values()}
