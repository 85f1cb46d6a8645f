"""What the interview's day would find at so many minutes a day: the learner's figures gathered, the forecast, and its words.

`gather` reads cards and counts and is quick; `look_ahead` reads the answers beside the open store and computes for seconds, and may do so on
another thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tutor.clock import SystemClock
from tutor.i18n import _, marked
from tutor.learning.backlog import USUAL_SECONDS
from tutor.learning.interview import days_of_pace
from tutor.learning.mastery import guess_chance
from tutor.learning.parameters import Parameters
from tutor.learning.queue import new_items
from tutor.learning.readiness import FIRST_WEIGHT, known_at_sight
from tutor.learning.studyday import days_between
from tutor.paths import Home
from tutor.store import open_store
from tutor.study.desk import Desk

if TYPE_CHECKING:
    from tutor.learning.cards import Card
    from tutor.learning.outlook import Outlook
    from tutor.learning.readiness import Readiness

MINUTES = (15, 30, 60)
"""The budgets shown beside each other."""
WEAKEST = 5
"""Concepts named as the least ready."""
BRACKETS = marked(
    "in brackets: between these shares 95 of 100 learners with your answers would remember; luck is in it, and what the answers leave open"
)
ENOUGH = 30
"""Scheduled answers from which the learner's own time for one is believed."""


@dataclass(frozen=True)
class Gathered:
    """All that the forecast needs beside the answers."""

    home: Home
    interview: str
    left: int
    """Days until then."""
    until: int
    cards: Mapping[str, Card | None]
    """Every scheduled item that was not set aside; those never met in the order in which they come."""
    concepts: Mapping[str, str]
    """Item -> the title of its concept."""
    chances: Mapping[str, float]
    """Item -> the chance to be right without knowledge."""
    utc_us: int
    new_per_day: int
    known_first: float
    known_weight: float
    """How many first sights the share known at first sight rests on."""
    seconds: float
    """Of the learner's time for each first try, with the retries and transfers it brings."""
    parameters: Parameters

    @property
    def unmet(self) -> int:
        """How many items stay unmet at the limit of new ones, whatever the time."""
        return max(0, sum(card is None for card in self.cards.values()) - self.new_per_day * self.left)


def gather(desk: Desk) -> Gathered | None:
    """Return what the forecast needs, or None where no interview is ahead."""
    day, rules = desk.day(), desk.rules()
    if rules.interview <= day:
        return None
    cards, history, library = desk.store.cards(), desk.store.history(day), desk.library
    items = {item.id: item for item in library.scheduled() if item.id not in history.aside}
    order = [*(id for id in items if id in cards), *new_items(items, cards, library, frozenset())]
    titles = {
        id: library.concepts[c].title if (c := item.concept) in library.concepts else c for id, item in items.items()
    }
    chances = {id: guess_chance(item) for id, item in items.items()}
    luck = sum(chances.values()) / max(1, len(items))
    seen, right = desk.store.first_sights()
    return Gathered(
        home=desk.home,
        interview=rules.interview,
        left=days_between(day, rules.interview),
        until=days_of_pace(rules.interview_set or day, day, rules.interview),
        cards={id: cards.get(id) for id in order},
        concepts=titles,
        chances=chances,
        utc_us=desk.now().utc_us,
        new_per_day=rules.new_per_day,
        known_first=known_at_sight(seen, right, luck),
        known_weight=seen + FIRST_WEIGHT,
        seconds=_seconds(desk),
        parameters=desk.store.parameters(),
    )


def look_ahead(gathered: Gathered, minutes: Sequence[int]) -> tuple[Outlook, ...]:
    """Return the forecast for each number of minutes a day. Loads numpy."""
    from tutor.learning.outlook import Starting, outlook
    from tutor.study.review_log import log_and_places

    with open_store(gathered.home, SystemClock({}), read_only=True) as store:
        log, places = log_and_places(store.answers(), store.of_kind("revised"))
    start = Starting(
        cards=tuple(gathered.cards.values()),
        concepts=tuple(gathered.concepts[id] for id in gathered.cards),
        chances=tuple(gathered.chances[id] for id in gathered.cards),
        utc_us=gathered.utc_us,
        left=gathered.left,
        until=gathered.until,
        new_per_day=gathered.new_per_day,
        known_first=gathered.known_first,
        known_weight=gathered.known_weight,
        parameters=gathered.parameters,
        log=log,
        places=tuple(places.get(id, -1) for id in gathered.cards),
    )
    return outlook(start, [round(each * 60 / gathered.seconds) for each in minutes])


def document(gathered: Gathered, minutes: Sequence[int]) -> dict[str, Any]:
    """Return the forecasts as one JSON value; shares are of all scheduled items, one never met counting 0."""
    return {
        "interview": gathered.interview,
        "days": gathered.left,
        "items": len(gathered.cards),
        "seconds_per_answer": round(gathered.seconds, 1),
        "new_per_day": gathered.new_per_day,
        "unmet": gathered.unmet,
        "budgets": [
            {
                "minutes": each,
                "answers": found.answers,
                **_json(found.whole),
                "concepts": [{"title": title, **_json(part)} for title, part in found.concepts.items()],
            }
            for each, found in zip(minutes, look_ahead(gathered, minutes), strict=True)
        ],
    }


def lines(gathered: Gathered, minutes: Sequence[int]) -> list[str]:
    """Return the forecasts in lines, and what the limit of new items leaves out."""
    forecasts = look_ahead(gathered, minutes)
    budget = _("{minutes:>3} min a day, {answers} answers: {share}")
    said = [
        budget.format(minutes=each, answers=found.answers, share=_share(found.whole))
        for each, found in zip(minutes, forecasts, strict=True)
    ]
    weakest = sorted(forecasts[-1].concepts.items(), key=lambda row: row[1].value)[:WEAKEST]
    said += [_("least ready at {minutes} min:").format(minutes=minutes[-1])] if weakest else []
    row = _("  {concept}: {share} of {items}")
    said += [row.format(concept=title, share=_share(part), items=part.items) for title, part in weakest]
    head = _("remembered on {day}, of {count} questions:").format(day=gathered.interview, count=len(gathered.cards))
    return [head, *said, _(BRACKETS), *_left_out(gathered)]


def in_a_line(gathered: Gathered, found: Sequence[Outlook], minutes: Sequence[int] = MINUTES) -> str:
    """Return the forecasts in one line."""
    one = _("{minutes} min {share}")
    shares = [one.format(minutes=each, share=_share(part.whole)) for each, part in zip(minutes, found, strict=True)]
    told = _("Forecast by time a day, with 95 % intervals: {shares}.").format(shares=" · ".join(shares))
    return " ".join([told, *_left_out(gathered)])


def _share(part: Readiness) -> str:
    return f"{part.value:.0%} [{part.low:.0%}, {part.high:.0%}]"


def _left_out(gathered: Gathered) -> list[str]:
    unmet = gathered.unmet
    said = _("At {new} new a day {unmet} stay unmet.")
    return [said.format(new=gathered.new_per_day, unmet=unmet)] if unmet else []


def _seconds(desk: Desk) -> float:
    days = desk.store.days()
    scheduled = sum(row.scheduled for row in days)
    return sum(row.ms for row in days) / scheduled / 1000 if scheduled >= ENOUGH else USUAL_SECONDS


def _json(part: Readiness) -> dict[str, Any]:
    return {"value": round(part.value, 4), "low": round(part.low, 4), "high": round(part.high, 4), "n": part.items}
