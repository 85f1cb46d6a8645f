"""Whether slips can be told from a log, and whether forecasts of shares come true on a real one: `python -m tests.bench.slips` prints the tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from tests.bench.guesses import CHANCE, ITEMS, LEARNERS, SEED, course
from tests.bench.kinds import KINDS, table
from tests.learning.logs import REAL, built, real_rows
from tutor.learning.course import DEFAULTS, by_knowledge
from tutor.learning.evaluate import CLIP, Predictor, backtest, expected_right, log_losses
from tutor.learning.fit import estimate
from tutor.learning.intervals import bootstrap_mean
from tutor.learning.learners import Habits
from tutor.learning.parameters import Parameters
from tutor.learning.posterior import SLIPS, drawn_sets
from tutor.learning.replay import replay
from tutor.learning.reviewlog import FloatArray, ReviewLog
from tutor.learning.simulate import simulate

ASSUMED = (0.0, 0.01, 0.02, 0.03, 0.05)
TRUE, TRIED = (0.0, 0.02, 0.05), (0.0, 0.02)
"""Slip rates of simulated learners, and those assumed of them."""
PARTS, DRAWS = 12, 40
THRESHOLD = DEFAULTS.threshold_days


def real_log() -> Iterator[str]:
    """Yield the held-out log loss on the real log, fits and predictions made with each slip rate."""
    log = built(list(real_rows()))
    found = backtest(log, {f"{slip:.2f}": _with_slip(slip) for slip in ASSUMED})
    losses = {name: log_losses(p, found.right) for name, p in found.by_rule.items()}
    plain = losses[f"{ASSUMED[0]:.2f}"]
    rows = [
        [name, f"{loss.mean():.4f}", str(bootstrap_mean(loss - plain, found.card)), f"{(found.by_rule[name] - found.right).mean():+.3f}"]
        for name, loss in losses.items()
    ]  # fmt: skip
    yield table(["slips assumed", "held-out log loss", "less that without slips", "predicted less right"], rows)


def _with_slip(slip: float) -> Predictor:
    def rule(before: ReviewLog) -> Callable[[ReviewLog], FloatArray]:
        fitted = Parameters("fit", estimate(before, THRESHOLD, slip=slip), THRESHOLD)
        return lambda log: expected_right(replay(log, fitted).recall, log.chance, slip)

    return rule


def simulated() -> Iterator[str]:
    """Yield the same on the last fifth of simulated learners' logs, and what each fit believes less the truth."""
    rows = []
    for kind in KINDS:
        for true in TRUE:
            outcome = simulate(KINDS[kind](LEARNERS, ITEMS, SEED), Habits(slip=true), course(by_knowledge, 0.9), SEED)
            logs = []
            for learner in range(LEARNERS):
                mine = outcome.reviews.of(np.arange(learner * ITEMS, (learner + 1) * ITEMS))
                log = mine.log(CHANCE)
                logs.append((log, mine.true[log.row]))
            found = {slip: _last_fifths(logs, slip) for slip in TRIED}
            plain, cards = found[0.0][1], found[0.0][2]
            for slip, (gap, loss, _) in found.items():
                rows.append([
                    kind, f"{true:.2f}", f"{slip:.2f}", f"{gap.mean():+.3f}", f"{np.abs(gap).mean():.3f}", f"{loss.mean():.4f}",
                    str(bootstrap_mean(loss - plain, cards)) if slip else "",
                ])  # fmt: skip
    heads = ["learners", "true slips", "assumed", "belief less truth", "error", "log loss", "less that without slips"]
    yield table(heads, rows)


def _last_fifths(logs: list[tuple[ReviewLog, FloatArray]], slip: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return belief less truth, log loss and card of every review of the last fifths, fitted to what came before."""
    gaps, losses, cards = [], [], []
    for number, (log, true) in enumerate(logs):
        cut = float(np.quantile(log.at, 0.8))
        recall = replay(log, Parameters("fit", estimate(log.until(cut), THRESHOLD, slip=slip), THRESHOLD)).recall
        held = ~np.isnan(recall) & (log.at >= cut)
        p = np.clip(expected_right(recall, log.chance, slip)[held], CLIP, 1 - CLIP)
        gaps.append(recall[held] - true[held])
        losses.append(log_losses(p, log.right[held]))
        cards.append(log.card[held] + number * ITEMS)
    return np.concatenate(gaps), np.concatenate(losses), np.concatenate(cards)


def next_parts(log: ReviewLog, parts: int, draws: int = DRAWS) -> Iterator[tuple[int, float, float, float, float]]:
    """Yield, for each part by time but the first, its reviews, the share right, and the share foreseen by drawn sets with its interval.

    The sets are drawn from what came before the part; the interval is from the least to the greatest share of any, luck included.
    """
    cuts = np.quantile(log.at, np.arange(1, parts + 1) / parts)
    scored, slip = log.scored(THRESHOLD), SLIPS[0] / sum(SLIPS)
    for start, end in pairwise(cuts):
        rng = np.random.default_rng(1)
        rows = scored & (log.at >= start) & (log.at < end)
        sets = drawn_sets(log.until(float(start)), THRESHOLD, draws, rng)
        p = np.array([expected_right(replay(log, one).recall[rows], log.chance[rows], slip) for one in sets])
        shares = (rng.random(p.shape) < p).mean(axis=1)
        yield int(rows.sum()), float(log.right[rows].mean()), float(p.mean()), float(shares.min()), float(shares.max())


def real_parts() -> Iterator[str]:
    """Yield the table of the real log's parts, beside the interval of luck alone around the fit of what came before."""
    log = built(list(real_rows()))
    cuts = np.quantile(log.at, np.arange(1, PARTS + 1) / PARTS)
    rows = []
    for (n, true, value, low, high), (start, end) in zip(next_parts(log, PARTS), pairwise(cuts), strict=True):
        fitted = Parameters("fit", estimate(log.until(float(start)), THRESHOLD), THRESHOLD)
        chosen = log.scored(THRESHOLD) & (log.at >= start) & (log.at < end)
        p = replay(log, fitted).recall[chosen]
        half = 1.96 * float(np.sqrt((p * (1 - p)).sum())) / n
        rows.append([
            f"{n}", f"{true:.3f}", f"{value:.3f} [{low:.3f}, {high:.3f}]", "yes" if low <= true <= high else "no",
            f"{p.mean():.3f} [{p.mean() - half:.3f}, {p.mean() + half:.3f}]", "yes" if abs(p.mean() - true) <= half else "no",
        ])  # fmt: skip
    yield table(["reviews", "right", "drawn sets", "within", "fit, luck alone", "within"], rows)


TABLES = {"real": real_log, "simulated": simulated, "parts": real_parts}


def main(names: list[str]) -> None:
    """Print the tables named, or all; those of the real log where it lies beside the repository."""
    for name in names or TABLES:
        if name != "simulated" and not REAL.exists():
            print(f"{name}: skipped, the real log is not beside the repository")
            continue
        for text in TABLES[name]():
            print(f"\n### {name}\n\n{text}\n", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
