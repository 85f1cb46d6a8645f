"""Fitting the FSRS-6 weights to a learner's log: maximum a posteriori by bounded Levenberg-Marquardt on the Fisher matrix.

The prior is a normal distribution around the library's defaults, so a short log moves little and a long one is free to. A fit is
adopted only if, made on the first four fifths by time, it predicts the last fifth better than the parameters in use.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tutor.learning.intervals import Interval, bootstrap_mean
from tutor.learning.parameters import DEFAULT, LOWER, UPPER, Parameters
from tutor.learning.replay import replay
from tutor.learning.reviewlog import BoolArray, FloatArray, ReviewLog
from tutor.learning.tangents import CLIP, differentiate

# fmt: off
PRIOR_SD = (
    0.5, 1.5, 2.5, 7.0, 0.57, 0.28, 0.6, 0.12, 0.39, 0.18, 0.33,
    0.3, 0.09, 0.16, 0.57, 0.25, 1.03, 0.31, 0.32, 0.14, 0.27,
)
# fmt: on
"""Spread of each weight between learners. From w4 on as published with fsrs-rs; the first four are tighter than published, because a
short log says little of them. Those four and the strength were chosen on three learners' logs."""
PRIOR_STRENGTH = 2.0
LEAST_SCORED = 100
"""Below this many scored reviews a fit is no better than the defaults."""
LEAST_HELD_OUT = 6
_ITERATIONS = 30
_STEADY = 1e-6
"""An iteration that improves the objective by less ends the fit."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a fit stands between two iterations."""

    stage: str
    """`check`: on the first four fifths; `whole`: on all reviews."""
    iteration: int
    iterations: int
    """The most there can be."""
    log_loss: float


@dataclass(frozen=True, slots=True)
class Change:
    """One weight before and after."""

    weight: int
    """Index, 0 to 20."""
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Fit:
    """What a fit came to, adopted or not."""

    parameters: Parameters
    """The set to use from now on: the new one if adopted, else the one given."""
    adopted: bool
    reason: str
    """better | not better | no repeats | too few | one outcome | too few held out | cancelled"""
    reviews: int
    scored: int
    """Reviews that are evidence of memory: neither a card's first nor on the same day as the one before."""
    held_out: int = 0
    """Scored reviews of the last fifth by time."""
    before: float | None = None
    """Mean log loss on the last fifth with the set given, nats."""
    after: float | None = None
    """The same with weights fitted to the first four fifths."""
    difference: Interval | None = None
    """after - before, with 95 % by bootstrap over cards; below zero is an improvement."""
    changes: tuple[Change, ...] = ()
    """Weights of the new set beside those given; empty unless adopted."""


class Cancelled(Exception):
    """The learner stopped the fit."""


Watch = Callable[[Progress], None]
Stop = Callable[[], bool]


def fit(log: ReviewLog, present: Parameters, watch: Watch | None = None, cancelled: Stop | None = None) -> Fit:
    """Fit a log, and adopt the result only if it predicts the last fifth by time better than `present` does.

    `watch` is called after each iteration, `cancelled` asked before each; the same log always gives the same result.
    """
    scored = log.scored(present.threshold_days)
    refused = _refused(log, scored)
    if refused:
        return _kept(log, present, scored, refused)
    cut = float(np.quantile(log.at, 0.8))
    held = scored & (log.at >= cut)
    if int(held.sum()) < LEAST_HELD_OUT:
        return _kept(log, present, scored, "too few held out", int(held.sum()))
    try:
        trial = estimate(log.until(cut), present.threshold_days, "check", watch, cancelled)
        verdict = _compare(log, present, _named(trial, present), held)
        if not verdict.adopted:
            return verdict
        final = _named(estimate(log, present.threshold_days, "whole", watch, cancelled), present)
    except Cancelled:
        return _kept(log, present, scored, "cancelled", int(held.sum()))
    return _adopted(verdict, present, final)


def estimate(
    log: ReviewLog,
    threshold_days: float,
    stage: str = "whole",
    watch: Watch | None = None,
    cancelled: Stop | None = None,
    strength: float = PRIOR_STRENGTH,
    spread: tuple[float, ...] = PRIOR_SD,
    slip: float = 0.0,
) -> tuple[float, ...]:
    """Return the 21 weights of greatest posterior for a log, within their bounds; the defaults where nothing is scored.

    `strength` is how often the prior counts, `spread` its standard deviation per weight, `slip` the probability to answer wrongly what
    is known, which a fit for use leaves at 0: no log told it apart (docs/evidence.md). Levenberg, Quart. Appl. Math. 2 (1944);
    Marquardt, J. SIAM 11 (1963), with the Fisher matrix for the Hessian.
    """
    objective = _Objective(log, threshold_days, strength, spread, slip)
    w, damping = np.asarray(DEFAULT), 1e-3
    now = objective(w)
    for iteration in range(1, _ITERATIONS + 1):
        if cancelled is not None and cancelled():
            raise Cancelled
        if not now.scored:
            break
        trial = _stepped(w, now, damping)
        then = objective(trial)
        fall = now.value - then.value
        if fall > 0:
            w, now, damping = trial, then, max(damping / 5, 1e-7)
        else:
            damping = 8 * damping + 1e-2
        if watch is not None:
            watch(Progress(stage, iteration, _ITERATIONS, now.log_loss))
        if 0 <= fall < _STEADY or damping > 1e4:
            break
    return tuple(float(weight) for weight in w)


@dataclass(frozen=True, slots=True)
class _Value:
    scored: int
    log_loss: float
    value: float
    gradient: FloatArray
    hessian: FloatArray


class _Objective:
    """Mean log loss plus the prior's share, with gradient (21,) and approximate Hessian (21, 21)."""

    def __init__(
        self, log: ReviewLog, threshold_days: float, strength: float, spread: tuple[float, ...], slip: float
    ) -> None:
        self.log, self.threshold, self.slip = log, threshold_days, slip
        self.pull = strength / np.asarray(spread) ** 2

    def __call__(self, w: FloatArray) -> _Value:
        sums = differentiate(self.log, w, self.threshold, self.slip)
        n = max(sums.scored, 1)
        away = w - np.asarray(DEFAULT)
        return _Value(
            sums.scored,
            sums.loss / n,
            (sums.loss + float(self.pull @ away**2) / 2) / n,
            (sums.gradient + self.pull * away) / n,
            (sums.fisher + np.diag(self.pull)) / n,
        )


def _stepped(w: FloatArray, at: _Value, damping: float) -> FloatArray:
    """Return the weights after one damped step within the bounds.

    A weight that would cross its bound is put on it and the others are solved for again: clipping alone would leave them with a
    step meant for another place, which near a bound no longer leads down.
    """
    low, high = np.asarray(LOWER) - w, np.asarray(UPPER) - w
    free = ~(((low >= 0) & (at.gradient > 0)) | ((high <= 0) & (at.gradient < 0)))
    damped = at.hessian + damping * np.diag(np.diag(at.hessian) + 1e-8)
    step = np.zeros_like(w)
    while free.any():
        wanted = -(at.gradient + damped[:, ~free] @ step[~free])[free]
        step[free] = np.linalg.solve(damped[np.ix_(free, free)], wanted)
        crossing = free & ((step < low) | (step > high))
        if not crossing.any():
            break
        step = np.clip(step, low, high)
        free &= ~crossing
    return np.asarray(np.clip(w + step, LOWER, UPPER))


def losses(log: ReviewLog, parameters: Parameters, clip: float = CLIP) -> FloatArray:
    """Return the log loss of each review (n,), nats; NaN where the model predicts nothing."""
    recall = replay(log, parameters).recall
    p = np.clip(log.chance + (1 - log.chance) * recall, clip, 1 - clip)
    return np.asarray(-np.log(np.where(log.right, p, 1 - p)))


def _refused(log: ReviewLog, scored: BoolArray) -> str:
    """Return the reason why a log cannot be fitted; empty where it can."""
    n, right = int(scored.sum()), int((scored & log.right).sum())
    if not n:
        return "no repeats"
    if n < LEAST_SCORED:
        return "too few"
    return "one outcome" if right in (0, n) else ""


def _kept(log: ReviewLog, present: Parameters, scored: BoolArray, reason: str, held_out: int = 0) -> Fit:
    return Fit(present, False, reason, len(log), int(scored.sum()), held_out)


def _compare(log: ReviewLog, present: Parameters, trial: Parameters, held: BoolArray) -> Fit:
    """Return the verdict on the last fifth: adopted if the mean log loss is lower; the interval tells how sure that is."""
    old, new = losses(log, present)[held], losses(log, trial)[held]
    before, after = float(old.mean()), float(new.mean())
    difference = bootstrap_mean(new - old, log.card[held])
    better = after < before
    n = int(held.sum())
    scored = int(log.scored(present.threshold_days).sum())
    reason = "better" if better else "not better"
    return Fit(present, better, reason, len(log), scored, n, before, after, difference)


def _adopted(verdict: Fit, present: Parameters, final: Parameters) -> Fit:
    pairs = enumerate(zip(present.weights, final.weights, strict=True))
    return Fit(
        final,
        True,
        verdict.reason,
        verdict.reviews,
        verdict.scored,
        verdict.held_out,
        verdict.before,
        verdict.after,
        verdict.difference,
        tuple(Change(j, before, after) for j, (before, after) in pairs if before != after),
    )


def _named(weights: tuple[float, ...], present: Parameters) -> Parameters:
    """Return weights as a set whose id is made of its content, so the same fit has the same name on every machine."""
    rounded = tuple(round(weight, 6) for weight in weights)
    digest = hashlib.sha256(repr((rounded, present.threshold_days)).encode()).hexdigest()[:12]
    return Parameters(f"fsrs6-fit-{digest}", rounded, present.threshold_days, present.step_version)
