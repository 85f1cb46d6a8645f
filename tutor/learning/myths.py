"""How likely a learner still holds a myth, and when it is gone: Bayes' rule over answers and bets that put it to the test.

What each observation says, as the probability of it with the myth held and without (judged, not fitted; stated here so that they can
be argued with):

    picked the option that the myth makes attractive   0.7 : 0.1
    picked another wrong option                        0.2 : 0.3
    right, with the myth's option in view              0.1 : 0.6     said to be sure: 0.03 : 0.6
    a bet on the demonstration that held               0.3 : 0.7
    a bet on it that did not                           0.7 : 0.3

A guess, declared, says nothing, nor does "I don't know". After a pick the correction is read: it ends the myth with probability
`CORRECTED`, the learning step of knowledge tracing (Corbett and Anderson, UMUAI 4, 1995).

Gone is more than unlikely: two sure rejections at least a week apart, and no pick since the first of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tutor.learning.studyday import days_between

PRIOR = 0.3
"""Probability that a learner holds a myth before anything put it to the test."""
CORRECTED = 0.3
APART_DAYS = 7
_SAYS = {
    "picked": (0.7, 0.1),
    "other": (0.2, 0.3),
    "rejected": (0.1, 0.6),
    "surely rejected": (0.03, 0.6),
    "bet held": (0.3, 0.7),
    "bet failed": (0.7, 0.3),
}


@dataclass(frozen=True, slots=True)
class Trial:
    """One time that a myth was put to the test."""

    day: str
    """Study day, ISO."""
    outcome: str
    """picked | other | rejected | surely rejected | bet held | bet failed"""


@dataclass(frozen=True, slots=True)
class Belief:
    """Where a learner stands with one myth."""

    probability: float
    """That the myth is held."""
    gone: bool


def answer_outcome(correct: bool, picked: bool, sureness: str | None, given: bool = True) -> str | None:
    """Return what an answer with the myth's option in view says of it, or None: a declared guess, or nothing `given`."""
    if sureness == "guess" or not given:
        return None
    if picked:
        return "picked"
    if not correct:
        return "other"
    return "surely rejected" if sureness == "sure" else "rejected"


def belief(trials: Sequence[Trial]) -> Belief:
    """Return the belief after `trials`, given in the order of time."""
    held = PRIOR
    first_sure: str | None = None
    gone = False
    for trial in trials:
        with_myth, without = (held * _SAYS[trial.outcome][0], (1 - held) * _SAYS[trial.outcome][1])
        held = with_myth / (with_myth + without)
        if trial.outcome == "picked":
            held *= 1 - CORRECTED
            first_sure, gone = None, False
        elif trial.outcome == "surely rejected":
            first_sure = first_sure or trial.day
            gone = gone or days_between(first_sure, trial.day) >= APART_DAYS
    return Belief(held, gone)
