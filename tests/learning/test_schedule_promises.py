"""What the schedule promises for any weights, any hour and any load: order, windows, and no step back for a pass."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learning.making import DEFAULTS, TODAY, card, cards, gaps, loads, parameter_sets, ratings, retentions
from tests.support import MONDAY
from tutor.clock import MICROSECONDS_PER_DAY
from tutor.config import Config, ConfigError, load_config
from tutor.learning.cards import Card
from tutor.learning.evidence import Weighed
from tutor.learning.memory import Evidence
from tutor.learning.parameters import Parameters
from tutor.learning.schedule import MAXIMUM_DAYS, Planned, plan, preview
from tutor.learning.studyday import add_days, days_between

Loads = dict[str, int]
WINDOWS = {3: (2, 4), 7: (5, 9), 20: (17, 23), 100: (93, 107)}
"""Days wished for, and the days that may be had instead."""


def later(days: float) -> tuple[int, str]:
    """Return the instant and the study day so many days after `TODAY`."""
    return MONDAY + round(days * MICROSECONDS_PER_DAY), add_days(TODAY, int(days))


def wishing(days: float, seed: int = 0, load: Loads | None = None) -> int:
    """Return the interval given where the memory asks for `days`: one and the same card, tossed by another name."""
    stable = card(days, 5.0, 1, item=f"item-{seed}")  # Hard within the hour leaves S as it is
    return preview(stable, stable.item, MONDAY, TODAY, 0.9, DEFAULTS, load or {})[2].interval


@given(st.none() | cards(), gaps, retentions, parameter_sets(), loads, ratings)
def test_what_is_shown_is_what_is_stored(
    before: Card | None, days: float, retention: float, parameters: Parameters, load: Loads, rating: int
) -> None:
    """Case 6: for any weights the plan for a rating is the one its preview showed, however often either is asked."""
    now, day = later(days)
    shown = [preview(before, "a-1", now, day, retention, parameters, load) for _ in range(3)]
    stored = plan(before, "a-1", Weighed(Evidence(rating)), now, day, retention, parameters, load)
    assert shown[0] == shown[1] == shown[2]
    assert stored == shown[0][rating]


@given(st.none() | cards(), gaps, retentions, parameter_sets(), loads)
def test_a_better_answer_never_comes_back_sooner(
    before: Card | None, days: float, retention: float, parameters: Parameters, load: Loads
) -> None:
    """Again is tomorrow; then Hard, Good and Easy in this order, to the maximum, for any weights."""
    now, day = later(days)
    planned = preview(before, "a-1", now, day, retention, parameters, load)
    intervals = [planned[rating].interval for rating in (1, 2, 3, 4)]
    assert intervals[0] == 1
    assert intervals == sorted(intervals)
    assert intervals[-1] <= MAXIMUM_DAYS
    assert all(days_between(day, one.due) == one.interval for one in planned.values())


@given(cards(), st.floats(-0.9, 0.9), st.integers(0, 30), retentions, parameter_sets(), loads)
@settings(max_examples=300)
def test_passing_when_due_never_shortens(
    before: Card, hours_off: float, late: int, retention: float, parameters: Parameters, load: Loads
) -> None:
    """Case 7: Good or Easy on the due day or after it, at whatever hour, is planned at least as far as before."""
    now, _ = later(before.interval + late + hours_off)
    planned = preview(before, before.item, now, add_days(before.due, late), retention, parameters, load)
    assert planned[3].interval >= min(before.interval, MAXIMUM_DAYS)
    assert planned[4].interval >= min(before.interval, MAXIMUM_DAYS)


@pytest.mark.parametrize("hours_off", [0.0, -0.4])
@pytest.mark.parametrize(("stability", "before"), [(2.0, 4), (4.0, 6), (6.9, 9), (9.7, 12), (15.0, 18), (30.0, 35)])
def test_a_hard_card_keeps_its_interval(stability: float, before: int, hours_off: float) -> None:
    """Case 7: at D 10, given the last day of its window before, on the due day at the hour or before it, whatever the toss."""
    now, day = MONDAY + round((before + hours_off) * MICROSECONDS_PER_DAY), add_days(TODAY, before)
    heavy = {add_days(day, days): 50 for days in range(before, 2 * before + 9)}
    for seed in range(30):
        state = card(stability, 10.0, before, item=f"item-{seed}")
        for load in ({}, heavy):
            assert preview(state, state.item, now, day, 0.9, DEFAULTS, load)[3].interval >= before


@given(st.none() | cards(), gaps, loads)
def test_a_miss_is_for_tomorrow(before: Card | None, days: float, load: Loads) -> None:
    """Again comes back the next study day, whatever the load."""
    now, day = later(days)
    planned = plan(before, "a-1", Weighed(Evidence(1)), now, day, 0.9, DEFAULTS, load)
    assert planned == Planned(add_days(day, 1), 1)


@given(cards(), st.floats(0.3, 1), st.integers(0, 30), loads)
def test_doubt_on_time_does_not_shorten_unless_it_was_declared(before: Card, q: float, late: int, load: Loads) -> None:
    """Right on the due day keeps the interval though luck is possible; a declared guess may come back sooner."""
    now, day = later(before.interval + late)
    plain = plan(before, before.item, Weighed(Evidence(3, q)), now, day, 0.9, DEFAULTS, load)
    guess = plan(before, before.item, Weighed(Evidence(3, q), guess=True), now, day, 0.9, DEFAULTS, load)
    assert plain.interval >= min(before.interval, MAXIMUM_DAYS)
    assert 1 <= guess.interval <= MAXIMUM_DAYS


@pytest.mark.parametrize("wish", WINDOWS)
def test_the_window_is_the_fields(wish: int) -> None:
    """One day, and 15 % of what lies in 2.5 to 7 days, 10 % up to 20, 5 % beyond; every day of it is used."""
    low, high = WINDOWS[wish]
    assert {wishing(wish, seed) for seed in range(400)} == set(range(low, high + 1))


@given(st.sampled_from([1.0, 1.4, 1.6, 2.4]), st.integers(0, 999), loads)
def test_short_intervals_stand_still(wish: float, seed: int, load: Loads) -> None:
    """Below two and a half days neither toss nor load moves the day."""
    assert wishing(wish, seed, load) == round(wish)


@given(st.integers(0, 99), st.sampled_from(sorted(WINDOWS)), st.data())
def test_the_lightest_day_of_the_window_is_taken(seed: int, wish: int, data: st.DataObject) -> None:
    """Where one day of the window has fewer cards due than the others, that one is chosen, and none beside it."""
    low, high = WINDOWS[wish]
    light = data.draw(st.integers(low, high))
    load = {add_days(TODAY, day): 5 for day in range(low, high + 1)} | {add_days(TODAY, light): 4}
    assert wishing(wish, seed, load) == light


def test_the_toss_changes_with_the_repetition() -> None:
    """A card does not fall on the same side of its window each time."""
    states = [card(100, 5.0, 1, reps=reps) for reps in range(30)]
    assert len({preview(one, one.item, MONDAY, TODAY, 0.9, DEFAULTS, {})[2].interval for one in states}) > 5


@given(st.none() | cards(), gaps, st.floats(0, 0.999), ratings, parameter_sets(), loads)
def test_doubt_keeps_the_plan_in_bounds(
    before: Card | None, days: float, q: float, rating: int, parameters: Parameters, load: Loads
) -> None:
    """An answer that counts in part is planned from tomorrow to the maximum."""
    now, day = later(days)
    planned = plan(before, "a-1", Weighed(Evidence(rating, q)), now, day, 0.9, parameters, load)
    assert 1 <= planned.interval <= MAXIMUM_DAYS
    assert days_between(day, planned.due) == planned.interval


def test_the_calendars_end_is_no_error() -> None:
    """A due day past the year 9999 is the calendar's last one."""
    assert preview(None, "a-1", MONDAY, "9999-12-30", 0.9, DEFAULTS, {})[4].due == "9999-12-31"


@pytest.mark.parametrize("written", ["0", "-1", "1", "1.5", "90", '"0.9"', "nan", "[]"])
def test_no_retention_outside_its_range_reaches_the_schedule(tmp_path: Path, written: str) -> None:
    """Case 4: 0, -1, 1, 1.5, 90 and text are refused with the key and its line."""
    path = tmp_path / "config.toml"
    path.write_text(f"new_per_day = 6\nretention = {written}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"config\.toml:2: retention = .*from 0\.7 to 0\.97"):
        load_config(path)
    path.write_text("retention = 0.85\n", encoding="utf-8")
    assert load_config(path) == Config(retention=0.85)
