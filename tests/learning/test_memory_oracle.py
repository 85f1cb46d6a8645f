"""The memory step against py-fsrs: where gaps are whole days both take the same branch and must agree."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fsrs import Card, Rating, Scheduler
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learning.making import DEFAULTS, parameter_sets
from tutor.learning.memory import Evidence, Memory, interval_days, retrievability, step
from tutor.learning.parameters import Parameters

START = datetime(2026, 11, 30, 8, tzinfo=UTC)
REAL = Path(__file__).parents[3] / "shared" / "data" / "reviews_real.csv"
logs = st.lists(st.tuples(st.integers(0, 3) | st.integers(0, 400), st.integers(1, 4)), min_size=1, max_size=12)


def oracle(parameters: Parameters) -> Scheduler:
    """Return the library's scheduler without fuzz and without steps: its due dates are then plain intervals."""
    return Scheduler(parameters.weights, learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def follow(log: Sequence[tuple[int, int]], parameters: Parameters) -> None:
    """Replay (days since the last answer, rating) with both, and compare after each answer."""
    scheduler, theirs, now = oracle(parameters), Card(card_id=1), START
    ours: Memory | None = None
    for days, rating in log:
        now += timedelta(days=days)
        if ours is not None:
            recall = retrievability(days, ours.stability, parameters)
            assert recall == pytest.approx(scheduler.get_card_retrievability(theirs, now), rel=1e-9)
        theirs, _ = scheduler.review_card(theirs, Rating(rating), now)
        ours = step(ours, float(days), Evidence(rating), parameters)
        assert ours.stability == pytest.approx(theirs.stability, rel=1e-9)
        assert ours.difficulty == pytest.approx(theirs.difficulty, rel=1e-9)
        wished = min(max(1, round(interval_days(ours.stability, 0.9, parameters))), 36_500)
        assert wished == (theirs.due - now).days


@given(logs, parameter_sets())
@settings(max_examples=200, deadline=None)
def test_whole_days_agree_for_any_weights(log: list[tuple[int, int]], parameters: Parameters) -> None:
    """S, D, R and the interval equal the library's at the defaults and wherever in their bounds fitted weights lie."""
    follow(log, parameters)


@given(st.lists(st.integers(1, 4), min_size=2, max_size=8))
@settings(deadline=None)
def test_learning_steps_do_not_touch_memory(answers: list[int]) -> None:
    """The library's learning steps move its due dates only: with them S and D are still ours."""
    scheduler, theirs, ours = Scheduler(enable_fuzzing=False), Card(card_id=1), None
    for number, rating in enumerate(answers):
        theirs, _ = scheduler.review_card(theirs, Rating(rating), START + timedelta(days=number))
        ours = step(ours, float(number > 0), Evidence(rating), DEFAULTS)
        assert ours.stability == pytest.approx(theirs.stability, rel=1e-9)
        assert ours.difficulty == pytest.approx(theirs.difficulty, rel=1e-9)


@pytest.mark.shared
@pytest.mark.skipif(not REAL.exists(), reason="needs the review log beside the repository")
def test_a_real_log_replays_alike() -> None:
    """12,580 answers of a real learner, their gaps floored to days as the library does, leave the same memory."""
    scheduler, theirs, ours = oracle(DEFAULTS), dict[str, Card](), dict[str, Memory]()
    with REAL.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        id, rating, now = row["card_id"], int(row["review_rating"]), datetime.fromisoformat(row["review_time"])
        before = theirs.get(id, Card(card_id=1))
        days = (now - before.last_review).days if before.last_review else 0
        theirs[id], _ = scheduler.review_card(before, Rating(rating), now.astimezone(UTC))
        ours[id] = step(ours.get(id), float(days), Evidence(rating), DEFAULTS)
    assert len(rows) == 12_580
    assert all(ours[id].stability == pytest.approx(theirs[id].stability, rel=1e-9) for id in theirs)
    assert all(ours[id].difficulty == pytest.approx(theirs[id].difficulty, rel=1e-9) for id in theirs)
