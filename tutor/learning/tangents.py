"""Log loss of a parameter set on a log with its gradient and Fisher matrix, by forward differentiation through the replay.

Beside S and D each card carries the derivatives of ln S and D by the 21 weights (its tangents), so one pass over the log gives
all three. Every bound that acts sets the tangent to zero.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tutor.learning.memory import MIN_STABILITY, Rating
from tutor.learning.reviewlog import BoolArray, FloatArray, IntArray, ReviewLog

WEIGHTS = 21
CLIP = 1e-6
"""Probabilities are kept this far from 0 and 1, so that one surprise cannot outweigh a log."""


@dataclass(frozen=True, slots=True)
class Derivatives:
    """Sums over the n scored reviews, nats."""

    scored: int
    loss: float
    gradient: FloatArray
    """(21,): derivative of the loss by each weight."""
    fisher: FloatArray
    """(21, 21): expected second derivative of the loss."""


@dataclass(frozen=True, slots=True)
class _State:
    """m cards: S, D (m,), and the derivatives of ln S and D by the weights (m, 21)."""

    s: FloatArray
    d: FloatArray
    ds: FloatArray
    dd: FloatArray

    def take(self, rows: IntArray | slice) -> _State:
        return _State(self.s[rows], self.d[rows], self.ds[rows], self.dd[rows])

    def put(self, rows: IntArray, other: _State) -> None:
        self.s[rows], self.d[rows], self.ds[rows], self.dd[rows] = other.s, other.d, other.ds, other.dd


def differentiate(log: ReviewLog, weights: FloatArray, threshold_days: float, slip: float = 0.0) -> Derivatives:
    """Return loss, gradient and Fisher matrix of `weights` (21,) on the scored reviews of a log.

    An answer is right with chance + (1 - chance - slip)·R, `slip` the probability to answer wrongly what is known; where a log has no
    chances and there are no slips that is R.
    """
    model, total = _Model(weights), _Sums(slip)
    state = None
    for k in range(len(log.offsets) - 1):
        low, high = int(log.offsets[k]), int(log.offsets[k + 1])
        going_on = int(log.offsets[k + 2]) - high if k + 2 < len(log.offsets) else 0
        rows, onward = slice(low, high), slice(low, low + going_on)
        later = np.empty(0, dtype=np.intp)
        recall, drecall = np.empty(0), np.empty((0, WEIGHTS))
        if state is not None:
            later = np.flatnonzero(log.elapsed[rows] >= threshold_days)
            recall, drecall = model.recall(state.s[later], state.ds[later], log.elapsed[rows][later])
            total.add(recall, drecall, log.right[rows][later], log.chance[rows][later])
            state = state.take(slice(0, going_on))
        if not going_on:
            break
        kept = int(np.searchsorted(later, going_on))
        step = _Step(later[:kept], recall[:kept], drecall[:kept])
        state = _answered(model, state, step, log.rating[onward], log.q[onward])
    return Derivatives(total.scored, total.loss, total.gradient, total.fisher)


class _Sums:
    """The sums as they grow."""

    def __init__(self, slip: float) -> None:
        self.slip, self.scored, self.loss = slip, 0, 0.0
        self.gradient, self.fisher = np.zeros(WEIGHTS), np.zeros((WEIGHTS, WEIGHTS))

    def add(self, recall: FloatArray, drecall: FloatArray, right: BoolArray, chance: FloatArray) -> None:
        """Add m scored reviews: R (m,) and its tangent (m, 21), whether right and the chance to be so by luck (m,)."""
        most = 1 - chance - self.slip
        raw = chance + most * recall
        p = np.clip(raw, CLIP, 1 - CLIP)
        self.scored += len(p)
        self.loss -= float(np.log(np.where(right, p, 1 - p)).sum())
        slope = np.where(raw == p, most, 0.0)
        information = slope / (p * (1 - p))
        self.gradient += ((p - right) * information) @ drecall
        self.fisher += (drecall * (information * slope)[:, None]).T @ drecall


@dataclass(frozen=True, slots=True)
class _Step:
    """Which of the cards answered are past the same-day threshold (j,), and their R (j,) with its tangent (j, 21)."""

    later: IntArray
    recall: FloatArray
    drecall: FloatArray

    def among(self, rows: IntArray) -> _Step:
        """Return the step of the cards `rows`, ascending, numbered from 0 among themselves."""
        place = np.searchsorted(rows, self.later)
        found = (place < len(rows)) & (rows[np.minimum(place, len(rows) - 1)] == self.later)
        return _Step(place[found], self.recall[found], self.drecall[found])


def _answered(model: _Model, state: _State | None, step: _Step, rating: IntArray, q: FloatArray) -> _State:
    """Return the state after an answer of each card; with q below 1 the mixture with Again of `memory.step`."""
    after = model.advance(state, step, rating)
    doubtful = np.flatnonzero((q < 1) & (rating != Rating.AGAIN))
    if doubtful.size:
        again = np.full(doubtful.size, int(Rating.AGAIN))
        lucky = model.advance(None if state is None else state.take(doubtful), step.among(doubtful), again)
        known, share = after.take(doubtful), q[doubtful]
        column = share[:, None]
        after.put(
            doubtful,
            _State(
                known.s**share * lucky.s ** (1 - share),
                share * known.d + (1 - share) * lucky.d,
                column * known.ds + (1 - column) * lucky.ds,
                column * known.dd + (1 - column) * lucky.dd,
            ),
        )
    return after


class _Model:
    """The memory step and its derivatives at one set of weights."""

    def __init__(self, weights: FloatArray) -> None:
        w = self.w = weights
        self.factor = 0.9 ** (-1 / w[20]) - 1
        self.dfactor = (self.factor + 1) * np.log(0.9) / w[20] ** 2
        """Derivative of the factor by w20."""
        rating = np.arange(5)  # index 0 is unused
        self.first_d = w[4] - np.exp(w[5] * (rating - 1)) + 1
        self.dfirst_d = np.zeros((5, WEIGHTS))
        self.dfirst_d[:, 4] = 1
        self.dfirst_d[:, 5] = -(rating - 1) * np.exp(w[5] * (rating - 1))

    def recall(self, s: FloatArray, ds: FloatArray, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return R (m,) and its tangent (m, 21) after t days (m,)."""
        w20 = self.w[20]
        share = t / s
        u = 1 + self.factor * share
        recall = u**-w20
        drecall = (w20 * self.factor * share * recall / u)[:, None] * ds
        drecall[:, 20] -= recall * (np.log(u) + w20 * share * self.dfactor / u)
        return recall, drecall

    def advance(self, state: _State | None, step: _Step, rating: IntArray) -> _State:
        """Return the state after one answer of each of m cards, all known for what they were."""
        if state is None:
            return self._first(rating)
        s, ds = np.empty_like(state.s), np.empty_like(state.ds)
        later = step.later
        wrong = rating[later] == Rating.AGAIN
        for chosen, act in ((~wrong, self._passed), (wrong, self._lapsed)):
            rows = later[chosen]
            if rows.size:
                s[rows], ds[rows] = act(state.take(rows), rating[rows], step.recall[chosen], step.drecall[chosen])
        soon = np.ones(len(rating), dtype=np.bool_)
        soon[later] = False
        if soon.any():
            s[soon], ds[soon] = self._same_day(state.s[soon], state.ds[soon], rating[soon])
        return self._bounded(s, ds, *self._difficulty(state, rating))

    def _first(self, rating: IntArray) -> _State:
        s, ds = self.w[:4][rating - 1], np.zeros((len(rating), WEIGHTS))
        ds[np.arange(len(rating)), rating - 1] = 1 / s
        return self._bounded(s, ds, self.first_d[rating], self.dfirst_d[rating])

    def _bounded(self, s: FloatArray, ds: FloatArray, d: FloatArray, dd: FloatArray) -> _State:
        ds[s < MIN_STABILITY] = 0
        dd[(d < 1) | (d > 10)] = 0
        return _State(np.maximum(s, MIN_STABILITY), np.clip(d, 1.0, 10.0), ds, dd)

    def _passed(
        self, state: _State, rating: IntArray, recall: FloatArray, drecall: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        w, s, d = self.w, state.s, state.d
        hard, easy = rating == Rating.HARD, rating == Rating.EASY
        bonus = np.where(hard, w[15], 1.0) * np.where(easy, w[16], 1.0)
        x = w[10] * (1 - recall)
        plain = (11 - d) * np.exp(w[8]) * s ** -w[9]
        rise = np.expm1(x)
        gain = plain * rise * bonus
        # Derivatives of the gain, not of its logarithm: w15 may be 0, and with R near 1 the gain is too.
        slope = plain * bonus * np.exp(x)
        dgain = (
            -(gain / (11 - d))[:, None] * state.dd
            - (w[9] * gain)[:, None] * state.ds
            - (w[10] * slope)[:, None] * drecall
        )
        dgain[:, 8] += gain
        dgain[:, 9] -= gain * np.log(s)
        dgain[:, 10] += slope * (1 - recall)
        dgain[:, 15] += np.where(hard, plain * rise, 0.0)
        dgain[:, 16] += np.where(easy, plain * rise, 0.0)
        return s * (1 + gain), state.ds + dgain / (1 + gain)[:, None]

    def _lapsed(
        self, state: _State, rating: IntArray, recall: FloatArray, drecall: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        w, s, d = self.w, state.s, state.d
        power = (s + 1) ** w[13]
        after = w[11] * d ** -w[12] * (power - 1) * np.exp(w[14] * (1 - recall))
        q = power / (power - 1)
        tangent = -(w[12] / d)[:, None] * state.dd + (w[13] * q * s / (s + 1))[:, None] * state.ds - w[14] * drecall
        tangent[:, 11] += 1 / w[11]
        tangent[:, 12] -= np.log(d)
        tangent[:, 13] += q * np.log(s + 1)
        tangent[:, 14] += 1 - recall
        cap = s * np.exp(-w[17] * w[18])
        capped = cap < after
        if capped.any():
            after = np.where(capped, cap, after)
            tangent[capped] = state.ds[capped]
            tangent[capped, 17] -= w[18]
            tangent[capped, 18] -= w[17]
        return after, tangent

    def _same_day(self, s: FloatArray, ds: FloatArray, rating: IntArray) -> tuple[FloatArray, FloatArray]:
        w = self.w
        change = rating - 3 + w[18]
        growth = np.exp(w[17] * change) * s ** -w[19]
        held = (rating >= Rating.HARD) & (growth < 1)
        tangent = (1 - w[19]) * ds
        tangent[:, 17] += change
        tangent[:, 18] += w[17]
        tangent[:, 19] -= np.log(s)
        tangent[held] = ds[held]
        return s * np.where(held, 1.0, growth), tangent

    def _difficulty(self, state: _State, rating: IntArray) -> tuple[FloatArray, FloatArray]:
        w, d = self.w, state.d
        change = -w[6] * (rating - 3) / 9
        damped = d + (10 - d) * change
        tangent = ((1 - w[7]) * (1 - change))[:, None] * state.dd + w[7] * self.dfirst_d[Rating.EASY]
        tangent[:, 6] -= (1 - w[7]) * (10 - d) * (rating - 3) / 9
        tangent[:, 7] += self.first_d[Rating.EASY] - damped
        return w[7] * self.first_d[Rating.EASY] + (1 - w[7]) * damped, tangent
