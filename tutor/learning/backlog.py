"""Which of the due cards are asked today: all of them as a rule; where that is too much, those that gain most.

What fits into the day comes likeliest forgotten first. What does not fit is chosen by gain: expected recall a month from now if the
card is asked today, less what it would be if it is not, per second of the learner's time. It is the interview-date rule with a
horizon that moves along; fsrs4anki-helper postpones by relative overdueness for the same purpose. Every fourth place goes to the
card that has waited longest, so that none waits for ever.

Simulated (`learning.simulate`: 24 learners of each of three kinds, 300 items, twenty answers a day, four weeks away), the choice by gain
with equal times is neither better nor worse than the likeliest forgotten first: true recall of what was met, four weeks after the break, differs by
+0.001, -0.006 and +0.001. What it buys is the learner's time, where kinds of item differ in it.

After a break the day is bounded by what the learner is used to, and the rest follows on the next days.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tutor.content.model import Item
from tutor.frozen import dataclass
from tutor.learning.cards import Card, elapsed_days
from tutor.learning.memory import Rating, forgetting_curve, next_stability
from tutor.learning.parameters import Parameters
from tutor.learning.queue import due_items
from tutor.learning.records import History
from tutor.learning.studyday import add_days

HORIZON_DAYS = 30
"""How far ahead the gain of a review is counted."""
USUAL_SECONDS = 25.0
"""Seconds an answer takes while the learner's own median is unknown."""
LATE_DAYS = 7
"""A card this long overdue tells of a break: a day's ordinary load is worked off within days."""
LEAST_A_DAY = 40
"""Due cards a day after a break, at least."""
ABOVE_USUAL = 1.5
"""After a break a day may hold so many times what a day usually held, so that the backlog shrinks while new dues come in."""
LONGEST_EVERY = 4
"""Of so many places one goes to the card that has waited longest."""
WEIGHED = 1_000
"""Of more due cards so many are weighed, the likeliest forgotten and those that have waited longest. Of 3,000 due they held 92 % or more of
the gain that the best two hundred of all would bring, over nine mixtures of cards."""


@dataclass(frozen=True, slots=True)
class Due:
    """What is asked today, in order, and how many due cards are left for later days."""

    items: tuple[str, ...]
    put_off: int
    after_break: bool = False
    """Whether they are left because of a break, not because of a limit."""


def due_today(
    items: Mapping[str, Item],
    cards: Mapping[str, Card],
    day: str,
    utc_us: int,
    parameters: Parameters,
    history: History,
    per_day: int,
    limit: int | None = None,
    bounded: bool = False,
    beyond: int = 0,
) -> Due:
    """Return the due cards of `items` to ask on study day `day`.

    `per_day` is the most a day, `limit` the most a sitting; a limit asked for takes the place of the bound after a break. What was missed
    in spite of being sure comes first and is never put off. `bounded` holds a bound although no break is seen, as in the weeks
    after an interview, for which other cards were put off; it follows what the learner is used to, however little. `beyond` more cards
    are due that are not weighed (`WEIGHED`).
    """
    due = due_items({id: card for id, card in cards.items() if id in items}, day, utc_us, parameters)
    count = len(due) + beyond
    oldest = min((cards[id].due for id in due), default=day)
    room = room_today(count, oldest, day, history, per_day, limit, bounded)
    if count > room.sitting:
        seconds = {id: history.median_ms.get(items[id].kind, USUAL_SECONDS * 1000) / 1000 for id in due}
        due = most_valuable({id: cards[id] for id in due}, seconds, utc_us, parameters)
    first = tuple(id for id in due if id in history.sure_misses)
    order = first + tuple(id for id in due if id not in history.sure_misses)
    places = max(room.day, len(first))
    return Due(order[:places], max(0, count - places), room.after_break)


@dataclass(frozen=True, slots=True)
class Room:
    """How many due cards there is room for."""

    day: int
    """What is left of the day."""
    sitting: int
    after_break: bool
    """Whether the day is bounded because of a break."""


def room_today(
    count: int, oldest: str, day: str, history: History, per_day: int, limit: int | None = None, bounded: bool = False
) -> Room:
    """Return the room of study day `day` for `count` due cards, of which the longest has been due since `oldest`.

    The other parameters are those of `due_today`.
    """
    room = max(0, per_day - history.answered_today)
    least = 0 if bounded and history.usual_day else LEAST_A_DAY
    bound = max(least, round(ABOVE_USUAL * history.usual_day))
    after_break = limit is None and count > bound and (bounded or oldest <= add_days(day, -LATE_DAYS))
    if after_break:
        room = min(room, max(0, bound - history.answered_today))
    return Room(room, room if limit is None else min(room, limit), after_break)


def most_valuable(
    cards: Mapping[str, Card], seconds: Mapping[str, float], utc_us: int, parameters: Parameters
) -> tuple[str, ...]:
    """Return the cards by gain per second, every fourth place given to the one overdue longest; equals by id."""
    gain = gain_of_asking(utc_us, parameters)
    worth = {id: gain(card) / seconds[id] for id, card in cards.items()}
    by_gain = iter(sorted(cards, key=lambda id: (-worth[id], id)))
    by_wait = iter(sorted(cards, key=lambda id: (cards[id].due, id)))
    order: dict[str, None] = {}
    while len(order) < len(cards):
        source = by_wait if len(order) % LONGEST_EVERY == LONGEST_EVERY - 1 else by_gain
        order[next(id for id in source if id not in order)] = None
    return tuple(order)


def gain_of_asking(utc_us: int, parameters: Parameters, days: float = HORIZON_DAYS) -> Callable[[Card], float]:
    """Return the function that says what asking a card now adds to its expected recall `days` ahead:
    R·R(h, S_good) + (1 - R)·R(h, S_again) - R(t + h, S)."""
    curve = forgetting_curve(parameters)

    def gain(card: Card) -> float:
        memory, elapsed = card.memory, elapsed_days(card, utc_us)
        recall = curve(elapsed, memory.stability)
        good, again = (
            curve(days, next_stability(memory, elapsed, recall, rating, parameters))
            for rating in (Rating.GOOD, Rating.AGAIN)
        )
        return recall * good + (1 - recall) * again - curve(elapsed + days, memory.stability)

    return gain
