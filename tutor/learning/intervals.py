"""Intervals by bootstrap over cards: reviews of one card depend on each other, so whole cards are drawn, not reviews."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tutor.learning.reviewlog import FloatArray, IntArray

RESAMPLES = 400
_SEED = 6


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:+.4f} [{self.low:+.4f}, {self.high:+.4f}]"


def card_weights(card: IntArray, resamples: int = RESAMPLES) -> tuple[FloatArray, IntArray]:
    """Return how often each of c cards is drawn in each resample, (resamples, c), and the card of each review, (n,) below c.

    Cards are drawn with replacement, always from the same seed: equal logs give equal intervals.
    """
    cards, member = np.unique(card, return_inverse=True)
    count = len(cards)
    if not count:
        return np.zeros((resamples, 0)), np.zeros(0, dtype=np.intp)
    drawn = np.random.default_rng(_SEED).integers(0, count, (resamples, count))
    flat = np.bincount((drawn + count * np.arange(resamples)[:, None]).ravel(), minlength=resamples * count)
    return flat.reshape(resamples, count).astype(np.float64), member


def bootstrap_mean(values: FloatArray, card: IntArray, resamples: int = RESAMPLES) -> Interval:
    """Return the mean of values (n,) with its 95 % interval (percentiles) over the cards (n,) they belong to."""
    weights, member = card_weights(card, resamples)
    count = weights.shape[1]
    if not count:
        return Interval(float("nan"), float("nan"), float("nan"))
    sums, sizes = np.bincount(member, values, count), np.bincount(member, minlength=count)
    means = (weights @ sums) / (weights @ sizes)
    low, high = np.percentile(means, (2.5, 97.5))
    return Interval(float(values.mean()), float(low), float(high))
