"""The replay of many cards against one step at a time and against py-fsrs; and logs with rows that cannot be used."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from fsrs import Card, Rating, Scheduler
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learning.logs import DAY_US, START_US, Row, built, by_hand, needs_the_real_log, real_rows, row_lists
from tests.learning.making import DEFAULTS, parameter_sets
from tutor.learning.memory import retrievability
from tutor.learning.parameters import Parameters
from tutor.learning.replay import replay
from tutor.learning.reviewlog import Skipped, build_log


@given(row_lists(), st.data(), parameter_sets())
@settings(max_examples=50, deadline=None)
def test_it_is_the_step_of_every_card(rows: list[Row], data: st.DataObject, parameters: Parameters) -> None:
    """S, D and R equal `memory.step` one answer at a time, for any weights, any order of times and any doubt."""
    qs = data.draw(st.lists(st.sampled_from([0.0, 0.3, 0.8, 1.0]), min_size=len(rows), max_size=len(rows)))
    log = built(rows, q=qs)
    done, expected = replay(log, parameters), by_hand(rows, qs, parameters)
    places = {card: iter(range(len(memories))) for card, memories in expected.items()}
    at = {row: n for n, row in enumerate(log.row)}
    for number, (card, _, _) in enumerate(rows):
        place, row = next(places[card]), at[number]
        gap, memory = expected[card][place]
        assert done.stability[row] == pytest.approx(memory.stability, rel=1e-10)
        assert done.difficulty[row] == pytest.approx(memory.difficulty, rel=1e-10)
        if place and gap >= parameters.threshold_days:
            recall = retrievability(gap, expected[card][place - 1][1].stability, parameters)
            assert done.recall[row] == pytest.approx(recall, rel=1e-10)
        else:
            assert math.isnan(done.recall[row])


@given(row_lists(), st.integers(0, 400))
@settings(max_examples=50, deadline=None)
def test_a_cut_is_the_log_as_it_stood(rows: list[Row], day: int) -> None:
    """What was written before a day replays as if nothing had followed."""
    log = built(sorted(rows, key=lambda row: row[1]))
    cut = START_US / DAY_US + day
    early, whole = log.until(cut), replay(log, DEFAULTS)
    assert sorted(early.row) == [
        n for n, (_, now, _) in enumerate(sorted(rows, key=lambda r: r[1])) if now / DAY_US < cut
    ]
    place = {row: n for n, row in enumerate(log.row)}
    same = [place[row] for row in early.row]
    assert replay(early, DEFAULTS).stability == pytest.approx(whole.stability[same], rel=1e-12)


@given(row_lists(ordered=True))
@settings(max_examples=50, deadline=None)
def test_scored_is_neither_first_nor_same_day(rows: list[Row]) -> None:
    """Exactly the reviews that the model predicts are scored; the last row of each card is its latest."""
    log = built(rows)
    assert (log.scored(0.15) == ~np.isnan(replay(log, DEFAULTS).recall)).all()
    latest = {card: number for number, (card, _, _) in enumerate(rows)}
    assert sorted(log.row[log.last]) == sorted(latest.values())


@pytest.mark.parametrize("real", [pytest.param(True, marks=[pytest.mark.shared, needs_the_real_log]), False])
def test_whole_days_agree_with_the_library(real: bool) -> None:
    """With gaps floored to whole days S, D and R equal py-fsrs's within 1e-10."""
    rng = np.random.default_rng(1)
    times = START_US + np.sort(rng.integers(0, 400, 3000)) * DAY_US + np.arange(3000)
    drawn = [(str(rng.integers(0, 300)), int(now), int(rng.integers(1, 5))) for now in times]
    rows = list(real_rows()) if real else drawn
    log = built(rows)
    done = replay(replace(log, elapsed=np.floor(log.elapsed)), DEFAULTS)
    scheduler, cards = Scheduler(enable_fuzzing=False), dict[str, Card]()
    theirs = np.empty((len(rows), 3))
    for number, (id, now_us, rating) in enumerate(rows):
        now, card = datetime.fromtimestamp(now_us / 1e6, UTC), cards.get(id, Card(card_id=1))
        recall = scheduler.get_card_retrievability(card, now)
        cards[id], _ = scheduler.review_card(card, Rating(rating), now)
        theirs[number] = cards[id].stability, cards[id].difficulty, recall
    theirs = theirs[log.row]
    predicted = ~np.isnan(done.recall)
    assert np.abs(done.stability / theirs[:, 0] - 1).max() < 1e-10
    assert np.abs(done.difficulty / theirs[:, 1] - 1).max() < 1e-10
    assert np.abs(done.recall / theirs[:, 2] - 1)[predicted].max() < 1e-10


def test_rows_that_cannot_be_used_are_counted() -> None:
    """Unknown ratings, absent times and repeated rows are left out; a clock gone back and odd durations are kept."""
    rows: list[tuple[Any, Any, Any, Any]] = [
        ("a", START_US, 3, 4000), ("a", START_US + 3 * DAY_US, 0, 10), ("a", START_US + 3 * DAY_US, "good", 10),
        ("a", START_US + 4 * DAY_US, 3, -5), ("a", START_US + 2 * DAY_US, 3, 10), ("b", None, 3, 10), ("b", START_US, 5, 10),
        ("b", START_US, math.nan, 10), ("b", START_US, 2, None), ("a", START_US, 3, 4000), ("b", -1, 1, 10),
        ("a", START_US + 9 * DAY_US, 1, 10), ("b", math.inf, 2, 10), ("b", START_US, 2.5, 10),
    ]  # fmt: skip
    log = build_log(*([row[place] for row in rows] for place in range(3)), ms=[row[3] for row in rows])
    assert log.skipped == Skipped(rating=5, time=3, duplicate=1, clock_back=1, duration=2)
    assert log.skipped.left_out + len(log) == len(rows)
    gaps = {int(row): gap for row, gap in zip(log.row, log.elapsed, strict=True)}
    assert gaps == {0: 0.0, 3: 4.0, 4: 0.0, 11: 5.0, 8: 0.0}


def test_probabilities_are_moved_into_their_range() -> None:
    """A q above 1 is 1, a chance of 1 would make every answer luck; what is absent is knowledge without luck."""
    rows: list[Row] = [("a", START_US, 3), ("a", START_US + DAY_US, 3), ("a", START_US + 2 * DAY_US, 3)]
    log = built(rows, q=[1.5, 0.4, math.nan], chance=[0.25, 1.0, -0.5])
    assert log.q.tolist() == [1.0, 0.4, 1.0]
    assert log.chance.tolist() == [0.25, 0.95, 0.0]
    assert log.skipped == Skipped(evidence=3)


def test_an_empty_log_and_columns_that_differ() -> None:
    """Nothing to replay is no error; columns of different length are."""
    log = build_log([], [], [])
    assert (len(log), log.cards, len(log.last), len(log.until(1.0))) == (0, 0, 0, 0)
    assert len(replay(log, DEFAULTS).recall) == 0
    with pytest.raises(ValueError, match="differ in length"):
        build_log(["a"], [START_US], [3, 3])


@given(st.lists(st.tuples(st.none() | st.integers() | st.text(max_size=2), st.none() | st.floats() | st.integers(), st.none() | st.text(max_size=1) | st.floats(0, 5) | st.integers(1, 4)), max_size=30))  # fmt: skip
@settings(max_examples=50, deadline=None)
def test_no_row_whatever_it_holds_is_an_error(rows: list[tuple[Any, Any, Any]]) -> None:
    """Every row is either in the log or counted as left out, and what is in can be replayed."""
    log = build_log(*([row[place] for row in rows] for place in range(3)))
    assert len(log) + log.skipped.left_out == len(rows)
    assert np.isfinite(replay(log, DEFAULTS).stability).all()


def test_codes_of_cards_need_not_be_small() -> None:
    """Epoch milliseconds, as other programs number cards, and more cards than 16 bits hold."""
    ids = np.array([1711684180217, 5, 1711684180217])
    assert build_log(ids, np.array([1, 2, 3]) * DAY_US, np.array([3, 3, 3])).cards == 2
    many = np.concatenate((np.arange(70_000)[::-1], [69_999, 3]))
    log = build_log(many, np.arange(70_002) * 1000 * DAY_US / 1000, np.full(70_002, 3))
    assert (log.cards, len(log.offsets)) == (70_000, 3)
    assert sorted(many[log.row[log.offsets[1] :]]) == [3, 69_999]
