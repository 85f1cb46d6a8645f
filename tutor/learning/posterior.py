"""What the answers leave open about a learner's memory: sets of weights that may be his, and each card's memory under each of them.

The weights are normal around the most likely ones (Laplace's approximation), with the answers' information (Fisher matrix) beside the
published spread between learners. The stabilities of a first answer are scales, so their logarithms are normal. How often a learner
answers wrongly what he knows cannot be told from his log, but moves what follows from it (docs/evidence.md), so each set has a slip rate of
its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tutor.learning.fit import PRIOR_SD, estimate
from tutor.learning.parameters import DEFAULT, LOWER, UPPER, Parameters
from tutor.learning.replay import replay
from tutor.learning.reviewlog import FloatArray, ReviewLog
from tutor.learning.tangents import differentiate

SLIPS = (2.0, 98.0)
"""The slip rate's beta distribution: 2 % on average, 0.2 to 6 % in 95 of 100 learners."""
_SLIP_AHEAD = 0.04
STRENGTH = 1.0
_SCALES = 4
"""Weights that are stabilities in days."""


def drawn_sets(log: ReviewLog, threshold_days: float, count: int, rng: np.random.Generator) -> tuple[Parameters, ...]:
    """Return `count` sets of weights, an even number, that may be the learner's; an empty log leaves the published spread.

    They come in mirrored pairs around the most likely set, so that their mean is not left to chance.
    """
    slip = np.repeat(rng.beta(*SLIPS, count // 2), 2)[:, None]
    # The most likely weights move about evenly with the slip rate, so two fits give those of every rate.
    without, ahead = (
        np.asarray(estimate(log, threshold_days, strength=STRENGTH, slip=rate)) if len(log) else np.asarray(DEFAULT)
        for rate in (0.0, _SLIP_AHEAD)
    )
    middle = np.clip(without + slip / _SLIP_AHEAD * (ahead - without), LOWER, UPPER)
    root = np.linalg.cholesky(np.linalg.inv(_precision(log, (without + ahead) / 2, threshold_days)))
    half = rng.normal(size=(count // 2, len(DEFAULT))) @ root.T
    away = np.stack([half, -half], axis=1).reshape(count, -1)
    middle[:, :_SCALES] *= np.exp(away[:, :_SCALES])
    middle[:, _SCALES:] += away[:, _SCALES:]
    middle[:, :_SCALES].sort(axis=1)
    rows = np.clip(middle, LOWER, UPPER).tolist()
    return tuple(Parameters(f"drawn {number}", tuple(row), threshold_days) for number, row in enumerate(rows))


def _precision(log: ReviewLog, w: FloatArray, threshold_days: float) -> FloatArray:
    """Return the inverse covariance, (21, 21), of the weights with their scales as logarithms."""
    spread = np.asarray(PRIOR_SD)
    prior = STRENGTH / spread**2
    prior[:_SCALES] = 1 / np.log1p((spread / np.asarray(DEFAULT))[:_SCALES] ** 2 / STRENGTH)
    by_log = np.concatenate((w[:_SCALES], np.ones(len(w) - _SCALES)))
    fisher = differentiate(log, w, threshold_days, _SLIP_AHEAD / 2).fisher if len(log) else np.zeros((len(w), len(w)))
    return np.asarray(fisher * by_log[:, None] * by_log + np.diag(prior))


def memories(log: ReviewLog, sets: Sequence[Parameters], present: Parameters) -> tuple[FloatArray, FloatArray]:
    """Return what each set makes of each of c cards, beside the present one: S over the present S, and D less it, each (sets, c)."""
    last, base = log.last, replay(log, present)
    s, d = np.empty((len(sets), len(last))), np.empty((len(sets), len(last)))
    for number, one in enumerate(sets):
        mine = replay(log, one)
        s[number] = mine.stability[last] / base.stability[last]
        d[number] = mine.difficulty[last] - base.difficulty[last]
    return s, d
