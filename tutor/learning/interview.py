"""Toward an interview date: what a day asks, and how many new items it holds.

With a date set, a day's places go to new items at an even pace and else to the cards whose asking raises the expected recall most,
within the next week or on the day itself, whichever is nearer (`policies.toward_day` is the same rule on columns; docs/evidence.md holds it against
tuned queues). A date changes what is asked, not how much: a day has as many places as came due or as the learner is used to.

From the day itself on the usual order holds again. What was put off meanwhile is due then, and comes bounded as after a break.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from tutor.content.model import Item
from tutor.frozen import dataclass
from tutor.learning.backlog import Due, due_today, gain_of_asking
from tutor.learning.cards import Candidate
from tutor.learning.parameters import Parameters
from tutor.learning.records import History
from tutor.learning.studyday import add_days, days_between
from tutor.learning.world import Rules

PACE = 0.6
"""Share of the days until an interview over which new items are spread."""
AHEAD_DAYS = 7
"""How far ahead a gain is looked for, at most: further off, an answer is not the last before the day."""
AFTER_DAYS = 28
"""So long after the date a day stays bounded."""


@dataclass(frozen=True, slots=True)
class DayPlan:
    """What a day asks of the cards there are, and the most new cards it takes."""

    due: Due
    new_per_day: int


def plan_day(
    items: Mapping[str, Item],
    cards: Mapping[str, Candidate],
    unseen: int,
    day: str,
    utc_us: int,
    parameters: Parameters,
    history: History,
    rules: Rules,
    beyond: int = 0,
) -> DayPlan:
    """Return what study day `day` asks of the cards that may come up; toward the interview where one is ahead, with `unseen` items never
    answered. `items` has the item of each card.

    `beyond` is as in `due_today`.
    """
    date = rules.interview
    just_over = bounded_after(date, day)
    due = due_today(
        items,
        cards,
        day,
        utc_us,
        parameters,
        history,
        rules.reviews_per_day,
        rules.limit,
        bounded=just_over,
        beyond=beyond,
    )
    if not date or date <= day:
        return DayPlan(due, rules.new_per_day)
    paced = new_a_day(unseen + history.new_today, rules.interview_set or day, day, date)
    new = min(rules.new_per_day, paced)
    places = _places(due, unseen, max(0, new - history.new_today), history, rules)
    first = tuple(id for id in due.items if id in history.sure_misses)
    gainful = toward(cards, day, utc_us, parameters, days_between(day, date))
    rest = tuple(id for id in gainful if id not in first)
    return DayPlan(Due((first + rest)[: max(places, len(first))], 0), new)


def bounded_after(date: str, day: str) -> bool:
    """Whether `day` lies in the weeks after an interview in which a day stays bounded; `date` may be empty."""
    return bool(date) and date <= day < add_days(date, AFTER_DAYS)


def toward(cards: Mapping[str, Candidate], day: str, utc_us: int, parameters: Parameters, left: int) -> tuple[str, ...]:
    """Return the cards that would gain by being asked today, `left` days before the interview, most first; equals by id."""
    horizon = min(AHEAD_DAYS, left)
    gain = gain_of_asking(utc_us, parameters, horizon)
    gains = {id: gain(card) for id, card in cards.items() if card.last_day < day}
    return tuple(sorted((id for id in gains if gains[id] > 0), key=lambda id: (-gains[id], id)))


def new_a_day(unseen: int, since: str, day: str, date: str) -> int:
    """Return how many of `unseen` items to introduce on `day`, so that all are met within `PACE` of the days from `since` to `date`.

    Once that time is over, what is still unseen is asked for at once; the learner's own limit bounds it.
    """
    return ceil(unseen / max(1, days_of_pace(since, day, date)))


def days_of_pace(since: str, day: str, date: str) -> int:
    """Return the days left on `day` for meeting new items, of those from `since` to `date`; negative once they are over."""
    return ceil(PACE * days_between(since, date)) - days_between(since, day)


def _places(due: Due, unseen: int, new: int, history: History, rules: Rules) -> int:
    """Return how many cards the day asks, new ones aside."""
    room = max(0, rules.reviews_per_day - history.answered_today)
    taken = min(unseen, new)
    if rules.limit is not None:
        return min(room, max(0, rules.limit - taken))
    return min(room, max(len(due.items), history.usual_day - history.answered_today - taken))
