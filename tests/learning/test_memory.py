"""The memory step against py-fsrs, and what must hold of it whatever the log."""

from __future__ import annotations

import csv
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fsrs import Card as PeerCard
from fsrs import Rating as PeerRating
from fsrs import Scheduler
from fsrs.scheduler import DEFAULT_PARAMETERS, LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS
from hypothesis import given
from hypothesis import strategies as st

from tutor.learning.memory import Evidence, Memory, interval_days, retrievability, step
from tutor.learning.parameters import DEFAULT, LOWER, UPPER, default_parameters

PARAMETERS = default_parameters()
REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "reviews_real.csv"
ratings = st.integers(1, 4)
memories = st.builds(Memory, st.floats(0.01, 3000), st.floats(1, 10))


def test_the_copied_numbers_are_the_librarys() -> None:
    """Defaults and bounds equal py-fsrs's."""
    assert tuple(DEFAULT_PARAMETERS) == DEFAULT
    assert tuple(LOWER_BOUNDS_PARAMETERS) == LOWER
    assert tuple(UPPER_BOUNDS_PARAMETERS) == UPPER


def replay_both(log: list[tuple[int, int]]) -> None:
    """Replay (whole days since the last, rating) through both and compare S and D."""
    peer, scheduler = PeerCard(card_id=1), Scheduler(enable_fuzzing=False)
    at, memory = datetime(2026, 1, 1, tzinfo=UTC), None
    for days, rating in log:
        at += timedelta(days=days)
        peer, _ = scheduler.review_card(peer, PeerRating(rating), at)
        memory = step(memory, float(days), Evidence(rating), PARAMETERS)
        assert memory.stability == pytest.approx(peer.stability, rel=1e-9)
        assert memory.difficulty == pytest.approx(peer.difficulty, rel=1e-9)


@given(st.lists(st.tuples(st.integers(0, 400), ratings), min_size=1, max_size=30))
def test_whole_days_equal_py_fsrs(log: list[tuple[int, int]]) -> None:
    """With whole-day gaps stability and difficulty agree within 1e-9 relative."""
    replay_both(log)


@pytest.mark.shared
def test_a_real_log_equals_py_fsrs() -> None:
    """The first 400 cards of one learner, at whole days, agree as well."""
    if not REAL.exists():
        pytest.skip("the real review log lies beside the repository and is not here")
    logs: dict[str, list[tuple[int, int]]] = {}
    last: dict[str, datetime] = {}
    with REAL.open() as rows:
        for row in csv.DictReader(rows):
            at = datetime.fromisoformat(row["review_time"])
            days = max(0, (at - last.get(row["card_id"], at)).days)
            last[row["card_id"]] = at
            logs.setdefault(row["card_id"], []).append((days, int(row["review_rating"])))
    for log in list(logs.values())[:400]:
        replay_both(log)


@given(memories, st.floats(0, 4000))
def test_recall_falls_with_time_and_is_09_at_stability(memory: Memory, days: float) -> None:
    """R is 1 at once, 0.9 at t = S, and never rises."""
    assert retrievability(0, memory.stability, PARAMETERS) == 1
    assert retrievability(memory.stability, memory.stability, PARAMETERS) == pytest.approx(0.9)
    now, later = (retrievability(t, memory.stability, PARAMETERS) for t in (days, days + 1))
    assert 0 < later <= now <= 1


@given(memories, st.floats(0.7, 0.97))
def test_the_interval_is_where_recall_meets_the_wish(memory: Memory, wish: float) -> None:
    """The unrounded interval inverts the forgetting curve."""
    days = interval_days(memory.stability, wish, PARAMETERS)
    assert retrievability(days, memory.stability, PARAMETERS) == pytest.approx(wish)


@given(memories, st.floats(0, 1000))
def test_better_answers_leave_more_stability(memory: Memory, days: float) -> None:
    """Again, Hard, Good, Easy are in order, and a lapse does not raise stability."""
    after = [step(memory, days, Evidence(rating), PARAMETERS).stability for rating in (1, 2, 3, 4)]
    assert after == sorted(after)
    assert after[0] <= memory.stability * 1.0000001


@given(memories, st.floats(0.2, 500), ratings, st.floats(0, 1))
def test_a_doubtful_answer_lies_between_a_lapse_and_knowledge(
    memory: Memory, days: float, rating: int, q: float
) -> None:
    """With q below 1 stability and difficulty lie between Again and the rating."""
    mixed = step(memory, days, Evidence(rating, q), PARAMETERS)
    ends = [step(memory, days, Evidence(r), PARAMETERS) for r in (1, rating)]
    for name in ("stability", "difficulty"):
        low, high = sorted(getattr(end, name) for end in ends)
        assert low * (1 - 1e-9) <= getattr(mixed, name) <= high * (1 + 1e-9)


def test_coming_minutes_before_a_whole_day_earns_what_it_should() -> None:
    """23:45 h and 24:01 h after a review give nearly the same stability (case 1)."""
    memory = Memory(1.29, 5.0)
    early, late = (step(memory, hours / 24, Evidence(3), PARAMETERS).stability for hours in (23.75, 24.02))
    assert early == pytest.approx(late, rel=0.02)
    assert early > 2


def test_answers_within_minutes_do_not_push_a_card_out() -> None:
    """Again, Hard, Good, Hard, Easy within a minute leave a stability below a day (case 18)."""
    memory = None
    for rating in (1, 2, 3, 2, 4):
        memory = step(memory, 12 / 86_400, Evidence(rating), PARAMETERS)
    assert memory is not None
    assert memory.stability < 1
