"""Replay, fit and held-out prediction beside py-fsrs and fsrs-rs: CPU seconds as ratios, log loss as differences on the same reviews."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from statistics import median

import numpy as np
from fsrs import Card, Rating, Scheduler

from tests.bench import peers
from tests.learning.logs import DAY_US, REAL, START_US, built, real_rows, simulated
from tutor.learning.evaluate import Predictor, backtest, fixed, log_losses, refitted
from tutor.learning.fit import PRIOR_SD, estimate, fit, losses
from tutor.learning.intervals import Interval, bootstrap_mean
from tutor.learning.parameters import DEFAULT, Parameters, accept, default_parameters
from tutor.learning.replay import replay
from tutor.learning.reviewlog import FloatArray, IntArray, ReviewLog, build_log

DEFAULTS = default_parameters()
LOOSE_SD = (6.43, 9.66, 17.58, 27.85, *PRIOR_SD[4:])
"""The prior's spread as published with fsrs-rs."""
ROLLOVER_UTC = 7
"""The quiet hour of the real learner."""
Figure = tuple[str, float, str, float | None]
"""Name, value, unit, and the aim it must not exceed."""


def measure() -> Iterator[Figure]:
    """Yield each figure as it is found; those that need what is absent are left out with a line that says so."""
    yield from replay_figures()
    if peers.installed():
        yield from excess()
    else:
        print("what stands beside fsrs-rs and py-fsrs's Optimizer: skipped, see tests/bench/peers.py")
    if not REAL.exists():
        print("fit and held-out log loss: skipped, the real log is not beside the repository")
        return
    rows = list(real_rows())
    if peers.installed():
        yield from fit_figures(rows)
    yield from held_out(rows)


def excess(learners: int = 24, cards: int = 2000) -> Iterator[Figure]:
    """Fit simulated learners, and give mean log loss on fresh cards above that of their true weights, beside fsrs-rs.

    Truth lies around the defaults, at two thirds of the prior's spread: that favours a fit that knows the spread. "loose prior" is ours
    with fsrs-rs's own spreads, the fairer comparison. Gaps are whole days, the only ones fsrs-rs knows.
    """
    truths = [_truth(seed) for seed in range(learners)]
    tests = [built(simulated(truth, cards, 1000 + seed, days=270, whole=True)) for seed, truth in enumerate(truths)]
    bests = [_mean_loss(test, truth) for test, truth in zip(tests, truths, strict=True)]

    def above(found: list[Parameters]) -> float:
        rows = zip(tests, found, bests, strict=True)
        return float(np.mean([_mean_loss(test, one) - best for test, one, best in rows]))

    yield "excess log loss of the defaults", above([DEFAULTS] * learners), "nats", None
    for train_cards in (67, 274, 1096):
        logs = [built(simulated(one, train_cards, seed, days=270, whole=True)) for seed, one in enumerate(truths)]
        scored = np.mean([log.scored(DEFAULTS.threshold_days).sum() for log in logs])
        theirs = above([_set(one["weights"]) for one in peers.fsrs_rs([histories(log) for log in logs])])
        ours = above([_set(estimate(log, DEFAULTS.threshold_days)) for log in logs])
        loose = above([_set(estimate(log, DEFAULTS.threshold_days, strength=1.0, spread=LOOSE_SD)) for log in logs])
        at = f"excess log loss at {scored:,.0f} scored reviews"
        yield f"{at}: fsrs-rs", theirs, "nats", None
        yield f"{at}: ours", ours, "nats", None
        yield f"{at}: ours / fsrs-rs", ours / theirs, "x", 0.75
        yield f"{at}: ours, loose prior / fsrs-rs", loose / theirs, "x", None


def _truth(seed: int) -> Parameters:
    """Return a learner around the defaults whose first stabilities rise with the rating and are hours at least."""
    w = np.random.default_rng(seed).normal(DEFAULT, 0.67 * np.asarray(PRIOR_SD))
    w[:4] = np.maximum.accumulate(np.maximum(w[:4], (0.05, 0.1, 0.2, 0.5)))
    return _set(w.tolist())


def _set(weights: Sequence[float]) -> Parameters:
    return Parameters("fit", accept(weights).weights)


def _mean_loss(log: ReviewLog, parameters: Parameters) -> float:
    return float(np.nanmean(losses(log, parameters)))


def replay_figures(size: int = 100_000, cards: int = 11_926) -> Iterator[Figure]:
    """Replay reviews on whole days with both, from columns in order of time; ours includes the building of the log."""
    rng = np.random.default_rng(0)
    cells = np.sort(
        rng.choice(cards * 400, size, replace=False)
    )  # a card at most once a day, so the gaps are whole days
    card, times = cells % cards, START_US + cells // cards * DAY_US
    rating = rng.choice([1, 2, 3, 4], size, p=[0.15, 0.05, 0.7, 0.1])
    seconds = []
    for _ in range(7):
        started = time.process_time()
        log = build_log(card, times, rating)
        replay(log, DEFAULTS)
        seconds.append(time.process_time() - started)
    theirs, states = _library(card, times, rating)
    apart = float(np.abs(replay(log, DEFAULTS).stability / states[log.row] - 1).max())
    yield "replay of 100,000 reviews, ms of CPU", 1000 * median(seconds), "ms", None
    yield "replay, building included / py-fsrs", median(seconds) / theirs, "x", 0.01
    yield "replay, largest relative difference to py-fsrs", apart, "", 1e-10


def _library(card: IntArray, times: IntArray, rating: IntArray) -> tuple[float, FloatArray]:
    """Return py-fsrs's CPU seconds for recall and step of each review, and S after each."""
    instants = [datetime.fromtimestamp(int(us) / 1e6, UTC) for us in times]
    ratings = [Rating(int(one)) for one in rating]
    held = {int(one): Card(card_id=int(one)) for one in np.unique(card)}
    scheduler, stability = Scheduler(enable_fuzzing=False), np.empty(len(times))
    started = time.process_time()
    for number, (id, now, one) in enumerate(zip(card.tolist(), instants, ratings, strict=True)):
        scheduler.get_card_retrievability(held[id], now)
        held[id], _ = scheduler.review_card(held[id], one, now)
        stability[number] = held[id].stability
    return time.process_time() - started, stability


def fit_figures(rows: list[tuple[str, int, int]]) -> Iterator[Figure]:
    """Fit the real log with each: ours from rows to the verdict, two fits and a check; theirs one fit without a check."""
    seconds = []
    for _ in range(3):
        started = time.process_time()
        fit(built(rows), DEFAULTS)
        seconds.append(time.process_time() - started)
    ours = median(seconds)
    yield "fit of the real log with its check, s of CPU", ours, "s", None
    yield "fit with its check / py-fsrs Optimizer", ours / peers.optimizer(rows)["seconds"], "x", 1 / 80
    yield (
        "fit with its check / fsrs-rs",
        ours / peers.fsrs_rs([histories(_by_local_day(built(rows)))])[0]["seconds"],
        "x",
        None,
    )


def held_out(rows: list[tuple[str, int, int]]) -> Iterator[Figure]:
    """Predict five folds by time, each from the log before it; scored are the reviews every rule calls a later day."""
    log = built(rows)
    rules = {
        "ours": refitted(DEFAULTS.threshold_days),
        "defaults": fixed(DEFAULTS),
        "library": _whole_blocks(fixed(DEFAULTS)),
    }
    if peers.installed():
        rules["anki"] = _local_days(_fsrs_rs)
    # Where a rule takes a review for the same day it predicts nothing, and the review is scored for none.
    rules["common"] = _local_days(fixed(DEFAULTS))
    found = backtest(log, rules)
    losses = {name: log_losses(p, found.right) for name, p in found.by_rule.items()}

    def beside(name: str) -> Interval:
        return bootstrap_mean(losses["ours"] - losses[name], found.card)

    for name in [name for name in rules if name != "common"]:
        yield f"held-out log loss, {len(found.rows):,} reviews: {name}", float(losses[name].mean()), "nats", None
    print(f"ours - library: {beside('library')}; ours - defaults on the same clock: {beside('defaults')}")
    yield "held-out log loss less py-fsrs defaults", beside("library").value, "nats", -0.007
    if "anki" in rules:
        print(f"ours - Anki-equivalent: {beside('anki')}")
        yield "held-out log loss less Anki-equivalent, upper end of 95 %", beside("anki").high, "nats", 0.0


def _whole_blocks(rule: Predictor) -> Predictor:
    """Return a rule that sees elapsed days as py-fsrs does: whole blocks of 24 hours."""
    return _on(lambda log: replace(log, elapsed=np.floor(log.elapsed)), rule)


def _local_days(rule: Predictor) -> Predictor:
    """Return a rule that sees elapsed days as Anki does: the difference of local dates with a rollover hour."""
    return _on(_by_local_day, rule)


def _on(change: Callable[[ReviewLog], ReviewLog], rule: Predictor) -> Predictor:
    def changed(before: ReviewLog) -> Callable[[ReviewLog], FloatArray]:
        predict = rule(change(before))
        return lambda log: predict(change(log))

    return changed


def _by_local_day(log: ReviewLog) -> ReviewLog:
    days = np.floor(log.at - ROLLOVER_UTC / 24)
    sizes = np.diff(log.offsets)
    previous = np.arange(len(log)) - np.concatenate(
        (np.zeros(log.cards, dtype=np.intp), np.repeat(sizes[:-1], sizes[1:]))
    )
    return replace(log, elapsed=days - days[previous])


def histories(log: ReviewLog) -> list[peers.History]:
    """Return the cards of a log for fsrs-rs."""
    cards: list[peers.History] = [[] for _ in range(log.cards)]
    for card, *review in zip(
        log.card.tolist(), log.rating.tolist(), log.elapsed.tolist(), log.at.tolist(), strict=True
    ):
        cards[card].append((review[0], int(review[1]), review[2]))
    return cards


def _fsrs_rs(before: ReviewLog) -> Callable[[ReviewLog], FloatArray]:
    return fixed(_set(peers.fsrs_rs([histories(before)])[0]["weights"]))(before)
