"""From a graded answer to evidence for the memory model. Wrong is always Again: no path leads from wrong to a pass."""

from __future__ import annotations

from dataclasses import dataclass

from tutor.learning.cards import Card
from tutor.learning.grading import Given, Grade
from tutor.learning.memory import Evidence, Rating

QUICK = 0.6
"""Share of the learner's own median time below which a right answer counts as quick."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """Evidence, and whether it came from a declared guess (asked again tomorrow, never counted as known)."""

    evidence: Evidence
    guess: bool = False


def weigh(
    grade: Grade, given: Given, sureness: str | None, ms: int, median_ms: float | None, card: Card | None
) -> Weighed:
    """Weigh an answer: wrong or not known Again; right Good; a right guess Hard at most.

    Easy needs all of: sure, quick against the learner's own median of right answers, and no miss among the last three.
    """
    if given.nothing or not grade.correct:
        return Weighed(Evidence(Rating.AGAIN))
    if sureness == "guess":
        return Weighed(Evidence(Rating.HARD), guess=True)
    quick = median_ms is not None and ms < QUICK * median_ms
    missed = card is not None and "-" in card.recent
    if sureness == "sure" and quick and not missed:
        return Weighed(Evidence(Rating.EASY))
    return Weighed(Evidence(Rating.GOOD))
