"""What must hold of the memory step for any weights a fit may give, and its rules by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.learning.making import DEFAULTS, evidences, gaps, memories, parameter_sets, ratings, retentions
from tutor.learning.memory import Evidence, Memory, Rating, interval_days, retrievability, step
from tutor.learning.parameters import DEFAULT, Parameters


@given(st.floats(0.01, 36_500), retentions, parameter_sets())
def test_the_interval_inverts_the_curve(stability: float, retention: float, parameters: Parameters) -> None:
    """Whatever the weights, recall is 0.9 after S days, and after an interval what that interval was for."""
    assert retrievability(stability, stability, parameters) == pytest.approx(0.9)
    days = interval_days(stability, retention, parameters)
    assert retrievability(days, stability, parameters) == pytest.approx(retention)


@given(memories, parameter_sets(), retentions, retentions)
def test_more_retention_is_no_longer_wait(memory: Memory, parameters: Parameters, one: float, other: float) -> None:
    """The higher the recall wanted, the shorter the interval asked for."""
    low, high = sorted((one, other))
    assert interval_days(memory.stability, high, parameters) <= interval_days(memory.stability, low, parameters)


@given(ratings)
def test_a_first_answer_takes_its_weight(rating: int) -> None:
    """S starts at w0 to w3, D on the curve of w4 and w5 and not below 1."""
    memory = step(None, 0.0, Evidence(rating), DEFAULTS)
    assert memory.stability == DEFAULT[rating - 1]
    assert memory.difficulty == max(1.0, DEFAULT[4] - math.exp(DEFAULT[5] * (rating - 1)) + 1)


@given(st.none() | memories, gaps, evidences, parameter_sets())
def test_memory_stays_inside_its_bounds(
    memory: Memory | None, elapsed: float, evidence: Evidence, parameters: Parameters
) -> None:
    """No answer leaves S below 0.001 or infinite, or D outside 1 to 10."""
    after = step(memory, elapsed, evidence, parameters)
    assert 0.001 * (1 - 1e-9) <= after.stability < math.inf
    assert 1 - 1e-9 <= after.difficulty <= 10 + 1e-9


@given(memories, gaps, parameter_sets())
def test_a_better_answer_leaves_more(memory: Memory, elapsed: float, parameters: Parameters) -> None:
    """S rises and D falls from Again over Hard and Good to Easy; a right answer never lowers S, a lapse never raises it."""
    after = [step(memory, elapsed, Evidence(rating), parameters) for rating in Rating]
    stabilities = [one.stability for one in after]
    assert stabilities == sorted(stabilities)
    assert [one.difficulty for one in after] == sorted((one.difficulty for one in after), reverse=True)
    assert memory.stability <= stabilities[1]
    if elapsed >= parameters.threshold_days:
        assert stabilities[0] <= memory.stability


@given(memories, st.floats(0.15, 1000), st.floats(0.15, 1000), st.sampled_from([2, 3, 4]), parameter_sets())
def test_a_longer_wait_earns_more(
    memory: Memory, one: float, other: float, rating: int, parameters: Parameters
) -> None:
    """A right answer after a longer gap never leaves less stability."""
    sooner, later = (step(memory, elapsed, Evidence(rating), parameters) for elapsed in sorted((one, other)))
    assert sooner.stability <= later.stability * (1 + 1e-12)


def test_over_night_is_not_the_same_day() -> None:
    """Case 1: an answer at 23:30 and one at 08:00 are 8.5 hours apart, and the second one counts."""
    evening = step(None, 0.0, Evidence(3), DEFAULTS)
    morning = step(evening, 8.5 / 24, Evidence(3), DEFAULTS)
    assert morning.stability > 1.5 * evening.stability


@pytest.mark.parametrize(("elapsed", "same_day"), [(0.0, True), (0.1499, True), (0.15, False), (1.0, False)])
def test_the_same_day_rule_ends_at_its_threshold(elapsed: float, same_day: bool) -> None:
    """Below 0.15 days the short-term formula acts, at 0.15 the long-term one with the real time."""
    after = step(Memory(5.0, 5.0), elapsed, Evidence(3), DEFAULTS).stability
    short_term = 5.0 * max(1.0, math.exp(DEFAULT[17] * DEFAULT[18]) * 5.0 ** -DEFAULT[19])
    assert (after == pytest.approx(short_term)) == same_day


def test_the_threshold_belongs_to_the_parameters() -> None:
    """Weights fitted under another threshold bring it along."""
    half_day = Parameters("other", DEFAULT, threshold_days=0.5)
    assert step(Memory(5.0, 5.0), 0.3, Evidence(3), half_day) == step(Memory(5.0, 5.0), 0.0, Evidence(3), DEFAULTS)


def test_answers_within_a_minute_end_where_they_should() -> None:
    """Case 18: Again, Hard, Good, Hard, Easy within one minute end at S 0.49, which asks for a day."""
    memory = None
    for rating in (1, 2, 3, 2, 4):
        memory = step(memory, 12 / 86_400, Evidence(rating), DEFAULTS)
    assert memory is not None
    assert memory.stability == pytest.approx(0.49, abs=0.005)
    assert interval_days(memory.stability, 0.9, DEFAULTS) < 1


def test_a_lucky_first_answer_by_hand() -> None:
    """With q = 0.8, S is the geometric and D the linear mixture of Good and Again."""
    good, again = (step(None, 0.0, Evidence(rating), DEFAULTS) for rating in (3, 1))
    mixed = step(None, 0.0, Evidence(3, q=0.8), DEFAULTS)
    assert mixed.stability == pytest.approx(2.3065**0.8 * 0.212**0.2)
    assert mixed.difficulty == pytest.approx(0.8 * good.difficulty + 0.2 * again.difficulty)


@given(memories, gaps, ratings, st.floats(0, 1), st.floats(0, 1), parameter_sets())
def test_doubt_never_adds_stability(
    memory: Memory, elapsed: float, rating: int, one: float, other: float, parameters: Parameters
) -> None:
    """The likelier an answer was knowledge, the more stays; at q = 0 it is Again."""
    doubtful, surer = (step(memory, elapsed, Evidence(rating, q), parameters) for q in sorted((one, other)))
    assert doubtful.stability <= surer.stability * (1 + 1e-12)
    none, again = (step(memory, elapsed, evidence, parameters) for evidence in (Evidence(rating, 0.0), Evidence(1)))
    assert none.stability == pytest.approx(again.stability)
    assert none.difficulty == pytest.approx(again.difficulty)
