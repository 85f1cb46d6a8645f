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


class Tables:
    """What depends on the weights alone, so that many steps compute it once."""

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
        self.bonus = np.array([np.nan, 1.0, w[15], 1.0, w[16]])
        self.same_day = w[17] * (rating - 3 + w[18])
        self.cap = np.exp(-w[17] * w[18])


def replay(log: ReviewLog, parameters: Parameters) -> Replayed:
    """Replay a log. With whole days it equals py-fsrs's `Scheduler` without fuzz; with real ones `memory.step`."""
    tables = Tables(parameters)
    recall, stability, difficulty = np.full(len(log), np.nan), np.empty(len(log)), np.empty(len(log))
    mixed = bool(((log.q < 1) & log.right).any())
    for k in range(len(log.offsets) - 1):
        low, high = int(log.offsets[k]), int(log.offsets[k + 1])
        rows, before = slice(low, high), None
        if k:
            previous = int(log.offsets[k - 1])
            before = slice(previous, previous + high - low)
        old = None if before is None else (stability[before], difficulty[before])
        q = log.q[rows] if mixed else None
        s, d = step_cards(tables, old, log.elapsed[rows], log.rating[rows], q, recall[rows])
        stability[rows], difficulty[rows] = s, d
    return Replayed(recall, stability, difficulty)


def step_cards(
    tables: Tables,
    old: tuple[FloatArray, FloatArray] | None,
    t: FloatArray,
    rating: IntArray,
    q: FloatArray | None = None,
    recall: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Return S and D of m cards, each (m,), after one answer of each: `memory.step` on columns.

    `old` holds S and D before, None for cards never answered; t is elapsed days. Where `recall` is given, R before the answer is
    written into it, except for answers on the same day.
    """
    s, d = _step(tables, old, t, rating, np.empty(len(t)) if recall is None else recall)
    doubtful = np.flatnonzero((q < 1) & (rating != Rating.AGAIN)) if q is not None else np.zeros(0, dtype=np.intp)
    if q is not None and doubtful.size:
        part = None if old is None else (old[0][doubtful], old[1][doubtful])
        again = np.full(doubtful.size, int(Rating.AGAIN))
        lucky_s, lucky_d = _step(tables, part, t[doubtful], again, np.empty(doubtful.size))
        share = q[doubtful]
        s[doubtful] = np.exp(share * np.log(s[doubtful]) + (1 - share) * np.log(lucky_s))
        d[doubtful] = share * d[doubtful] + (1 - share) * lucky_d
    return s, d


def _step(
    tables: Tables, old: tuple[FloatArray, FloatArray] | None, t: FloatArray, rating: IntArray, recall: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return S and D after one review of m cards; writes R into `recall` where the review is not on the same day. All (m,)."""
    if old is None:
        return tables.first_s[rating], tables.first_d[rating]
    s, d = old
    w, after = tables.w, np.empty_like(s)
    later, wrong = t >= tables.threshold, rating == Rating.AGAIN
    passed, lapsed, soon = np.flatnonzero(later & ~wrong), np.flatnonzero(later & wrong), np.flatnonzero(~later)
    # Powers are taken as exponentials of logarithms that several of them share; they are most of the work.
    if passed.size:
        was = s[passed]
        ln = np.log(was)
        r = recall_after(tables, t[passed], was, ln)
        recall[passed] = r
        after[passed] = was * (1 + gain(tables, d[passed], r, ln, tables.bonus[rating[passed]]))
    if lapsed.size:
        was = s[lapsed]
        r = recall_after(tables, t[lapsed], was, np.log(was))
        recall[lapsed] = r
        after[lapsed] = lapse(tables, was, d[lapsed], r)
    if soon.size:
        was, how = s[soon], rating[soon]
        growth = np.exp(tables.same_day[how] - w[19] * np.log(was))
        after[soon] = was * np.where(how >= Rating.HARD, np.maximum(growth, 1.0), growth)
    damped = tables.reversion + (1 - w[7]) * (d + (10 - d) * tables.change[rating])
    return np.maximum(after, MIN_STABILITY), np.clip(damped, 1.0, 10.0)


def gain(tables: Tables, d: FloatArray, r: FloatArray, ln_s: FloatArray, bonus: FloatArray | float) -> FloatArray:
    """Return by what share S grows at a success past the same-day threshold, from D, R and ln S before it, all (m,)."""
    w = tables.w
    return np.asarray(bonus * (11 - d) * np.exp(w[8] - w[9] * ln_s) * (np.exp(w[10] * (1 - r)) - 1))


def lapse(tables: Tables, s: FloatArray, d: FloatArray, r: FloatArray) -> FloatArray:
    """Return S after a miss past the same-day threshold, from S, D and R before it, all (m,)."""
    w = tables.w
    forgotten = w[11] * ((s + 1) ** w[13] - 1) * np.exp(w[14] * (1 - r) - w[12] * np.log(d))
    return np.asarray(np.minimum(forgotten, s * tables.cap))


def recall_after(tables: Tables, t: FloatArray, s: FloatArray, ln_s: FloatArray) -> FloatArray:
    """Return R after t days from S and its logarithm, all (m,)."""
    return np.asarray(np.exp(tables.decay * (ln_s - np.log(s + tables.factor * t))))
