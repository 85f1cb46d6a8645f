"""Bets against what was measured: right or not, how far off, and in which direction.

A bet says something about a concept, never about a card: being off by a factor of three is no lapse.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log
from statistics import median
from typing import Any

from tutor.content.experiments import Bet
from tutor.frozen import dataclass


def bet_holds(bet: Bet, wager: Any, measured: Any) -> bool:
    """Return whether a wager agrees with the measured value: the same key, or a number within the bet's tolerance."""
    if bet.kind == "choice":
        return str(wager) == str(measured)
    return abs(float(wager) - float(measured)) <= bet.tolerance * abs(float(measured))


@dataclass(frozen=True, slots=True)
class SettledBet:
    """A bet that a run has settled."""

    day: str
    """Study day, ISO."""
    concepts: tuple[str, ...]
    right: bool
    factor: float | None
    """Wager over measured value; None for a choice, and where either is not positive."""


def settle(bet: Bet, wager: Any, measured: Any, day: str, concepts: tuple[str, ...]) -> SettledBet:
    """Return the bet with its verdict."""
    factor = None
    if bet.kind == "ratio" and float(wager) > 0 and float(measured) > 0:
        factor = float(wager) / float(measured)
    return SettledBet(day, concepts, bet_holds(bet, wager, measured), factor)


@dataclass(frozen=True, slots=True)
class BetScore:
    """How a learner's bets came out."""

    n: int
    right: int
    numbers: int
    """Bets on a number that have a factor."""
    off: float | None
    """Median factor away from what was measured, at least 1; None without numbers."""
    bias: float | None
    """Geometric median of wager over measured: above 1 is too high, below 1 too low; None without numbers."""


def score(bets: Iterable[SettledBet]) -> BetScore:
    """Return the score of some bets; medians of logarithms, so that twice too high and twice too low are equally far."""
    settled = list(bets)
    logs = [log(bet.factor) for bet in settled if bet.factor is not None]
    return BetScore(
        n=len(settled),
        right=sum(bet.right for bet in settled),
        numbers=len(logs),
        off=exp(median(map(abs, logs))) if logs else None,
        bias=exp(median(logs)) if logs else None,
    )
