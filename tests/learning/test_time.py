"""Clocks that leap and days that must not be lived twice, as pure rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.learning.making import TODAY
from tests.support import MONDAY
from tutor.clock import MICROSECONDS_PER_DAY
from tutor.learning.leaps import Reading, false_leaps
from tutor.learning.studyday import STEADY_DAYS, add_days, clock_jump, steady_day


def log(*days: float) -> list[tuple[tuple[str, int], int, str]]:
    """Return events at days from a Monday on, in this order."""
    return [
        (("d", n), MONDAY + round(day * MICROSECONDS_PER_DAY), add_days(TODAY, int(day)))
        for n, day in enumerate(days, 1)
    ]


def moved(*days: float) -> dict[int, float]:
    """Return the events that count as given at another time, by number, with that day."""
    found = false_leaps(log(*days))
    return {ref[1]: (reading.utc_us - MONDAY) / MICROSECONDS_PER_DAY for ref, reading in found.items()}


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ((0, 1, 2, 3), {}),
        ((0, 3650, 3650.01, 1), {2: 1, 3: 1}),
        ((0, 3650, 3651), {}),
        ((0, 3650, 3685, 1), {}),
        ((0, 500, 1, 600, 2), {2: 1, 4: 2}),
        ((0, 400, 1), {}),
        ((5, 2, 6), {}),
        ((0, -2000, 1), {}),
        ((0, 3650, -3), {2: 0}),
    ],
    ids=[
        "steady", "ten years ahead and back", "never back", "ran on for a month", "twice", "a long holiday", "three days back",
        "an empty battery", "back behind the last answer",
    ],
)  # fmt: skip
def test_a_leap_is_false_once_the_clock_comes_back(days: tuple[float, ...], expected: dict[int, float]) -> None:
    """What was written ahead counts from the return, never before the last answer; nothing else is moved."""
    assert moved(*days) == expected


def test_it_takes_the_study_day_of_the_return() -> None:
    """Time and day come from one event."""
    assert false_leaps(log(0, 3650, 4)) == {("d", 2): Reading(MONDAY + 4 * MICROSECONDS_PER_DAY, add_days(TODAY, 4))}


@given(st.lists(st.floats(0, 399), max_size=20))
def test_within_four_hundred_days_nothing_is_ever_moved(days: list[float]) -> None:
    """Whatever the clock does within a year, times stand as written."""
    assert moved(*days) == {}


@given(st.lists(st.floats(-4000, 8000), max_size=20))
def test_a_moved_time_lies_among_the_times_that_were_read(days: list[float]) -> None:
    """No time is made up, and none is moved forward."""
    for number, day in moved(*days).items():
        assert day <= days[number - 1]
        assert any(abs(day - other) < 1e-6 for other in days)


def test_the_day_stands_still_for_a_week_and_no_longer() -> None:
    """A day behind the newest of the log is lived as that one; where it is more than a week ahead, the clock is believed."""
    assert steady_day(TODAY, "") == steady_day(TODAY, TODAY) == TODAY
    assert steady_day(TODAY, add_days(TODAY, -1)) == TODAY
    assert steady_day(TODAY, add_days(TODAY, STEADY_DAYS)) == add_days(TODAY, STEADY_DAYS)
    assert steady_day(TODAY, add_days(TODAY, STEADY_DAYS + 1)) == TODAY


@pytest.mark.parametrize(
    ("moved", "jump"), [(0, ""), (1, ""), (-1, "back"), (-3000, "back"), (400, ""), (401, "ahead")]
)
def test_a_jump_is_named(moved: int, jump: str) -> None:
    """Back or ahead since the last answer; nothing where time went on, or where there is no answer yet."""
    assert clock_jump(MONDAY, MONDAY + moved * MICROSECONDS_PER_DAY) == jump
    assert clock_jump(None, MONDAY + moved * MICROSECONDS_PER_DAY) == ""
