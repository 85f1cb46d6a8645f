"""Decks read again in the middle of a sitting: what comes next is asked from the new text, and what stands on the screen shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tutor.clock import Instant
from tutor.content.model import Item, Library
from tutor.learning.cards import Card
from tutor.learning.present import card_of, present
from tutor.learning.state import Asking, Betting, Compared, Flipped, Judged, Question, Session, Shown


def reread(session: Session, library: Library, now: Instant) -> Session:
    """Return the session over another library. Answers, cards and counts stay; items that are gone are not asked any more."""
    items = library.items
    foundation = session.foundation if session.foundation and session.foundation[0] in items else None
    session = replace(
        session,
        world=replace(session.world, library=library),
        changed={id: card for id, card in session.changed.items() if id in items},
        queue=tuple(id for id in session.queue if id in items),
        retries=tuple(entry for entry in session.retries if entry[0] in items),
        transfers=tuple((items.get(item.id, item), turn, miss) for item, turn, miss in session.transfers),
        foundation=foundation,
    )
    match session.phase:
        case Asking(question=question):
            return replace(
                session, phase=replace(session.phase, question=_asked(session, question), since_ms=now.mono_ms)
            )
        case Shown(judged=judged):
            return replace(session, phase=replace(session.phase, judged=_shown(judged, library)))
        case Betting(judged=judged) | Compared(judged=judged) | Flipped(judged=judged) if judged is not None:
            return replace(session, phase=replace(session.phase, judged=_shown(judged, library)))
    return session


def revised(session: Session, item: str, card: Card | None) -> Session:
    """Return the session with the card that a decision over an item's history has left; None where the item is new again.

    An answer before the decision is taken back through the log, which knows what came after it.
    """
    changed = {id: one for id, one in session.changed.items() if id != item}
    if card is not None:
        return replace(session, changed=changed | {item: card}, before=None)
    world = replace(session.world, cards=Without(session.world.cards, item))
    return replace(session, world=world, changed=changed, before=None)


class Without(Mapping[str, Card]):
    """The cards of before less one, still read when asked for."""

    def __init__(self, before: Mapping[str, Card], item: str) -> None:
        self._before = before
        self._item = item

    def __getitem__(self, item: str) -> Card:
        if item == self._item:
            raise KeyError(item)
        return self._before[item]

    def __iter__(self) -> Iterator[str]:
        return (item for item in self._before if item != self._item)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _asked(session: Session, question: Question) -> Question:
    """Return a question that waits for its answer from the new text, put anew where more than its words has changed."""
    item = session.world.library.items.get(question.item.id)
    if item is None:
        return question
    if _same_surface(item, question):
        return _retold(item, question)
    card = card_of(session, item.id)
    return present(session.world, item, question.role, question.seed, card, question.cause)


def _shown(judged: Judged, library: Library) -> Judged:
    """Return an answered question with the new words, where the answer still fits them."""
    item = library.items.get(judged.question.item.id)
    if item is None or not _same_surface(item, judged.question):
        return judged
    return replace(judged, question=_retold(item, judged.question))


def _same_surface(item: Item, question: Question) -> bool:
    """Whether an item differs from the one that was put in its words alone."""
    return _surface(item) == _surface(question.item)


def _surface(item: Item) -> tuple[object, ...]:
    keys = {option.key for option in item.options}, tuple(gap.key for gap in item.gaps)
    return item.kind, *keys, item.family, dict(item.params), item.unit


def _retold(item: Item, question: Question) -> Question:
    if question.drawn is None:
        return replace(question, item=item)
    from tutor.content.families import render  # loaded already, since numbers were drawn

    return replace(question, item=render(item, question.drawn))
