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

from collections.abc import Callable, Collection, Mapping

from tutor.content.model import Item
from tutor.frozen import dataclass
from tutor.learning.cards import Candidate, days_since
from tutor.learning.memory import MIN_STABILITY, Rating, after_lapse, after_recall, curve_shape, same_day_stability
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
WEIGHED = 5
"""Of many due cards so many are weighed for each that there is room for, the likeliest forgotten and those that have waited longest."""


@dataclass(frozen=True, slots=True)
class Due:
    """What is asked today, in order, and how many due cards are left for later days."""

    items: tuple[str, ...]
    put_off: int
    after_break: bool = False
    """Whether they are left because of a break, not because of a limit."""


def due_today(
    items: Mapping[str, Item],
    cards: Mapping[str, Candidate],
    day: str,
    utc_us: int,
    parameters: Parameters,
    history: History,
    per_day: int,
    limit: int | None = None,
    bounded: bool = False,
    beyond: int = 0,
) -> Due:
    """Return the cards to ask on study day `day`, of those that may come up; `items` has the item of each.

    `per_day` is the most a day, `limit` the most a sitting; a limit asked for takes the place of the bound after a break. What was missed
    in spite of being sure comes first and is never put off. `bounded` holds a bound although no break is seen, as in the weeks
    after an interview, for which other cards were put off; it follows what the learner is used to, however little. `beyond` more cards
    are due that are not weighed (`WEIGHED`).
    """
    due = [card for card in cards.values() if card.due <= day]
    count = len(due) + beyond
    oldest = min((card.due for card in due), default=day)
    room = room_today(count, oldest, day, history, per_day, limit, bounded)
    if count > room.sitting:
        kinds = {card.item: items[card.item].kind for card in due}
        pace = {kind: history.median_ms.get(kind, USUAL_SECONDS * 1000) / 1000 for kind in set(kinds.values())}
        seconds = {item: pace[kind] for item, kind in kinds.items()}
        asked = most_valuable(due, seconds, utc_us, parameters)
    else:
        asked = due_items(due, day, utc_us)
    first = tuple(id for id in asked if id in history.sure_misses)
    order = first + tuple(id for id in asked if id not in history.sure_misses)
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
    cards: Collection[Candidate], seconds: Mapping[str, float], utc_us: int, parameters: Parameters
) -> tuple[str, ...]:
    """Return the items by gain per second, every fourth place given to the one overdue longest; equals by id."""
    gain = gain_of_asking(utc_us, parameters)
    by_gain = iter(sorted((-gain(card) / seconds[card.item], card.item) for card in cards))
    by_wait = iter(sorted((card.due, card.item) for card in cards))
    order: dict[str, None] = {}
    while len(order) < len(cards):
        source = by_wait if len(order) % LONGEST_EVERY == LONGEST_EVERY - 1 else by_gain
        order[next(id for _, id in source if id not in order)] = None
    return tuple(order)


def gain_of_asking(utc_us: int, parameters: Parameters, days: float = HORIZON_DAYS) -> Callable[[Candidate], float]:
    """Return the function that says what asking a card now adds to its expected recall `days` ahead:
    R·R(h, S_good) + (1 - R)·R(h, S_again) - R(t + h, S)."""
    factor, decay = curve_shape(parameters)  # the curve is written out below: it is asked for four times a card
    weights, threshold = parameters.weights, parameters.threshold_days
    recalled, lapsed = after_recall(weights), after_lapse(weights)

    def gain(card: Candidate) -> float:
        _, stability, difficulty, last_us, _, _ = card
        elapsed = days_since(last_us, utc_us)
        recall = (1 + factor * elapsed / stability) ** -decay
        if elapsed < threshold:
            good, again = (same_day_stability(stability, rating, weights) for rating in (Rating.GOOD, Rating.AGAIN))
        else:
            good, again = recalled(stability, difficulty, recall), lapsed(stability, difficulty, recall)
        after = recall * (1 + factor * days / good) ** -decay
        after += (1 - recall) * (1 + factor * days / max(again, MIN_STABILITY)) ** -decay
        return float(after - (1 + factor * (elapsed + days) / stability) ** -decay)

    return gain
