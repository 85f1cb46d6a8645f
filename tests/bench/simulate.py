"""The simulations behind docs/evidence.md: `python -m tests.bench.simulate [guess|chance|fit|day|load]` prints its tables."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil

import numpy as np

from tests.bench.guesses import after_a_fit, eliminating, rule_tables
from tests.bench.kinds import KINDS, table
from tutor.learning.course import Course, Outcome
from tutor.learning.learners import Habits
from tutor.learning.policies import Policy, due_first, greatest_gain, new_first, paced, toward_day
from tutor.learning.reviewlog import FloatArray
from tutor.learning.simulate import simulate

SCENARIOS = ((300, 28, 40), (600, 42, 60), (600, 42, 30), (600, 90, 30))
"""Items, days until the interview, first tries a day."""
SEEDS = (11, 12)
"""Others than those on which pace and horizon of `toward_day` were chosen (1 and 2)."""
LEARNERS = 16
MARGIN = 0.005
"""How far below the best tuned queue the policy for an interview date may lie."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What one policy came to in a scenario, over the learners of all seeds."""

    recall: FloatArray
    forecast: FloatArray


def on_the_day(kind: str, items: int, days: int, budget: int, policy: Policy, retention: float) -> Tried:
    """Return true recall on the day and its forecast, each (learners,)."""
    course = Course(policy, days=days, retention=retention, budget=budget)
    found = [simulate(KINDS[kind](LEARNERS, items, seed), Habits(), course, seed) for seed in SEEDS]
    return Tried(np.concatenate([one.recall for one in found]), np.concatenate([one.believed for one in found]))


def queues(items: int, days: int) -> dict[str, tuple[Policy, float]]:
    """Return the tuned queues by name: an order and the retention it aims at."""
    pace = paced(ceil(items / (0.75 * days)))
    orders: dict[str, tuple[Policy, tuple[float, ...]]] = {
        "due first": (due_first, (0.8, 0.9, 0.95)),
        "new first": (new_first, (0.8, 0.9, 0.95)),
        "paced": (pace, (0.8, 0.85, 0.9, 0.95)),
    }
    return {f"{name} {wish}": (policy, wish) for name, (policy, wishes) in orders.items() for wish in wishes}


def day_tables() -> Iterator[str]:
    """Yield recall on the day of the interview, by kind of learner."""
    for kind in KINDS:
        rows = []
        for items, days, budget in SCENARIOS:
            setting = (kind, items, days, budget)
            tuned = {name: on_the_day(*setting, *queue) for name, queue in queues(items, days).items()}
            gain, ours = on_the_day(*setting, greatest_gain, 0.9), on_the_day(*setting, toward_day(), 0.9)
            best = max(tuned, key=lambda name: tuned[name].recall.mean())
            rows.append([
                f"{items} / {days} / {budget}",
                *(f"{one.recall.mean():.3f}" for one in tuned.values()),
                f"{gain.recall.mean():.3f}", f"{ours.recall.mean():.3f}",
                f"{_difference(ours, tuned[best])} {best}", f"{(ours.forecast - ours.recall).mean():+.3f}",
            ])  # fmt: skip
        heads = ["items / days / tries a day", *queues(300, 28), "greatest gain", "**toward the day**"]
        yield f"**{kind}**\n\n{table([*heads, 'less the best queue', 'forecast less truth'], rows)}"


def _difference(ours: Tried, other: Tried) -> str:
    """Return the mean difference with its standard error over learners, who were the same for both."""
    apart = ours.recall - other.recall
    return f"{apart.mean():+.3f} ± {apart.std(ddof=1) / len(apart) ** 0.5:.3f}"


def shortfall() -> Iterator[tuple[str, float, str, float | None]]:
    """Yield, per kind of learner, how far the policy for a date falls behind the best tuned queue in its worst scenario."""
    for kind in KINDS:
        worst = -1.0
        for items, days, budget in SCENARIOS:
            setting = (kind, items, days, budget)
            best = max(float(on_the_day(*setting, *queue).recall.mean()) for queue in queues(items, days).values())
            worst = max(worst, best - float(on_the_day(*setting, toward_day(), 0.9).recall.mean()))
        yield f"recall on the day, best tuned queue less ours, {kind}", worst, "", MARGIN


def load_table(days: int = 93, items: int = 800) -> str:
    """Return what a day asks of a learner on days 30, 60 and 90, each the mean of five days around it."""
    rows = []
    for kind in KINDS:
        for new, wish in ((6, 0.85), (6, 0.9), (6, 0.95), (12, 0.9)):
            course = Course(due_first, days=days, retention=wish, new_per_day=new)
            outcome = simulate(KINDS[kind](LEARNERS, items, SEEDS[0]), Habits(), course, SEEDS[0])
            for day in (30, 60, 90):
                rows.append([kind, f"{new}", f"{wish:.2f}", f"{day}", *_day(outcome, day)])
    heads = ["learners", "new a day", "retention", "day", "answers", "minutes", "reviews", "new", "misses"]
    return table([*heads, "retries", "transfers", "experiments"], rows)


def _day(outcome: Outcome, day: int) -> list[str]:
    load, around = outcome.load, slice(day - 3, day + 2)
    columns = (
        load.answers, load.seconds / 60, load.reviews, load.new, load.misses, load.retries, load.transfers, load.runs,
    )  # fmt: skip
    return [f"{column[:, around].mean():.1f}" for column in columns]


PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "guess": rule_tables,
    "chance": lambda: iter([eliminating()]),
    "fit": lambda: iter([after_a_fit()]),
    "day": day_tables,
    "load": lambda: iter([load_table()]),
}


def main(parts: list[str]) -> None:
    """Print the tables of the parts named, or of all."""
    for name in parts or PARTS:
        started = time.process_time()
        print(f"\n### {name}\n")
        for text in PARTS[name]():
            print(f"{text}\n", flush=True)
        print(f"({time.process_time() - started:.0f} s of CPU)", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
