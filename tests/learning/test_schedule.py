"""When a card comes back: order, caps, windows, and that a preview is a promise."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.learning.making import due_of
from tests.support import choice, library
from tutor.clock import MICROSECONDS_PER_DAY, Instant
from tutor.learning.cards import Card, advance
from tutor.learning.evidence import Weighed, weigh
from tutor.learning.grading import Given, grade
from tutor.learning.memory import Evidence, Memory
from tutor.learning.parameters import default_parameters
from tutor.learning.queue import new_items, pick, ready
from tutor.learning.schedule import MAXIMUM_DAYS, plan, preview
from tutor.learning.studyday import add_days, clock_suspect, study_day

PARAMETERS = default_parameters()
DAY = "2026-11-30"
NOW = 1_796_025_600_000_000


def card(stability: float, difficulty: float = 5, interval: int = 3, elapsed: float | None = None, **changes) -> Card:
    """Return a card last answered `elapsed` days ago."""
    ago = interval if elapsed is None else elapsed
    base = {
        "item": "i", "memory": Memory(stability, difficulty), "last_us": NOW - round(ago * MICROSECONDS_PER_DAY), "first_day": "2026-01-01",
        "last_day": "2026-11-01", "due": DAY, "interval": interval, "reps": 4, "lapses": 0, "recent": "+++",
    }  # fmt: skip
    return Card(**(base | changes))


cards = st.none() | st.builds(card, st.floats(0.05, 4000), st.floats(1, 10), st.integers(1, 400), st.floats(0, 800))
loads = st.dictionaries(st.integers(1, 60).map(lambda n: add_days(DAY, n)), st.integers(0, 50))
wishes = st.floats(0.7, 0.97)


@given(cards, wishes, loads)
def test_again_hard_good_easy_are_in_order_and_capped(state: Card | None, wish: float, load: dict[str, int]) -> None:
    """No better rating comes back sooner; Again is tomorrow; nothing exceeds the cap."""
    planned = preview(state, "i", NOW, DAY, wish, PARAMETERS, load)
    intervals = [planned[rating].interval for rating in (1, 2, 3, 4)]
    assert intervals == sorted(intervals)
    assert intervals[0] == 1
    assert intervals[-1] <= MAXIMUM_DAYS


@given(cards, wishes, loads, st.integers(1, 4))
def test_a_preview_is_what_is_stored(state: Card | None, wish: float, load: dict[str, int], rating: int) -> None:
    """Planning an answer gives what the preview showed, call after call (case 6)."""
    shown = preview(state, "i", NOW, DAY, wish, PARAMETERS, load)[rating]
    for _ in range(3):
        assert plan(state, "i", Weighed(Evidence(rating)), NOW, DAY, wish, PARAMETERS, load) == shown
    assert shown.due == add_days(DAY, shown.interval)


@given(st.floats(2, 10), st.floats(1, 10), st.integers(1, 30), wishes)
def test_passing_on_time_never_shortens_the_interval(
    stability: float, difficulty: float, interval: int, wish: float
) -> None:
    """After Good on the due day the interval is at least what it was (case 7)."""
    state = card(stability, difficulty, interval)
    assert preview(state, "i", NOW, DAY, wish, PARAMETERS, {})[3].interval >= interval


def test_the_lightest_day_in_the_window_is_taken() -> None:
    """With every other day loaded, the free one is chosen."""
    state = card(20, interval=18)
    free = preview(state, "i", NOW, DAY, 0.9, PARAMETERS, {})[3].interval
    load = {add_days(DAY, n): 9 for n in range(1, 90) if n != free + 1}
    assert preview(state, "i", NOW, DAY, 0.9, PARAMETERS, load)[3].interval == free + 1


@given(
    st.sampled_from(["bad", "odd", None]),
    st.sampled_from(["sure", "think", "guess", None]),
    st.integers(0, 10**6),
    st.none() | st.floats(1, 10**6),
)
def test_wrong_never_passes(key: str | None, sureness: str | None, ms: int, median: float | None) -> None:
    """A wrong answer, or none, is Again, however sure or quick (case 9)."""
    item = choice("a-1", "a")
    given_ = Given((key,)) if key else Given()
    assert weigh(grade(item, None, given_), given_, sureness, ms, median, None).evidence.rating == 1


@pytest.mark.parametrize(
    ("sureness", "ms", "recent", "rating"),
    [
        (None, 100, "+++", 3),
        ("sure", 500, "+++", 4),
        ("sure", 700, "+++", 3),
        ("sure", 500, "+-+", 3),
        ("think", 500, "+++", 3),
        ("guess", 500, "+++", 3),
    ],
)
def test_easy_needs_sure_quick_and_no_recent_miss(sureness: str | None, ms: int, recent: str, rating: int) -> None:
    """Against a median of one second; a right guess is Good at most."""
    item, said = choice("a-1", "a"), Given(("good",))
    assert weigh(grade(item, None, said), said, sureness, ms, 1000.0, card(5, recent=recent)).evidence.rating == rating


def test_five_misses_stay_at_a_day() -> None:
    """Wrong answers in a row keep the card at tomorrow (case 9)."""
    state = card(30, interval=30)
    for _ in range(5):
        planned = preview(state, "i", NOW, DAY, 0.9, PARAMETERS, {})[1]
        state = advance(state, "i", 1, Evidence(1), NOW, DAY, planned.due, planned.interval, PARAMETERS)
        assert planned.interval == 1
    assert state.lapses == 5


def test_a_clock_that_went_back_moves_nothing_back() -> None:
    """An answer dated three days before the last counts no time and leaves the last instant (case 3)."""
    state = card(10, elapsed=0)
    after = advance(
        state, "i", 1, Evidence(4), state.last_us - 3 * MICROSECONDS_PER_DAY, "2026-11-27", "2026-12-05", 8, PARAMETERS
    )
    assert after.last_us == state.last_us
    assert after.last_day >= state.last_day
    assert clock_suspect(NOW, NOW - 1)
    assert clock_suspect(NOW, NOW + 401 * MICROSECONDS_PER_DAY)
    assert not clock_suspect(NOW, NOW + 399 * MICROSECONDS_PER_DAY)
    assert not clock_suspect(None, 0)


def instant(text: str) -> Instant:
    """Return the instant of an ISO time with its offset."""
    moment = datetime.fromisoformat(text)
    offset = moment.utcoffset() or timedelta()
    return Instant(
        (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1),
        0,
        int(offset.total_seconds() // 60),
        "x",
    )


@pytest.mark.parametrize(
    ("when", "day"),
    [
        ("2026-11-30T03:59:59+01:00", "2026-11-29"),
        ("2026-11-30T04:00:00+01:00", "2026-11-30"),
        ("2023-10-11T04:30:00+02:00", "2023-10-11"),  # case 20: the offset valid then
        ("2023-11-15T01:00:00-05:00", "2023-11-14"),  # case 23: not UTC's midnight
        ("2011-12-31T05:00:00+14:00", "2011-12-31"),  # Apia, which had no 30th
        ("2028-02-29T12:00:00+00:00", "2028-02-29"),
    ],
)
def test_the_study_day_is_the_local_date_after_the_rollover(when: str, day: str) -> None:
    """Rollover at four in the morning, with the offset frozen in the instant."""
    assert study_day(instant(when), 4).isoformat() == day


@given(st.datetimes(datetime(2000, 1, 1), datetime(2060, 1, 1)), st.integers(-720, 840), st.integers(0, 23))
def test_the_study_day_never_runs_ahead(moment: datetime, offset: int, rollover: int) -> None:
    """It is the local date, or the one before it where the hour is before the rollover."""
    local = moment.replace(tzinfo=timezone(timedelta(minutes=offset)))
    day = study_day(instant(local.isoformat()), rollover)
    assert day == local.date() - timedelta(days=local.hour < rollover)


def test_due_comes_most_forgotten_first() -> None:
    """Order by predicted recall; what is not due or suspended is left out."""
    states = {
        "a": card(50, item="a", elapsed=10), "b": card(2, item="b", elapsed=10), "c": card(9, item="c", elapsed=10),
        "d": card(1, item="d", due="2026-12-01"), "e": card(1, item="e", suspended=True),
    }  # fmt: skip
    assert due_of(states, DAY, NOW) == ("b", "c", "a")


def test_new_items_follow_the_graph_and_keep_transfers_for_last() -> None:
    """Concepts before what requires them; transfers of a missed item first, other transfers last."""
    shelf = library(
        choice("b-1", "b"),
        choice("a-2", "a", transfer_of="a-1"),
        choice("a-1", "a"),
        choice("a-3", "a", transfer_of="a-0"),
    )
    assert new_items(shelf.items, {}, shelf, set()) == ("a-1", "b-1", "a-2", "a-3")
    missed = {"a-1": card(1, item="a-1", recent="-")}
    assert new_items(shelf.items, missed, shelf, {"a-3"}) == ("a-2", "b-1")
    assert not ready(shelf.items["b-1"], shelf, set())
    assert ready(shelf.items["b-1"], shelf, {"a"})
    assert pick(["a", "a", "b"], "a") == 2
    assert pick(["a", "a"], "a") == 0
