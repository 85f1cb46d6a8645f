"""From a graded answer to evidence for the memory model. Wrong is always Again: no path leads from wrong to a pass."""

from __future__ import annotations

from tutor.frozen import dataclass
from tutor.learning.cards import Card
from tutor.learning.grading import Given, Grade
from tutor.learning.guessing import DECLARED, DECLARED_CHANCE, PRIOR, knowledge
from tutor.learning.memory import Evidence, Rating

QUICK = 0.6
"""Share of the learner's own median time below which a right answer counts as quick."""
SELF_GRADED = 0.9
"""q of an explanation that passed by the learner's own ticks: one pass in ten is taken for generosity. A judgement, not a
measurement; a declared doubt says more than it and is heard first."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """Evidence, and whether it came from a declared guess (never counted as known, and free to come back sooner than last time)."""

    evidence: Evidence
    guess: bool = False


def weigh(
    grade: Grade,
    given: Given,
    sureness: str | None,
    ms: int,
    median_ms: float | None,
    card: Card | None,
    recall: float | None = None,
    chance: float = 0.0,
) -> Weighed:
    """Weigh an answer: wrong or not known Again; right Good, with q the probability that it was knowledge and not luck.

    `recall` is R before the answer, None where the model says nothing; `chance` the probability to be right without knowledge. Easy
    needs all of: sure, quick against the learner's own median of right answers, and no miss among the last three. An explanation
    is never Easy: Good where every point was ticked, Hard where one was not.
    """
    if given.nothing or not grade.correct:
        return Weighed(Evidence(Rating.AGAIN))
    before = PRIOR if recall is None else recall
    rating = Rating.HARD if grade.short else Rating.GOOD
    if sureness == "guess":
        doubted = knowledge(before, max(chance, DECLARED_CHANCE), DECLARED)
        return Weighed(Evidence(rating, min(doubted, SELF_GRADED) if grade.short is not None else doubted), guess=True)
    if grade.short is not None:
        return Weighed(Evidence(rating, SELF_GRADED))
    quick = median_ms is not None and ms < QUICK * median_ms
    missed = card is not None and "-" in card.recent
    if sureness == "sure" and quick and not missed:
        rating = Rating.EASY
    return Weighed(Evidence(rating, knowledge(before, chance)))
