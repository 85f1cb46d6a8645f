"""The rule in use toward an interview, day by day through its own functions: `python -m tests.bench.interview` prints its tables.

`tests.bench.simulate day` holds the rule on columns against tuned queues; here is what that cannot show: whether a forecast comes true within
its interval, on the first morning and later, what the weeks after the date ask, and whether sealed items tell a forecast that is too high.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from statistics import mean, median

import numpy as np

from tests.bench.kinds import KINDS, table
from tests.support import MONDAY, candidates, choice
from tutor.clock import MICROSECONDS_PER_DAY
from tutor.learning.cards import Card, advance, elapsed_days
from tutor.learning.course import Course as Policies
from tutor.learning.evidence import Weighed
from tutor.learning.guessing import PRIOR, knowledge
from tutor.learning.interview import days_of_pace, plan_day
from tutor.learning.learners import Group, Habits, ModelGroup, drawn_parameters
from tutor.learning.memory import Evidence, Rating, retrievability
from tutor.learning.outlook import Starting, outlook
from tutor.learning.parameters import Parameters, default_parameters
from tutor.learning.policies import toward_day
from tutor.learning.readiness import FIRST_WEIGHT, Readiness, brier, known_at_sight, readiness, right_at_sight
from tutor.learning.records import History
from tutor.learning.reviewlog import build_log
from tutor.learning.schedule import plan
from tutor.learning.simulate import simulate
from tutor.learning.studyday import add_days
from tutor.learning.world import Rules

DAY_0, AFTER, LEARNERS, GUESS, SLIP = "2026-11-30", 28, 12, 0.25, 0.02
KNOWN = (0.4, 0.7)
"""Between these lies the share of new items that a learner knows at first sight."""
SCENARIOS = ((300, 28, 40), (300, 42, 20), (150, 60, 10))
"""Items, days until the interview, first tries a day."""
MOMENTS = (0, 1 / 3, 2 / 3)
"""When a forecast is made, in shares of the days."""
SEALED = (20, 40, 80)
SPREAD = "inside, spread as published"
"""Learners of the scheduler's family whose weights differ as much as the published ones; `inside` has two thirds of that."""
GROUPS: dict[str, Callable[[int, int, int], Group]] = {
    **KINDS, SPREAD: lambda learners, items, seed: ModelGroup(drawn_parameters(learners, seed, spread=1.0), items),
}  # fmt: skip
MODEL = default_parameters()


class Learner:
    """What he truly remembers, by one of the laws, and how he answers."""

    def __init__(self, kind: str, items: int, seed: int) -> None:
        self.group = GROUPS[kind](1, items, 100 + seed)
        self.rng = random.Random(seed)
        self.known = self.rng.uniform(*KNOWN)
        self.met = np.zeros(items, dtype=np.bool_)

    def recall(self, at: float) -> list[float]:
        """Return the true probability to remember each item on day `at`; 0 of what was never met."""
        return np.where(self.met, self.group.recall(np.arange(len(self.met)), at), 0.0).tolist()

    def answer(self, item: int, at: float) -> bool:
        """Answer and learn; return whether it was right, by knowledge or luck."""
        cell = np.array([item])
        true = float(self.group.recall(cell, at)[0]) if self.met[item] else self.known
        knows = self.rng.random() < true
        self.group.practise(cell, at, np.array([knows]))
        self.met[item] = True
        return self.rng.random() >= SLIP if knows else self.rng.random() < GUESS


@dataclass
class Course:
    """One learner's way to the date, and what the tutor holds of him."""

    learner: Learner
    items: int
    days: int
    budget: int
    cards: dict[str, Card] = field(default_factory=dict)
    rows: list[tuple[str, int, int, float]] = field(default_factory=list)
    """Item, time, rating and q of each answer."""
    firsts: list[bool] = field(default_factory=list)
    """Whether each new item was answered rightly."""
    load: dict[str, int] = field(default_factory=dict)
    counts: list[int] = field(default_factory=list)
    """Answers a day."""
    forecasts: list[Readiness] = field(default_factory=list)
    recall: list[float] = field(default_factory=list)
    """True recall of every item on the morning of the date."""
    believed: list[float] = field(default_factory=list)
    """The same as the model has it."""

    def live(self, after: int = 0) -> Course:
        """Live through the days before the date and `after` days from it as sittings would."""
        library = {f"x-{n:03}": choice(f"x-{n:03}", "a") for n in range(self.items)}
        date = add_days(DAY_0, self.days)
        rules = Rules(interview=date, interview_set=DAY_0, new_per_day=self.budget)
        for number in range(self.days + after):
            if number in {round(share * self.days) for share in MOMENTS}:
                self.forecasts.append(self.forecast(list(library), number))
            if number == self.days:
                self.look(list(library))
            day, utc_us = add_days(DAY_0, number), MONDAY + number * MICROSECONDS_PER_DAY
            unseen = [id for id in library if id not in self.cards]
            history = History(usual_day=round(median(self.counts[-28:])) if self.counts else 0)
            toward = replace(rules, limit=self.budget) if number < self.days else rules
            asked = plan_day(library, candidates(self.cards.values()), len(unseen), day, utc_us, MODEL, history, toward)
            today = [*unseen[: min(asked.new_per_day, self.budget)], *asked.due.items]
            today = today[: self.budget] if number < self.days else list(asked.due.items)
            for id in today:
                self.answered(id, number, day, utc_us)
            self.counts.append(len(today))
        if not after:
            self.look(list(library))
        return self

    def look(self, ids: list[str]) -> None:
        """Keep what is remembered on the morning of the date, and what the model believes of it."""
        self.recall = self.learner.recall(self.days)
        self.believed = [self.belief(id, MONDAY + self.days * MICROSECONDS_PER_DAY) for id in ids]

    def belief(self, id: str, utc_us: int) -> float:
        """Return the model's R; 0 of what was never met."""
        card = self.cards.get(id)
        return retrievability(elapsed_days(card, utc_us), card.memory.stability, MODEL) if card else 0.0

    def answered(self, id: str, number: int, day: str, utc_us: int) -> None:
        """Ask an item and move its card."""
        card = self.cards.get(id)
        right = self.learner.answer(int(id[2:]), float(number))
        believed = self.belief(id, utc_us) if card else PRIOR
        evidence = Evidence(Rating.GOOD, knowledge(believed, GUESS)) if right else Evidence(Rating.AGAIN)
        planned = plan(card, id, Weighed(evidence, False), utc_us, day, 0.9, MODEL, self.load)
        if card is None:
            self.firsts.append(right)
        else:
            self.load[card.due] = self.load.get(card.due, 0) - 1
        self.load[planned.due] = self.load.get(planned.due, 0) + 1
        self.cards[id] = advance(card, id, 1, evidence, utc_us, day, planned.due, planned.interval, MODEL)
        self.rows.append((id, utc_us, int(evidence.rating), evidence.q))

    def forecast(self, ids: list[str], number: int) -> Readiness:
        """Return what `tutor due --minutes` would say on the morning of day `number`."""
        items, utc_us, rating, q = zip(*self.rows, strict=True) if self.rows else ((),) * 4
        log = build_log(items, utc_us, rating, q=q, chance=(GUESS,) * len(items))
        place = {items[row]: place for place, row in enumerate(log.row[log.last].tolist())}
        order = [*(id for id in ids if id in self.cards), *(id for id in ids if id not in self.cards)]
        seen = len(self.firsts)
        start = Starting(
            cards=[self.cards.get(id) for id in order],
            concepts=["a"] * len(order),
            chances=[GUESS] * len(order),
            utc_us=MONDAY + number * MICROSECONDS_PER_DAY,
            left=self.days - number,
            until=days_of_pace(DAY_0, add_days(DAY_0, number), add_days(DAY_0, self.days)),
            new_per_day=self.budget,
            known_first=known_at_sight(seen, sum(self.firsts), GUESS),
            known_weight=seen + FIRST_WEIGHT,
            parameters=MODEL,
            log=log,
            places=[place.get(id, -1) for id in order],
        )
        return outlook(start, [self.budget])[0].whole


@cache
def courses(kind: str, items: int, days: int, budget: int, after: int = 0) -> list[Course]:
    """Return the courses of a dozen learners of a kind."""
    return [Course(Learner(kind, items, n), items, days, budget).live(after) for n in range(LEARNERS)]


def forecasts() -> Iterator[str]:
    """Yield the table of what was forecast, when, and what came true."""
    rows = []
    for kind in GROUPS:
        for scenario in SCENARIOS:
            found = courses(kind, *scenario, *((AFTER,) if kind == "inside" else ()))
            for moment, share in enumerate(MOMENTS):
                said = [one.forecasts[moment] for one in found]
                true = [mean(one.recall) for one in found]
                rng = random.Random(moment)
                came = [mean(rng.random() < each for each in one.recall) for one in found]
                rows.append([
                    kind, " / ".join(map(str, scenario)), f"{round(share * scenario[1])}", f"{mean(true):.3f}",
                    f"{mean(one.value for one in said):.3f}",
                    f"{mean(one.value for one in said) - mean(true):+.3f}",
                    f"{mean(one.high - one.low for one in said):.3f}",
                    _within(said, true), _within(said, came),
                ])  # fmt: skip
    yield table(
        [
            "learners", "items / days / tries a day", "forecast on day", "recall on the day", "forecast", "too high by",
            "width", "recall within", "share remembered within",
        ],
        rows,
    )  # fmt: skip


def _within(said: list[Readiness], came: list[float]) -> str:
    inside = sum(one.low <= each <= one.high for one, each in zip(said, came, strict=True))
    return f"{inside} of {len(came)}"


def weeks_after() -> Iterator[str]:
    """Yield the table of what a day asks before and after the date."""
    rows = []
    for items, days, budget in SCENARIOS:
        found = [one.counts for one in courses("inside", items, days, budget, AFTER)]
        rows.append([
            f"{items} / {days} / {budget}", f"{mean(mean(one[:days]) for one in found):.1f}",
            f"{mean(one[days] for one in found):.1f}", f"{max(max(one[days:]) for one in found)}",
            f"{mean(mean(one[days:]) for one in found):.1f}",
        ])  # fmt: skip
    heads = ["items / days / tries a day", "answers a day before", "on the date", "most on any day after"]
    yield table([*heads, "mean of 28 days after"], rows)


def sealed() -> Iterator[str]:
    """Yield the table of first sights of sealed items, each known as often as the items of its concept, against the forecast written beside them.

    `told` is how many of 100 draws of such answers lie below what the forecast allows in 95 of 100 cases.
    """
    rows = []
    for kind in KINDS:
        for scenario in SCENARIOS:
            found = courses(kind, *scenario, *((AFTER,) if kind == "inside" else ()))
            for count in SEALED:
                rows.append([kind, " / ".join(map(str, scenario)), str(count), *_sights(found, count)])
    heads = ["learners", "items / days / tries a day", "sealed items", "forecast", "right", "Brier score"]
    yield table([*heads, "Brier score were the forecast true", "told too high"], rows)


def _sights(found: list[Course], count: int) -> list[str]:
    rng = random.Random(7)
    said, shares, scores, told = [], [], [], []
    for one in found:
        forecast = right_at_sight(mean(one.believed), GUESS)
        true = GUESS + (1 - GUESS - SLIP) * mean(one.recall)
        allowed = readiness([forecast] * count)
        for _ in range(100):
            rights = [rng.random() < true for _ in range(count)]
            shares.append(mean(rights))
            scores.append(brier((forecast, right) for right in rights))
            told.append(mean(rights) < allowed.low)
        said.append(forecast)
    ideal = mean(p * (1 - p) for p in said)
    return [f"{mean(said):.3f}", f"{mean(shares):.3f}", f"{mean(scores):.3f}", f"{ideal:.3f}", f"{mean(told):.0%}"]


def causes(learners: int = 32) -> Iterator[str]:
    """Yield the table of what lowers recall on the day below what the defaults promise: luck taken for knowledge, and weights of one's own."""
    settings: dict[str, tuple[list[Parameters], Habits]] = {
        "the defaults, no luck": ([MODEL] * learners, Habits(guess=0.0, slip=0.0)),
        "the defaults, guesses and slips": ([MODEL] * learners, Habits()),
        "weights of their own, two thirds of the spread": (drawn_parameters(learners, 77), Habits()),
        "weights of their own, spread as published": (drawn_parameters(learners, 77, spread=1.0), Habits()),
    }
    rows = []
    for items, days, budget in SCENARIOS:
        course = Policies(toward_day(), days=days, budget=budget)
        found = [simulate(ModelGroup(truths, items), habits, course, 6).recall for truths, habits in settings.values()]
        rows.append([f"{items} / {days} / {budget}", *(f"{one.mean():.3f} ± {one.std(ddof=1):.3f}" for one in found)])
    yield table(["items / days / tries a day", *settings], rows)


PARTS = {"causes": causes, "forecast": forecasts, "after": weeks_after, "sealed": sealed}


def main(parts: list[str]) -> None:
    """Print the tables of the parts named, or of all."""
    for name in parts or PARTS:
        print(f"\n### {name}\n")
        for text in PARTS[name]():
            print(f"{text}\n", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
