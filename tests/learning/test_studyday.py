"""The study day through rollovers, changes of the clocks, skipped dates and flights."""

from __future__ import annotations

import time
from datetime import date, timedelta
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.learning.making import at, card, due_of, seen_from
from tests.support import MONDAY
from tutor.clock import MICROSECONDS_PER_DAY, Instant
from tutor.learning.studyday import add_days, clock_suspect, days_between, study_day

ZONES = (
    "UTC",
    "Europe/Paris",
    "America/New_York",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Africa/Casablanca",
    "Asia/Kathmandu",
    "Pacific/Kiritimati",
)
SECONDS = st.integers(1_262_304_000, 1_893_456_000)
"""2010 to 2030."""
DATES = st.dates(date(2000, 1, 1), date(2100, 1, 1)).map(str)


def days(zone: str, first: str, hours: int) -> list[date]:
    """Return the study day at each hour from local midnight of `first` on."""
    start = at(f"{first}T00:00", zone).utc_us // 1_000_000
    return [study_day(seen_from(start + 3600 * hour, zone), 4) for hour in range(hours)]


@pytest.mark.parametrize(("local", "day"), [("03:59:59", "2026-11-29"), ("04:00:00", "2026-11-30")])
@pytest.mark.parametrize("zone", ZONES)
def test_the_day_begins_at_the_rollover(zone: str, local: str, day: str) -> None:
    """At 03:59 it is still yesterday, at 04:00 it is today, wherever the learner is."""
    assert str(study_day(at(f"2026-11-30T{local}", zone), 4)) == day


@given(SECONDS, st.sampled_from(ZONES), st.integers(0, 23))
def test_the_study_day_is_the_local_date_or_the_one_before(seconds: int, zone: str, rollover: int) -> None:
    """Before the rollover hour on the wall it is the date before, after it the date itself."""
    now = seen_from(seconds, zone)
    assert study_day(now, rollover) == now.local.date() - timedelta(days=now.local.hour < rollover)


@given(SECONDS, st.integers(0, 3 * 86_400), st.sampled_from(ZONES))
def test_at_home_the_study_day_never_falls(seconds: int, later: int, zone: str) -> None:
    """Through every change of the clocks a later answer has no earlier day."""
    assert study_day(seen_from(seconds, zone), 4) <= study_day(seen_from(seconds + later, zone), 4)


@pytest.mark.parametrize(("first", "lengths"), [("2026-03-27", [24, 23, 24]), ("2026-10-23", [24, 25, 24])])
def test_a_change_of_the_clocks_makes_one_day_shorter_or_longer(first: str, lengths: list[int]) -> None:
    """The study day whose night has the change has 23 hours in spring and 25 in autumn; none is lost, none is doubled."""
    seen = days("Europe/Paris", first, 4 + sum(lengths))
    start = date.fromisoformat(first)
    assert seen[:4] == [start - timedelta(days=1)] * 4
    assert [seen.count(start + timedelta(days=n)) for n in range(3)] == lengths


def test_last_months_answers_keep_their_day() -> None:
    """Case 20: 04:30 in summer time stays that date although the clocks have changed since."""
    then = at("2023-10-11T04:30", "Europe/Paris")
    report = at("2023-11-03T12:00", "Europe/Paris")
    assert (then.offset_min, report.offset_min) == (120, 60)
    assert str(study_day(then, 4)) == "2023-10-11"
    shifted = Instant(then.utc_us, 0, report.offset_min, then.zone)
    assert str(study_day(shifted, 4)) == "2023-10-10", "the input would show the mistake"


def test_a_new_rollover_hour_changes_no_old_day() -> None:
    """Case 22: a card answered at 05:00 under rollover 4 keeps its day and its due day under rollover 8."""
    now = at("2026-11-30T05:00", "Europe/Paris")
    assert (str(study_day(now, 4)), str(study_day(now, 8))) == ("2026-11-30", "2026-11-29")
    answered = card(interval=1, last_us=now.utc_us)
    morning = at("2026-12-01T08:00", "Europe/Paris")
    assert answered.last_day == "2026-11-30"
    assert due_of({"a-1": answered}, str(study_day(morning, 8)), morning.utc_us) == ("a-1",)


def test_the_evening_in_new_york_is_not_tomorrow() -> None:
    """Case 23: from 04:00 to 01:00 of the next date it is one study day, whatever the date in UTC."""
    start, now = (seen_from(seconds, "America/New_York") for seconds in (1_699_952_400, 1_700_028_000))
    assert str(study_day(start, 4)) == str(study_day(now, 4)) == "2023-11-14"


def test_apia_skips_a_date() -> None:
    """Samoa had no 2011-12-30: that study day has but the four hours of the night, and what was due on it stays due."""
    seen = days("Pacific/Apia", "2011-12-29", 48)
    assert [len(list(hours)) for _, hours in groupby(seen)] == [4, 20, 4, 20]
    assert [str(day) for day, _ in groupby(seen)] == ["2011-12-28", "2011-12-29", "2011-12-30", "2011-12-31"]
    skipped = card(due="2011-12-30")
    assert due_of({"a-1": skipped}, "2011-12-29", MONDAY) == ()
    assert due_of({"a-1": skipped}, "2011-12-31", MONDAY) == ("a-1",)


def test_over_the_date_line_and_back() -> None:
    """Flying east repeats a study day and flying west skips one; what was due on it stays due."""
    tokyo = at("2026-11-30T18:00", "Asia/Tokyo")
    honolulu = seen_from(tokyo.utc_us // 1_000_000 + 8 * 3600, "Pacific/Honolulu")
    assert study_day(honolulu, 4) == study_day(tokyo, 4) == date(2026, 11, 30)
    leaving = at("2026-11-30T03:00", "Pacific/Honolulu")
    landed = seen_from(leaving.utc_us // 1_000_000 + 9 * 3600, "Asia/Tokyo")
    assert (str(study_day(leaving, 4)), str(study_day(landed, 4))) == ("2026-11-29", "2026-12-01")
    between = card(due="2026-11-30")
    assert due_of({"a-1": between}, str(study_day(landed, 4)), landed.utc_us) == ("a-1",)


def test_another_machines_zone_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The day follows from the instant alone: replayed where the system's zone is another, it is the same."""
    now = at("2026-11-30T02:30", "America/New_York")
    seen = set()
    try:
        for zone in ("Asia/Tokyo", "Pacific/Honolulu"):
            monkeypatch.setenv("TZ", zone)
            time.tzset()
            seen.add(str(study_day(now, 4)))
    finally:
        monkeypatch.undo()
        time.tzset()
    assert seen == {"2026-11-29"}


@given(DATES, st.integers(0, 5000))
def test_adding_days_is_undone_by_counting_them(day: str, count: int) -> None:
    """`days_between` returns what `add_days` added, leap days included, and text order is time order."""
    later = add_days(day, count)
    assert days_between(day, later) == count
    assert (day <= later) and (day == later) == (count == 0)


def test_days_over_leap_days_and_the_end_of_the_calendar() -> None:
    """2028 has a 29th of February, and a due day past the year 9999 is its last one."""
    assert add_days("2028-02-28", 1) == "2028-02-29"
    assert add_days("2028-02-28", 2) == "2028-03-01"
    assert add_days("9999-12-30", 5) == "9999-12-31"


@pytest.mark.parametrize(
    ("moved", "suspect"),
    [
        (0, False),
        (1, False),
        (-1, True),
        (-3 * MICROSECONDS_PER_DAY, True),
        (400 * MICROSECONDS_PER_DAY, False),
        (400 * MICROSECONDS_PER_DAY + 1, True),
        (3653 * MICROSECONDS_PER_DAY, True),
    ],
)
def test_a_clock_that_leaps_is_noticed(moved: int, suspect: bool) -> None:
    """Any step back and any leap of more than 400 days is suspect; a long holiday is not."""
    assert clock_suspect(MONDAY, MONDAY + moved) == suspect


def test_the_first_event_is_never_suspect() -> None:
    """Without an event before it there is nothing to compare the clock with."""
    assert not clock_suspect(None, MONDAY)
