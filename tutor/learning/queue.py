"""The order of a day: what is due, what may be new, and how two questions on one idea are kept apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from tutor.content.model import Item, Library
from tutor.learning.cards import Candidate, Card


def due_items(cards: Iterable[Candidate], day: str, utc_us: int) -> tuple[str, ...]:
    """Return the items due on study day `day` or before, the one most likely forgotten first; equal ones by id.

    Recall falls with the time since the last answer over the stability, whatever the parameters, so its order is that of this quotient.
    """

    def order(card: Candidate) -> tuple[float, str]:
        return min(0, card.last_us - utc_us) / card.stability, card.item

    return tuple(card.item for card in sorted((card for card in cards if card.due <= day), key=order))


def new_items(
    items: Mapping[str, Item], cards: Mapping[str, Card], library: Library, seen: AbstractSet[str]
) -> tuple[str, ...]:
    """Return the items never answered, in the order in which they may be introduced.

    First the transfers that a missed item still owes; then the others along the concept graph, in deck order; the remaining
    transfers last, so that they stay unseen as long as there is other material.
    """
    depth = concept_depths(library)
    place = {id: number for number, id in enumerate(items)}

    def order(item: Item) -> tuple[int, int, int]:
        origin = cards.get(item.transfer_of)
        rank = (0 if origin is not None and origin.recent.endswith("-") else 2) if item.transfer_of else 1
        return rank, depth.get(item.concept, 0), place[item.id]

    unseen = [item for item in items.values() if item.id not in cards and item.id not in seen]
    return tuple(item.id for item in sorted(unseen, key=order))


def ready(item: Item, library: Library, known: AbstractSet[str], asked: AbstractSet[str] | None = None) -> bool:
    """Whether every direct prerequisite of the item's concept is likely known, of those that can be asked about.

    `asked` are the concepts with questions; None takes those of the library that are no mere transfers. A concept outside the graph
    builds on nothing.
    """
    concept = library.concepts.get(item.concept)
    if concept is None:
        return True
    if asked is None:
        asked = {other.concept for other in library.scheduled() if not other.transfer_of}
    return all(required in known or required not in asked for required in concept.requires)


def pick(concepts: Sequence[str], last: str) -> int:
    """Return the place of the first candidate whose concept differs from the last one asked, else the first."""
    return next((place for place, concept in enumerate(concepts) if concept != last), 0)


def pick_apart(items: Sequence[Item], last: str, met: AbstractSet[str]) -> int:
    """Return the place of the item to ask next when all of `items` are to be asked, so that like comes apart from like.

    No concept comes twice in a row where that can be avoided: one that makes up more than half of what is left goes first. A
    sibling of an item already met in the sitting (`met` holds their origins) waits while there is another.
    """
    concepts = [item.concept for item in items]
    most, count = Counter(concepts).most_common(1)[0]
    if most != last and 2 * count > len(concepts):
        return concepts.index(most)
    others = [place for place, concept in enumerate(concepts) if concept != last]
    fresh = [place for place in others if origin(items[place]) not in met]
    return (fresh or others or [0])[0]


def origin(item: Item) -> str:
    """Return the id that an item shares with its siblings: that of the item whose transfer it is, else its own."""
    return item.transfer_of or item.id


def concept_depths(library: Library) -> dict[str, int]:
    """Return for each concept the length of the longest chain of prerequisites before it; what requires itself keeps what is known so far."""
    before = {id: set(concept.requires) for id, concept in library.concepts.items()}
    after: dict[str, list[str]] = {}
    for id, required in before.items():
        for one in required & before.keys():
            after.setdefault(one, []).append(id)
    depths = {id: int(bool(required - before.keys())) for id, required in before.items()}
    left = {id: len(required & before.keys()) for id, required in before.items()}
    ready = [id for id, count in left.items() if count == 0]
    for id in ready:  # grows while it is gone through
        for one in after.get(id, ()):
            depths[one] = max(depths[one], depths[id] + 1)
            left[one] -= 1
            if left[one] == 0:
                ready.append(one)
    return depths
