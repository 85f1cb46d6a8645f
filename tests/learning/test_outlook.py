"""Readiness and the outlook: shares between 0 and 1, more with more time, and as the model forecasts where nothing is asked."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random
from statistics import mean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learning.logs import DAY_US, START_US, built, simulated
from tests.learning.making import DEFAULTS, TODAY, card
from tests.support import MONDAY
from tutor.learning.cards import Card, elapsed_days
from tutor.learning.interview import days_of_pace
from tutor.learning.learners import drawn_parameters
from tutor.learning.memory import Memory, retrievability
from tutor.learning.outlook import DRAWS, NOTHING, Outlook, Starting, outlook
from tutor.learning.parameters import Parameters
from tutor.learning.posterior import drawn_sets
from tutor.learning.readiness import FIRST_KNOWN, Readiness, brier, known_at_sight, readiness, right_at_sight
from tutor.learning.replay import replay
from tutor.learning.studyday import add_days

recalls = st.lists(st.floats(0, 1), min_size=1, max_size=40)


def start(met: int, unseen: int, left: int, new_per_day: int = 6, known_first: float = 0.5) -> Starting:
    """Return a learner who met some items three days ago, each a little stronger, of two concepts in turn."""
    cards: list[Card | None] = [
        card(2.0 + n, item=f"x-{n}", last_us=MONDAY - 3 * 86_400_000_000, last_day=TODAY) for n in range(met)
    ]
    cards += [None] * unseen
    return Starting(
        cards,
        ["ab"[n % 2] for n in range(len(cards))],
        [0.25] * len(cards),
        MONDAY,
        left,
        days_of_pace(TODAY, TODAY, add_days(TODAY, left)),
        new_per_day,
        known_first,
        10,
        DEFAULTS,
    )


def answered(truth: Parameters, seed: int, items: int = 60, left: int = 12) -> tuple[float, Starting]:
    """Return what one who answered for forty days by `truth` remembers after a pause of `left` days, and where he stands before it."""
    rows = simulated(truth, items, seed, chance=0.25, days=40)
    log, now = built(rows, chance=[0.25] * len(rows)), START_US + 40 * DAY_US
    held, true, last = replay(log, DEFAULTS), replay(log, truth), log.last
    at = np.round(log.at[last] * DAY_US).astype(int).tolist()
    cards = [
        replace(card(last_us=when, last_day="2026-10-01"), memory=Memory(s, d))
        for when, s, d in zip(at, held.stability[last].tolist(), held.difficulty[last].tolist(), strict=True)
    ]
    since = (now - np.asarray(at)) / DAY_US + left
    recalls = [retrievability(t, s, truth) for t, s in zip(since.tolist(), true.stability[last].tolist(), strict=True)]
    concepts, chances = ["a"] * len(cards), [0.25] * len(cards)
    begun = Starting(cards, concepts, chances, now, left, left, 6, 0.5, 10, DEFAULTS, log, range(len(cards)))
    return mean(recalls), begun


@given(recalls)
def test_a_readiness_lies_within_its_interval(some: list[float]) -> None:
    """The mean is that of the recalls; the bounds are shares around the likely counts."""
    found = readiness(some)
    assert found.items == len(some)
    assert found.value == pytest.approx(sum(some) / len(some))
    assert 0 <= found.low <= found.high <= 1
    assert found.low - 1 / len(some) <= found.value <= found.high + 1 / len(some)


def test_the_interval_is_that_of_the_tosses() -> None:
    """Against a sample: 95 % of the counts, no more than one side's tail beyond each bound."""
    some = [0.2, 0.5, 0.9, 0.7, 0.95, 0.4, 0.6, 0.8, 0.99, 0.3]
    rng, found = Random(3), readiness(some)
    shares = sorted(sum(rng.random() < recall for recall in some) / len(some) for _ in range(20_000))
    assert (found.low, found.high) == (shares[500], shares[19_500])
    assert readiness([1.0, 1.0]) == Readiness(1.0, 1.0, 1.0, 2)
    assert readiness([0.0]) == Readiness(0.0, 0.0, 0.0, 1)


def test_what_a_forecast_scores() -> None:
    """A certain truth scores 0, a half 0.25, and a guess among four lifts even nothing known to a quarter."""
    assert brier([(1.0, True), (0.0, False)]) == 0
    assert brier([(0.5, True), (0.5, False)]) == 0.25
    assert right_at_sight(0.0, 0.25) == 0.25
    assert right_at_sight(0.5, 0.25) == pytest.approx(0.625)


def test_what_first_sights_say() -> None:
    """Nothing seen leaves the assumption; many right answers less luck replace it."""
    assert known_at_sight(0, 0, 0.25) == pytest.approx(FIRST_KNOWN)
    assert known_at_sight(100_000, 70_000, 0.25) == pytest.approx((0.7 - 0.25) / 0.75, abs=1e-3)
    assert known_at_sight(1000, 0, 0.25) == 0 and known_at_sight(1000, 1000, 0.25) == pytest.approx(1, abs=0.01)


def test_without_an_answer_memories_fade_as_the_drawn_learners_forget() -> None:
    """At no answers a day, and none before, the outlook is the mean of their forgetting curves."""
    at = start(8, 4, 12)
    (none,) = outlook(at, [0])
    drawn = drawn_sets(NOTHING, DEFAULTS.threshold_days, DRAWS, np.random.default_rng(0))
    expected = [
        mean(retrievability(elapsed_days(one, MONDAY) + 12, one.memory.stability, each) for each in drawn)
        if one
        else 0.0
        for one in at.cards
    ]
    assert none.whole.value == pytest.approx(sum(expected) / 12)
    assert none.concepts["a"].value == pytest.approx(sum(expected[::2]) / 6)


def test_the_interval_holds_that_the_weights_are_not_known() -> None:
    """Learners with weights of their own: what they remember lies within, more often than with luck alone, and the forecast errs less."""
    within, by_luck, apart, believed = 0, 0, [], []
    for seed, truth in enumerate(drawn_parameters(12, 3)):
        true, at = answered(truth, seed)
        told = outlook(at, [0])[0].whole
        model = readiness(
            [
                retrievability(elapsed_days(one, at.utc_us) + at.left, one.memory.stability, DEFAULTS)
                for one in at.cards
                if one
            ]
        )
        within += told.low <= true <= told.high
        by_luck += model.low <= true <= model.high
        apart.append(told.value - true)
        believed.append(model.value - true)
    assert within >= 11 > by_luck
    assert abs(mean(apart)) < 0.03
    assert mean(map(abs, apart)) < mean(map(abs, believed))


@settings(max_examples=10, deadline=None)
@given(
    st.integers(0, 30), st.integers(0, 30), st.integers(0, 20), st.lists(st.integers(0, 40), min_size=2, max_size=4),
    st.floats(0, 1),
)  # fmt: skip
def test_more_time_never_forecasts_less(met: int, unseen: int, left: int, budgets: list[int], known: float) -> None:
    """Shares stay within 0 and 1 and do not fall with the budget; the order of asking is kept, and the same seed gives the same."""
    at = start(met, unseen, left, known_first=known)
    found = outlook(at, budgets)
    assert [one.answers for one in found] == budgets
    every = [part for one in found for part in (one.whole, *one.concepts.values())]
    assert all(0 <= part.low <= part.value <= part.high <= 1 for part in every)
    rising = sorted(found, key=lambda one: one.answers)
    assert all(a.whole.value <= b.whole.value for a, b in pairwise(rising))
    assert outlook(at, budgets) == found


def test_time_is_worth_something() -> None:
    """For a learner with much left to meet, twice the answers a day are worth several points."""
    ten, twenty = outlook(start(20, 100, 30, new_per_day=20), [10, 20])
    assert isinstance(ten, Outlook)
    assert twenty.whole.value > ten.whole.value + 0.05
    assert 0.1 < ten.whole.high - ten.whole.low < 0.6


def test_the_limit_of_new_items_is_kept() -> None:
    """Two new items a day for ten days leave ten of thirty unmet, whatever the time."""
    (found,) = outlook(start(0, 30, 10, new_per_day=2, known_first=1.0), [50])
    assert found.whole.value < 20 / 30
