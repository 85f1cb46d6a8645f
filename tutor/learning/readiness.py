"""How much of what may be asked would be remembered on a day, how sure that is, and whether first sights bear it out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

TAIL = 0.025
FIRST_KNOWN, FIRST_WEIGHT = 0.55, 10
"""Share of new items taken to be known before there are answers, and how many answers it weighs."""


@dataclass(frozen=True, slots=True)
class Readiness:
    """The share of some items expected to be remembered; one never met counts as forgotten."""

    value: float
    low: float
    """Bounds of the share with 95 % probability, were each recall as forecast and independent of the others."""
    high: float
    items: int


def readiness(recalls: Sequence[float]) -> Readiness:
    """Return the readiness of items from the probability, 0 to 1, that each is remembered; there must be one at least.

    How many of them are remembered is a sum of unlike coin tosses (Poisson binomial); its quantiles are exact. That the memory
    model may itself be wrong is not in them.
    """
    chances = [1.0]
    """Probability of each count so far."""
    for recall in recalls:
        missed = [chance * (1 - recall) for chance in chances]
        hit = [chance * recall for chance in chances]
        chances = [a + b for a, b in zip([*missed, 0.0], [0.0, *hit], strict=True)]
    count = len(recalls)
    return Readiness(
        sum(recalls) / count, _quantile(chances, TAIL) / count, _quantile(chances, 1 - TAIL) / count, count
    )


def right_at_sight(recall: float, chance: float) -> float:
    """Return the probability of a right answer: known, or else guessed with probability `chance`."""
    return recall + (1 - recall) * chance


def known_at_sight(seen: int, right: int, chance: float) -> float:
    """Return the share of new items known at first sight: right answers less luck, drawn toward `FIRST_KNOWN` while there are few."""
    before = right_at_sight(FIRST_KNOWN, chance)
    share = (right + before * FIRST_WEIGHT) / (seen + FIRST_WEIGHT)
    return min(1.0, max(0.0, (share - chance) / (1 - chance)))


def brier(forecasts: Iterable[tuple[float, bool]]) -> float:
    """Return the mean squared error of (probability of a right answer, right): 0 is perfect, 0.25 what 50 % always scores.

    Brier, Monthly Weather Review 78, 1950, for two outcomes, of which one is counted.
    """
    errors = [(forecast - right) ** 2 for forecast, right in forecasts]
    return sum(errors) / len(errors)


def _quantile(chances: Sequence[float], share: float) -> int:
    total = 0.0
    for count, chance in enumerate(chances):
        total += chance
        if total >= share:
            return count
    return len(chances) - 1
