"""Readiness and the outlook: shares between 0 and 1, more with more time, and as the model forecasts where nothing is asked."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learning.making import DEFAULTS, TODAY, card
from tests.support import MONDAY
from tutor.learning.cards import Card, elapsed_days
from tutor.learning.interview import days_of_pace
from tutor.learning.memory import retrievability
from tutor.learning.outlook import Outlook, Starting, outlook
from tutor.learning.readiness import Readiness, brier, readiness, right_at_sight
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
        MONDAY,
        left,
        days_of_pace(TODAY, TODAY, add_days(TODAY, left)),
        new_per_day,
        known_first,
        DEFAULTS,
    )


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


def test_without_an_answer_memories_fade_as_the_model_says() -> None:
    """At no answers a day the outlook is the forgetting curve."""
    at = start(8, 4, 12)
    (none,) = outlook(at, [0])
    expected = [
        retrievability(elapsed_days(one, MONDAY) + 12, one.memory.stability, DEFAULTS) if one else 0.0
        for one in at.cards
    ]
    assert none.whole.value == pytest.approx(sum(expected) / 12)
    assert none.concepts["a"].value == pytest.approx(sum(expected[::2]) / 6)


@settings(max_examples=25, deadline=None)
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
    assert ten.whole.high - ten.whole.low < 0.3


def test_the_limit_of_new_items_is_kept() -> None:
    """Two new items a day for ten days leave ten of thirty unmet, whatever the time."""
    (found,) = outlook(start(0, 30, 10, new_per_day=2, known_first=1.0), [50])
    assert found.whole.value < 20 / 30
