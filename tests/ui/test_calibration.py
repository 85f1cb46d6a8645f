"""Calibration on Progress: asked for by a key, computed by another process, drawn at every size beside defaults and a constant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.bench.fill_home import fill
from tests.study.conftest import made_up
from tests.support import FakeClock
from tests.ui.conftest import Opener, screen_text
from tutor.paths import Home
from tutor.study.calibration import STOPPED, calibration
from tutor.study.desk import Desk
from tutor.ui.calibration import RULES, calibration_lines


@pytest.fixture
def clock() -> FakeClock:
    """A day after the last answer."""
    return FakeClock(utc_us=made_up()[-1][1] + 86_400_000_000)


@pytest.fixture
def desk(home: Home, clock: FakeClock) -> Iterator[Desk]:
    """A home with answers enough to evaluate."""
    fill(home, made_up(), rollover=4)
    with Desk(home, clock) as desk:
        yield desk


async def waited(pilot: Any) -> None:
    """Wait until no task is in motion."""
    for _ in range(1_000):
        await pilot.pause(0.05)
        if pilot.app.screen._job is None:
            break
    await pilot.pause(0.1)


@pytest.mark.parametrize("size", [(40, 12), (80, 24)])
async def test_a_key_draws_the_curve(opened: Opener, desk: Desk, size: tuple[int, int]) -> None:
    """Not at the opening; then above the figures, each rule with its loss, each part with its number."""
    async with opened(size=size) as pilot:
        await pilot.press("p")
        await pilot.pause()
        assert "Predicted, and what came true" not in screen_text(pilot.app)
        await pilot.press("c")
        await waited(pilot)
        top = screen_text(pilot.app)
        assert "Predicted, and what came true" in top and "in use" in top
        seen = top
        for _ in range(6):
            await pilot.press("pagedown")
            await pilot.pause(0.05)
            seen += screen_text(pilot.app)
        for said in (*RULES.values(), "(n = ", "│", "True retention"):
            assert said in seen


async def test_esc_stops_it_and_stays(opened: Opener, desk: Desk) -> None:
    """One sentence; the screen is still there, and a fit can be asked for."""
    async with opened(size=(80, 24)) as pilot:
        await pilot.press("p")
        await pilot.pause()
        await pilot.press("c")
        await pilot.press("escape")
        await waited(pilot)
        text = screen_text(pilot.app)
        assert STOPPED in text or "Predicted, and what came true" in text
        assert "w write report" in text


@pytest.mark.parametrize("width", [34, 74, 140])
def test_the_lines_fit_and_add_up(desk: Desk, width: int) -> None:
    """No line is wider than the room; a line for each rule and each part of the curve."""
    found = calibration(desk.store)
    lines = calibration_lines(found, width)
    assert max(map(len, lines)) <= width
    drawn = [line for line in lines if "│" in line]
    assert len(drawn) == len(found["rules"]["present"]["curve"])
    counts = [int(line.split("n = ")[1].rstrip(")").replace(",", "")) for line in drawn]
    assert sum(counts) == found["scored"]
    for rule in RULES.values():
        assert any(line.startswith(rule) and line.endswith("%") for line in lines)


def test_too_few_answers_are_a_sentence() -> None:
    """The heading, and why."""
    assert calibration_lines({"why": "3 of 9 reviews."}, 40) == ["Predicted, and what came true", "3 of 9 reviews."]
