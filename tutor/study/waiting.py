"""Which cards a day may ask, read from the file without going through all that the learner ever answered."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import nsmallest
from operator import itemgetter

from tutor.content.experiments import Catalogue
from tutor.content.model import Library
from tutor.frozen import dataclass
from tutor.learning.backlog import LONGEST_EVERY, WEIGHED, room_today
from tutor.learning.cards import Card
from tutor.learning.interview import bounded_after
from tutor.learning.records import History
from tutor.learning.standing import askable
from tutor.learning.world import Rules
from tutor.store import Reader


@dataclass(frozen=True, slots=True)
class Waiting:
    """The cards that may come up, and how many more are due."""

    cards: Mapping[str, Card]
    beyond: int = 0


def waiting(
    reader: Reader, library: Library, catalogue: Catalogue, rules: Rules, history: History, day: str, utc_us: int
) -> Waiting:
    """Return what `World.waiting` holds: the due cards, or of very many those that are weighed; toward an interview every card."""
    items = library.items

    def may_come(id: str) -> bool:
        return id in items and askable(items[id], rules, catalogue)

    if rules.interview > day:
        return Waiting({id: card for id, card in reader.cards().items() if may_come(id)})
    due = [(id, since) for id, since in reader.due(day, utc_us) if may_come(id)]
    oldest = min((since for _, since in due), default=day)
    bounded = bounded_after(rules.interview, day)
    room = room_today(len(due), oldest, day, history, rules.reviews_per_day, rules.limit, bounded)
    most = max(WEIGHED, room.sitting)
    considered = [id for id, _ in due[:most]]
    if len(due) > most:
        longest = nsmallest(most // LONGEST_EVERY, due, key=itemgetter(1))
        sure = history.sure_misses.intersection(id for id, _ in due)
        considered = [*dict.fromkeys((*considered, *(id for id, _ in longest), *sorted(sure)))]
    return Waiting(reader.cards_of(considered), len(due) - len(considered))
