"""Which cards a day may ask, read from the file without going through all that the learner ever answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tutor.content.experiments import Catalogue
from tutor.content.model import Library
from tutor.frozen import dataclass
from tutor.learning.backlog import LEAST_A_DAY, LONGEST_EVERY, WEIGHED, room_today
from tutor.learning.cards import Candidate
from tutor.learning.interview import bounded_after
from tutor.learning.records import History
from tutor.learning.standing import askable
from tutor.learning.world import Rules
from tutor.store import Reader


@dataclass(frozen=True, slots=True)
class Waiting:
    """The cards that may come up, and how many more are due."""

    cards: Mapping[str, Candidate]
    beyond: int = 0


def waiting(
    reader: Reader, library: Library, catalogue: Catalogue, rules: Rules, history: History, day: str, utc_us: int
) -> Waiting:
    """Return what `World.waiting` holds: the due cards, or of very many those that are weighed; toward an interview every card."""

    def open_to(ids: Iterable[str]) -> Iterator[str]:
        met = (item for item in map(library.items.get, ids) if item is not None)
        return (item.id for item in askable(met, rules, catalogue))

    if rules.interview > day:
        return Waiting(_those(reader.candidates(), open_to))
    due = reader.due(day)
    if len(due) <= WEIGHED * LEAST_A_DAY:
        return Waiting(_those(reader.likeliest_forgotten(day, utc_us, len(due)), open_to))
    open_due = list(open_to(due))
    if not open_due:
        return Waiting({})
    (longest,) = reader.candidates(open_due[:1])
    bounded = bounded_after(rules.interview, day)
    room = room_today(len(open_due), longest.due, day, history, rules.reviews_per_day, rules.limit, bounded)
    most = WEIGHED * room.sitting
    cards = _those(reader.likeliest_forgotten(day, utc_us, most + len(due) - len(open_due)), open_to)
    if len(cards) < len(open_due):
        others = history.sure_misses.intersection(open_due).union(open_due[: most // LONGEST_EVERY]).difference(cards)
        cards |= {card.item: card for card in reader.candidates(sorted(others))}
    return Waiting(cards, len(open_due) - len(cards))


def _those(cards: Sequence[Candidate], open_to: Callable[[Iterable[str]], Iterable[str]]) -> dict[str, Candidate]:
    """Return by item the cards that may come up, in their order."""
    by_item = {card.item: card for card in cards}
    return {id: by_item[id] for id in open_to(by_item)}
