"""How likely a myth is still held, and when it is gone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.learning.making import TODAY
from tutor.learning.myths import APART_DAYS, CORRECTED, PRIOR, Trial, answer_outcome, belief
from tutor.learning.studyday import add_days

OUTCOMES = ("picked", "other", "rejected", "surely rejected", "bet held", "bet failed")
histories = st.lists(st.tuples(st.integers(0, 20), st.sampled_from(OUTCOMES)), max_size=12)


def trials(*told: tuple[int, str]) -> list[Trial]:
    """Return tests on days counted from today."""
    return [Trial(add_days(TODAY, day), outcome) for day, outcome in told]


def after(drawn: list[tuple[int, str]]) -> list[Trial]:
    """Return drawn tests in the order of their days."""
    return trials(*sorted(drawn, key=lambda one: one[0]))


def test_one_pick_by_hand() -> None:
    """0.3·0.7 against 0.7·0.1 is 0.75, of which the correction leaves 0.525; nothing known is the prior."""
    assert belief([]).probability == PRIOR
    assert belief(trials((0, "picked"))).probability == pytest.approx(0.75 * (1 - CORRECTED))


@given(histories)
def test_what_speaks_for_and_against(drawn: list[tuple[int, str]]) -> None:
    """Always a probability; a rejection lowers it, a sure one more; a bet that held lowers it, one that did not raises it."""
    told = after(drawn)
    last = told[-1].day if told else TODAY
    before = belief(told).probability
    then = {outcome: belief([*told, Trial(last, outcome)]).probability for outcome in OUTCOMES}
    assert 0 < before < 1
    assert then["surely rejected"] < then["rejected"] < before
    assert then["bet held"] < before < then["bet failed"]
    assert then["other"] < before


@given(histories)
def test_gone_takes_two_sure_rejections_a_week_apart_and_no_pick_since(drawn: list[tuple[int, str]]) -> None:
    """The rule read backwards from the last pick."""
    told = after(drawn)
    since = next((n + 1 for n in range(len(told) - 1, -1, -1) if told[n].outcome == "picked"), 0)
    sure = [test.day for test in told[since:] if test.outcome == "surely rejected"]
    assert belief(told).gone == bool(sure and sure[-1] >= add_days(sure[0], APART_DAYS))


def test_a_pick_brings_it_back() -> None:
    """What was gone and is picked again is not gone, and needs two new rejections."""
    gone = trials((0, "surely rejected"), (8, "surely rejected"))
    assert belief(gone).gone
    assert not belief([*gone, *trials((9, "picked"), (20, "surely rejected"))]).gone


def test_what_an_answer_says() -> None:
    """A guess and a blank say nothing; sureness tells the rejections apart."""
    assert answer_outcome(True, False, "sure") == "surely rejected"
    assert answer_outcome(True, False, "think") == answer_outcome(True, False, None) == "rejected"
    assert answer_outcome(False, True, None) == "picked"
    assert answer_outcome(False, False, None) == "other"
    assert answer_outcome(True, False, "guess") is answer_outcome(False, False, None, given=False) is None
