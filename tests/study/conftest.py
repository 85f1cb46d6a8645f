"""A home with a made-up log that a fit predicts better than the defaults do."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest

from tests.bench.fill_home import Row, fill
from tests.learning.logs import simulated
from tests.support import FakeClock
from tutor.learning.parameters import DEFAULT, Parameters
from tutor.paths import Home

SLOW = Parameters("truth", tuple(0.8 if n == 8 else w for n, w in enumerate(DEFAULT)))
"""A learner whose stability grows a third as much at each success as the defaults think."""


@cache
def made_up() -> tuple[Row, ...]:
    """Return a small log of the slow learner."""
    return tuple((card, at, rating, 4000) for card, at, rating in simulated(SLOW, 40, seed=2))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made-up log as a home, written once."""
    folder = tmp_path_factory.mktemp("filled") / "home"
    fill(Home(folder), made_up(), rollover=4)
    return folder


@pytest.fixture
def later(home: Home, filled: Path) -> FakeClock:
    """A copy of that home, and a clock a day after its last answer."""
    shutil.copytree(filled, home.folder)
    return FakeClock(utc_us=made_up()[-1][1] + 86_400_000_000)
