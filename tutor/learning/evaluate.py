"""How well the memory model predicts a learner's own answers, always beside the library's defaults and a constant.

Prequential (Dawid, J. R. Stat. Soc. A 147, 1984): the log is cut into sixths by time, and each of the last five is predicted with
weights fitted to what came before it. Reviews on the same day as the one before, and first ones, are never scored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tutor.learning.fit import LEAST_SCORED, Stop, Watch, estimate
from tutor.learning.intervals import RESAMPLES, Interval, bootstrap_mean, card_weights
from tutor.learning.parameters import DEFAULT, Parameters, default_parameters
from tutor.learning.replay import replay
from tutor.learning.reviewlog import BoolArray, FloatArray, IntArray, ReviewLog

FOLDS = 5
CLIP = 1e-3
"""Predictions are scored no nearer to 0 and 1, for every rule alike."""
LEAST_EVALUATED = 30
_BINS = 10
_LEAST_IN_BIN = 20

Predictor = Callable[[ReviewLog], Callable[[ReviewLog], FloatArray]]
"""From the log up to a cut, a function that gives for any log the probability of a right answer, (n,), NaN where it has none."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Reviews of about the same predicted probability."""

    predicted: float
    """Their mean predicted probability of a right answer."""
    right: float
    """The share answered rightly."""
    low: float
    high: float
    """95 % interval of that share, by bootstrap over cards."""
    reviews: int


@dataclass(frozen=True, slots=True)
class Score:
    """How one rule predicted the same n reviews as the others."""

    log_loss: Interval
    """Mean log loss, nats; lower is better."""
    auc: Interval
    """Probability that a right answer had the higher prediction than a wrong one; 0.5 is none. NaN with one outcome only."""
    difference: Interval
    """Mean log loss less that of the library's defaults; below zero is better."""
    curve: tuple[Bin, ...]

    @property
    def calibration_error(self) -> float:
        """How far the shares predicted lie from those right, on average over the reviews of the curve (expected calibration error)."""
        apart = sum(part.reviews * abs(part.predicted - part.right) for part in self.curve)
        return apart / sum(part.reviews for part in self.curve)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Rules side by side on one learner's log."""

    scored: int
    cards: int
    right: float
    """Share of the scored answers that were right."""
    scores: Mapping[str, Score]
    """By rule: `fitted` (refitted before each fold), `present` (the set in use, which may have seen these reviews), `default`,
    `constant` (the share right so far). None where fewer than `LEAST_EVALUATED` reviews could be predicted."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """The n reviews that every rule predicted, in the folds' order."""

    rows: IntArray
    """Their places in the log."""
    right: BoolArray
    card: IntArray
    by_rule: Mapping[str, FloatArray]
    """Probability of a right answer, (n,), within CLIP of 0 and 1."""


def expected_right(recall: FloatArray, chance: FloatArray, slip: float = 0.0) -> FloatArray:
    """Return the probability of a right answer, (n,), from R, the chance to be right without knowledge and the one to slip with it:
    chance + (1 - chance - slip)·R."""
    return chance + (1 - chance - slip) * recall


def evaluate(
    log: ReviewLog, present: Parameters, watch: Watch | None = None, cancelled: Stop | None = None
) -> Evaluation:
    """Evaluate the model on a log; `watch` and `cancelled` as in `fit.fit`, and fit's `Cancelled` where it was stopped."""
    threshold = present.threshold_days
    default = Parameters(default_parameters().id, DEFAULT, threshold)
    rules = {
        "fitted": refitted(threshold, watch, cancelled),
        "present": fixed(present),
        "default": fixed(default),
        "constant": constant(threshold),
    }
    found = backtest(log, rules)
    n = len(found.right)
    if n < LEAST_EVALUATED:
        return Evaluation(n, len(np.unique(found.card)), float(found.right.mean()) if n else 0.0, {})
    scores = {name: score(found, name, "default") for name in rules}
    return Evaluation(n, len(np.unique(found.card)), float(found.right.mean()), scores)


def backtest(log: ReviewLog, rules: Mapping[str, Predictor], folds: int = FOLDS) -> Predictions:
    """Predict each fold by time from the log before it. Only reviews that every rule predicts are kept, so all are scored on the same."""
    cuts = np.quantile(log.at, np.arange(1, folds + 2) / (folds + 1)) if len(log) else np.zeros(0)
    kept = [np.zeros(0, dtype=np.intp)]
    columns: dict[str, list[FloatArray]] = {name: [np.zeros(0)] for name in rules}
    for number, (start, end) in enumerate(pairwise(cuts), 1):
        before = log.until(float(start))
        # A replay of the whole log is the same up to any review as one of the log before it, so nothing is seen in advance.
        predicted = {name: rule(before)(log) for name, rule in rules.items()}
        usable = (log.at >= start) & ((log.at < end) | (number == folds))
        for column in predicted.values():
            usable &= ~np.isnan(column)
        kept.append(np.flatnonzero(usable))
        for name, column in predicted.items():
            columns[name].append(np.clip(column[usable], CLIP, 1 - CLIP))
    rows = np.concatenate(kept)
    by_rule = {name: np.concatenate(parts) for name, parts in columns.items()}
    return Predictions(rows, log.right[rows], log.card[rows], by_rule)


def fixed(parameters: Parameters) -> Predictor:
    """Return the rule that predicts with one set, whatever came before."""

    def predict(log: ReviewLog) -> FloatArray:
        return expected_right(replay(log, parameters).recall, log.chance)

    return lambda before: predict


def refitted(threshold_days: float, watch: Watch | None = None, cancelled: Stop | None = None) -> Predictor:
    """Return the rule that fits the weights to what came before; with too little to fit it predicts with the defaults."""

    def rule(before: ReviewLog) -> Callable[[ReviewLog], FloatArray]:
        weights: tuple[float, ...] = DEFAULT
        if int(before.scored(threshold_days).sum()) >= LEAST_SCORED:
            weights = estimate(before, threshold_days, "evaluate", watch, cancelled)
        return fixed(Parameters("fold", weights, threshold_days))(before)

    return rule


def constant(threshold_days: float) -> Predictor:
    """Return the rule that always predicts the share of right answers so far (one right and one wrong added)."""

    def rule(before: ReviewLog) -> Callable[[ReviewLog], FloatArray]:
        right = before.right[before.scored(threshold_days)]
        share = (right.sum() + 1) / (len(right) + 2)
        return lambda log: np.where(log.scored(threshold_days), share, np.nan)

    return rule


def score(found: Predictions, rule: str, reference: str) -> Score:
    """Return how one rule did, and its log loss less that of the reference rule."""
    p = found.by_rule[rule]
    loss, other = log_losses(p, found.right), log_losses(found.by_rule[reference], found.right)
    return Score(
        log_loss=bootstrap_mean(loss, found.card),
        auc=auc_interval(p, found.right, found.card),
        difference=bootstrap_mean(loss - other, found.card),
        curve=reliability(p, found.right, found.card),
    )


def log_losses(p: FloatArray, right: BoolArray) -> FloatArray:
    """Return -ln of the probability (n,) given to what happened (n,)."""
    return np.asarray(-np.log(np.where(right, p, 1 - p)))


def auc_interval(p: FloatArray, right: BoolArray, card: IntArray, resamples: int = RESAMPLES) -> Interval:
    """Return the area under the ROC curve with ties counted half, and its 95 % interval over cards. All arguments (n,)."""
    if right.all() or not right.any():
        return Interval(float("nan"), float("nan"), float("nan"))
    weights, member = card_weights(card, resamples)
    order = np.argsort(p, kind="stable")
    first = np.flatnonzero(np.concatenate(([True], np.diff(p[order]) > 0)))
    member, wins = member[order], right[order]

    def area(weight: FloatArray) -> float:
        up = np.add.reduceat(np.where(wins, weight, 0.0), first)
        down = np.add.reduceat(np.where(wins, 0.0, weight), first)
        pairs = up.sum() * down.sum()
        return float(up @ (np.cumsum(down) - down / 2) / pairs) if pairs else float("nan")

    drawn = [area(row[member]) for row in weights]
    low, high = np.nanpercentile(drawn, (2.5, 97.5))
    return Interval(area(np.ones(len(p))), float(low), float(high))


def reliability(p: FloatArray, right: BoolArray, card: IntArray) -> tuple[Bin, ...]:
    """Return the reliability curve of predictions (n,): up to ten bins of equally many reviews, at least 20 in each."""
    bins = min(_BINS, max(1, len(p) // _LEAST_IN_BIN))
    edges = np.quantile(p, np.arange(1, bins) / bins) if len(p) else np.zeros(0)
    which = np.searchsorted(edges, p, side="right")
    curve = []
    for number in np.unique(which):
        inside = which == number
        share = bootstrap_mean(right[inside].astype(np.float64), card[inside])
        curve.append(Bin(float(p[inside].mean()), share.value, share.low, share.high, int(inside.sum())))
    return tuple(curve)
