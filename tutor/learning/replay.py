"""The memory step of `memory.py` for many cards at once: the same formulas on numpy columns, one step of all cards at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tutor.learning.memory import MIN_STABILITY, Rating
from tutor.learning.parameters import Parameters
from tutor.learning.reviewlog import FloatArray, IntArray, ReviewLog


@dataclass(frozen=True, slots=True)
class Replayed:
    """What the model held at each review of a log. All columns have shape (n,), in the log's order of rows."""

    recall: FloatArray
    """R before the review; NaN for a card's first review and for one on the same day, for which the model predicts nothing."""
    stability: FloatArray
    """S after the review, days."""
    difficulty: FloatArray
    """D after the review, 1 to 10."""


class _Tables:
    """What depends on the weights alone."""

    def __init__(self, parameters: Parameters) -> None:
        w = np.asarray(parameters.weights, dtype=np.float64)
        rating = np.arange(5)  # index 0 is unused
        self.w = w
        self.threshold = parameters.threshold_days
        self.decay = w[20]
        self.factor = 0.9 ** (-1 / w[20]) - 1
        self.first_s = np.concatenate(([np.nan], np.maximum(w[:4], MIN_STABILITY)))
        first_d = w[4] - np.exp(w[5] * (rating - 1)) + 1
        self.first_d = np.clip(first_d, 1.0, 10.0)
        self.change = -w[6] * (rating - 3) / 9
        self.reversion = w[7] * first_d[Rating.EASY]
        self.bonus = np.exp(w[8]) * np.array([np.nan, 1.0, w[15], 1.0, w[16]])
        self.same_day = w[17] * (rating - 3 + w[18])
        self.cap = np.exp(-w[17] * w[18])


def replay(log: ReviewLog, parameters: Parameters) -> Replayed:
    """Replay a log. With whole days it equals py-fsrs's `Scheduler` without fuzz; with real ones `memory.step`."""
    tables = _Tables(parameters)
    recall, stability, difficulty = np.full(len(log), np.nan), np.empty(len(log)), np.empty(len(log))
    doubtful = (log.q < 1) & log.right
    mixed = bool(doubtful.any())
    for k in range(len(log.offsets) - 1):
        low, high = int(log.offsets[k]), int(log.offsets[k + 1])
        rows, before = slice(low, high), None
        if k:
            previous = int(log.offsets[k - 1])
            before = slice(previous, previous + high - low)
        old = None if before is None else (stability[before], difficulty[before])
        s, d = _step(tables, old, log.elapsed[rows], log.rating[rows], recall[rows])
        if mixed and (some := np.flatnonzero(doubtful[rows])).size:
            part = None if old is None else (old[0][some], old[1][some])
            again = np.full(some.size, int(Rating.AGAIN))
            lucky_s, lucky_d = _step(tables, part, log.elapsed[rows][some], again, np.empty(some.size))
            q = log.q[rows][some]
            s[some] = np.exp(q * np.log(s[some]) + (1 - q) * np.log(lucky_s))
            d[some] = q * d[some] + (1 - q) * lucky_d
        stability[rows], difficulty[rows] = s, d
    return Replayed(recall, stability, difficulty)


def _step(
    tables: _Tables, old: tuple[FloatArray, FloatArray] | None, t: FloatArray, rating: IntArray, recall: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return S and D after one review of m cards; writes R into `recall` where the review is not on the same day. All (m,)."""
    if old is None:
        return tables.first_s[rating], tables.first_d[rating]
    s, d = old
    w, after = tables.w, np.empty_like(s)
    later, wrong = t >= tables.threshold, rating == Rating.AGAIN
    passed, lapsed, soon = np.flatnonzero(later & ~wrong), np.flatnonzero(later & wrong), np.flatnonzero(~later)
    if passed.size:
        was = s[passed]
        r = _curve(tables, t[passed], was)
        recall[passed] = r
        gain = tables.bonus[rating[passed]] * (11 - d[passed]) * was ** -w[9] * (np.exp(w[10] * (1 - r)) - 1)
        after[passed] = was * (1 + gain)
    if lapsed.size:
        was = s[lapsed]
        r = _curve(tables, t[lapsed], was)
        recall[lapsed] = r
        forgotten = w[11] * d[lapsed] ** -w[12] * ((was + 1) ** w[13] - 1) * np.exp(w[14] * (1 - r))
        after[lapsed] = np.minimum(forgotten, was * tables.cap)
    if soon.size:
        was, how = s[soon], rating[soon]
        growth = np.exp(tables.same_day[how]) * was ** -w[19]
        after[soon] = was * np.where(how >= Rating.HARD, np.maximum(growth, 1.0), growth)
    damped = tables.reversion + (1 - w[7]) * (d + (10 - d) * tables.change[rating])
    return np.maximum(after, MIN_STABILITY), np.clip(damped, 1.0, 10.0)


def _curve(tables: _Tables, t: FloatArray, s: FloatArray) -> FloatArray:
    return np.asarray((1 + tables.factor * t / s) ** -tables.decay)
