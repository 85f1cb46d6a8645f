"""When a card comes back: the interval its memory asks for, moved inside a small window to the lightest day.

The choice is made once, shown, and stored with the answer. The same card and repetition always choose alike, so a preview
equals what is stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from tutor.frozen import dataclass
from tutor.learning.cards import Card, elapsed_days
from tutor.learning.evidence import Weighed
from tutor.learning.memory import Evidence, Rating, interval_days, step
from tutor.learning.parameters import Parameters
from tutor.learning.studyday import add_days

MAXIMUM_DAYS = 3650
_FUZZ = ((2.5, 7.0, 0.15), (7.0, 20.0, 0.1), (20.0, float("inf"), 0.05))
"""(from days, to days, share of that stretch by which a due day may move)."""


@dataclass(frozen=True, slots=True)
class Planned:
    """The study day a card is next due, and the days until then."""

    due: str
    interval: int


def plan(
    card: Card | None,
    item: str,
    weighed: Weighed,
    utc_us: int,
    day: str,
    retention: float,
    parameters: Parameters,
    load: Mapping[str, int],
) -> Planned:
    """Return when the card is due after an answer. A declared guess has no promise not to come back sooner than last time."""
    evidence = weighed.evidence
    if weighed.guess:
        days = _wished(card, evidence, utc_us, retention, parameters)
        return _planned(day, _lightest(item, card, day, *_window(days), load))
    return preview(card, item, utc_us, day, retention, parameters, load, evidence.q)[evidence.rating]


def preview(
    card: Card | None,
    item: str,
    utc_us: int,
    day: str,
    retention: float,
    parameters: Parameters,
    load: Mapping[str, int],
    q: float = 1.0,
) -> dict[int, Planned]:
    """Return when the card would be due for each rating: never sooner for a better one, tomorrow for Again.

    `q` is the probability that a right answer would be knowledge (see `memory.Evidence`).
    """
    planned = {int(Rating.AGAIN): Planned(add_days(day, 1), 1)}
    least = 1
    for rating in (Rating.HARD, Rating.GOOD, Rating.EASY):
        if (
            card is not None and card.due <= day and rating >= Rating.GOOD
        ):  # on time by the day shown, at any hour of it
            least = max(least, min(card.interval, MAXIMUM_DAYS))
        low, high = _window(_wished(card, Evidence(rating, q), utc_us, retention, parameters))
        low, high = max(low, least), max(high, least)
        least = _lightest(item, card, day, low, high, load)
        planned[int(rating)] = _planned(day, least)
    return planned


def _wished(card: Card | None, evidence: Evidence, utc_us: int, retention: float, parameters: Parameters) -> float:
    elapsed = elapsed_days(card, utc_us) if card else 0.0
    memory = step(card.memory if card else None, elapsed, evidence, parameters)
    return min(interval_days(memory.stability, retention, parameters), MAXIMUM_DAYS)


def _window(days: float) -> tuple[int, int]:
    """Return the days between which the due day may be chosen, both included."""
    exact = max(1, round(days))
    if days < 2.5:
        return exact, exact
    spread = 1.0 + sum(share * (min(days, high) - low) for low, high, share in _FUZZ if days > low)
    return max(2, round(days - spread)), min(MAXIMUM_DAYS, round(days + spread))


def _lightest(item: str, card: Card | None, day: str, low: int, high: int, load: Mapping[str, int]) -> int:
    """Return the interval whose day has the fewest cards due; a hash of item and repetition decides between equals."""
    reps = card.reps if card else 0

    def weight(interval: int) -> tuple[int, bytes]:
        toss = hashlib.sha256(f"{item}:{reps}:{interval}".encode()).digest()
        return load.get(add_days(day, interval), 0), toss

    return min(range(low, high + 1), key=weight)


def _planned(day: str, interval: int) -> Planned:
    return Planned(add_days(day, interval), interval)
