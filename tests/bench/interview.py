"""The rule in use toward an interview, day by day through its own functions: `python -m tests.bench.interview` prints its table.

`tests.bench.simulate day` holds the rule on columns against tuned queues; here is what that cannot show: whether the forecast of the first morning
comes true within its interval, and what the weeks after the date ask.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from statistics import mean, median

from tests.bench.kinds import table
from tests.support import MONDAY, choice
from tutor.clock import MICROSECONDS_PER_DAY
from tutor.learning.cards import Card, advance, elapsed_days
from tutor.learning.evidence import Weighed
from tutor.learning.guessing import PRIOR, knowledge
from tutor.learning.interview import days_of_pace, plan_day
from tutor.learning.learners import drawn_parameters
from tutor.learning.memory import Evidence, Memory, Rating, retrievability, step
from tutor.learning.outlook import Starting, outlook
from tutor.learning.parameters import Parameters, default_parameters
from tutor.learning.readiness import Readiness
from tutor.learning.records import History
from tutor.learning.schedule import plan
from tutor.learning.studyday import add_days
from tutor.learning.world import Rules

DAY_0, AFTER, LEARNERS, KNOWN, GUESS = "2026-11-30", 28, 12, 0.55, 0.25
SCENARIOS = ((300, 28, 40), (300, 42, 20), (150, 60, 10))
"""Items, days until the interview, first tries a day."""
MODEL = default_parameters()


@dataclass
class Learner:
    """What he truly remembers, by weights of his own."""

    truth: Parameters
    rng: random.Random
    memory: dict[str, Memory] = field(default_factory=dict)
    last: dict[str, float] = field(default_factory=dict)

    def recall(self, id: str, at: float) -> float:
        """Return the true probability to remember on day `at`; 0 of what was never met."""
        held = self.memory.get(id)
        return retrievability(at - self.last[id], held.stability, self.truth) if held else 0.0

    def answer(self, id: str, at: float) -> bool:
        """Answer and learn; return whether it was right, by knowledge or luck."""
        knows = self.rng.random() < (self.recall(id, at) if id in self.memory else KNOWN)
        rating = Rating.GOOD if knows else Rating.AGAIN
        self.memory[id] = step(self.memory.get(id), at - self.last.get(id, at), Evidence(rating), self.truth)
        self.last[id] = at
        return knows or self.rng.random() < GUESS


@dataclass(frozen=True)
class Came:
    """What came of one learner's course."""

    recall: float
    forecast: Readiness
    before: list[int]
    """Answers a day, up to the date."""
    after: list[int]
    """Answers a day, from the date on."""


def course(learner: Learner, items: int, days: int, budget: int) -> Came:
    """Live through the days before and after the date as sittings would."""
    library = {f"x-{n:03}": choice(f"x-{n:03}", "a") for n in range(items)}
    date, cards, load, counts = add_days(DAY_0, days), {}, {}, []
    rules = Rules(interview=date, interview_set=DAY_0, new_per_day=budget)
    forecast = _forecast(items, days, budget)
    recall = 0.0
    for number in range(days + AFTER):
        day, utc_us = add_days(DAY_0, number), MONDAY + number * MICROSECONDS_PER_DAY
        if number == days:
            recall = mean(learner.recall(id, number) for id in library)
        unseen = [id for id in library if id not in cards]
        history = History(usual_day=round(median(counts[-28:])) if counts else 0)
        toward = replace(rules, limit=budget) if number < days else rules
        asked = plan_day(library, cards, len(unseen), day, utc_us, MODEL, history, toward)
        today = [*unseen[: min(asked.new_per_day, budget)], *asked.due.items]
        today = today[:budget] if number < days else list(asked.due.items)
        for id in today:
            cards[id] = _answered(learner, cards.get(id), id, number, day, utc_us, load)
        counts.append(len(today))
    return Came(recall, forecast, counts[:days], counts[days:])


def _answered(
    learner: Learner, card: Card | None, id: str, number: int, day: str, utc_us: int, load: dict[str, int]
) -> Card:
    believed = retrievability(elapsed_days(card, utc_us), card.memory.stability, MODEL) if card else PRIOR
    right = learner.answer(id, float(number))
    evidence = Evidence(Rating.GOOD, knowledge(believed, GUESS)) if right else Evidence(Rating.AGAIN)
    planned = plan(card, id, Weighed(evidence, False), utc_us, day, 0.9, MODEL, load)
    if card is not None:
        load[card.due] = load.get(card.due, 0) - 1
    load[planned.due] = load.get(planned.due, 0) + 1
    return advance(card, id, 1, evidence, utc_us, day, planned.due, planned.interval, MODEL)


def _forecast(items: int, days: int, budget: int) -> Readiness:
    until = days_of_pace(DAY_0, DAY_0, add_days(DAY_0, days))
    start = Starting((None,) * items, ("a",) * items, MONDAY, days, until, budget, KNOWN, MODEL)
    return outlook(start, [budget])[0].whole


def main() -> None:
    """Print the table."""
    rows = []
    for items, days, budget in SCENARIOS:
        truths = drawn_parameters(LEARNERS, 21)
        found = [course(Learner(truth, random.Random(n)), items, days, budget) for n, truth in enumerate(truths)]
        forecast = found[0].forecast
        within = sum(forecast.low <= one.recall <= forecast.high for one in found)
        rows.append([
            f"{items} / {days} / {budget}", f"{mean(one.recall for one in found):.3f}",
            f"{forecast.value:.3f} [{forecast.low:.3f}, {forecast.high:.3f}]", f"{within} of {len(found)}",
            f"{mean(mean(one.before) for one in found):.1f}", f"{mean(one.after[0] for one in found):.1f}",
            f"{max(max(one.after) for one in found)}", f"{mean(mean(one.after) for one in found):.1f}",
        ])  # fmt: skip
    heads = [
        "items / days / tries a day",
        "recall on the day",
        "forecast on day 0",
        "truth within",
        "answers a day before",
    ]
    print(table([*heads, "on the date", "most on any day after", "mean of 28 days after"], rows))


if __name__ == "__main__":
    main()
