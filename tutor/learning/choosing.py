"""Chooses what a sitting asks next.

Order: the item asked for by name; a prerequisite that a miss has shown to be weak; a transfer whose turn has come; a retry after
five other questions; what is due; new items whose prerequisites are likely known. Like is kept apart from like where that can be
avoided, prerequisites and transfers excepted.
"""

from __future__ import annotations

from dataclasses import replace

from tutor.content.model import Item
from tutor.learning.mastery import Mastery, moved, prerequisites
from tutor.learning.placement import QUESTIONS, next_probe
from tutor.learning.queue import origin, pick, pick_apart, ready
from tutor.learning.state import Session

Choice = tuple[Session, Item, str, int | None]


def choose(session: Session) -> Choice | None:
    """Return the session without its next question, that item, its role and the ordinal of the miss it follows; None at the end."""
    if session.world.mode == "mock":
        return _in_order(session)
    if session.world.mode == "quiz":
        return _asked_for(session) or _in_order(session) or _transfer(session, None)
    if session.world.rules.placement:
        return _probe(session)
    return (
        _asked_for(session)
        or _foundation(session)
        or _transfer(session, session.asked)
        or _retry(session)
        or _due(session)
        or _new(session)
        or _transfer(session, None)
    )


def mastery_now(session: Session) -> Mastery:
    """Return where the learner stands on each concept, this sitting's answers included."""
    items, cards = session.world.library.items, session.world.cards
    return moved(session.world.mastery, [(items[id], cards.get(id), card) for id, card in session.changed.items()])


def weak_foundation(session: Session, concept: str) -> str | None:
    """Return the item to ask next after a miss on `concept`: one of the nearest prerequisite that is not likely known.

    Only what may be asked now: an item that is due, or a new one whose own prerequisites are likely known, while the day has room.
    """
    library, now = session.world.library, mastery_now(session)
    known = now.known()
    room = new_left(session) > 0
    at_hand: list[str] = [*session.queue, *(session.new if room else ())]
    for weak in prerequisites(concept, library):
        if weak in known:
            continue
        for id in at_hand:
            item = library.items[id]
            if item.concept == weak and id not in session.gone and ready(item, library, known, now.asked):
                return id
    return None


def _asked_for(session: Session) -> Choice | None:
    id = session.world.rules.first
    if not id or session.asked:
        return None
    item = session.world.library.items[id]
    return _taken(session, id), item, "first", None


def _probe(session: Session) -> Choice | None:
    """The question of a placement that tells most; its dozen is all that is new today."""
    if session.first_asked >= QUESTIONS:
        return None
    library = session.world.library
    open_to = [library.items[id] for id in session.new]
    item = next_probe([item for item in open_to if not item.transfer_of], library, mastery_now(session))
    return None if item is None else (_taken(session, item.id), item, "first", None)


def _foundation(session: Session) -> Choice | None:
    if session.foundation is None:
        return None
    id, cause = session.foundation
    session = replace(session, foundation=None)
    if id in session.gone or limit_reached(session):
        return choose(session)
    return _taken(session, id), session.world.library.items[id], "first", cause


def _transfer(session: Session, asked: int | None) -> Choice | None:
    for place, (item, after, cause) in enumerate(session.transfers):
        if asked is None or after <= asked:
            rest = session.transfers[:place] + session.transfers[place + 1 :]
            return replace(session, transfers=rest), item, "transfer", cause
    return None


def _retry(session: Session) -> Choice | None:
    for place, (id, after, cause) in enumerate(session.retries):
        item = session.world.library.items[id]
        if after <= session.asked and item.concept != session.last_concept:
            rest = session.retries[:place] + session.retries[place + 1 :]
            return replace(session, retries=rest), item, "retry", cause
    return None


def _in_order(session: Session) -> Choice | None:
    """The next of a quiz or a mock, undisturbed by what was missed."""
    id = next((id for id in session.queue if id not in session.gone), None)
    return None if id is None else (_taken(session, id), session.world.library.items[id], "first", None)


def _due(session: Session) -> Choice | None:
    if limit_reached(session):
        return None
    items = session.world.library.items
    waiting = [items[id] for id in session.queue if id not in session.gone]
    if not waiting:
        return None
    met = {origin(items[id]) for id in session.gone if id in items}
    item = waiting[pick_apart(waiting, session.last_concept, met)]
    return _taken(session, item.id), item, "first", None


def _new(session: Session) -> Choice | None:
    if limit_reached(session) or new_left(session) <= 0:
        return None
    library, now = session.world.library, mastery_now(session)
    known = now.known()
    candidates = [item for item in (library.items[id] for id in session.new) if ready(item, library, known, now.asked)]
    if not candidates:
        return None
    item = candidates[pick([c.concept for c in candidates], session.last_concept)]
    return _taken(session, item.id), item, "first", None


def _taken(session: Session, id: str) -> Session:
    """Return the session with `id` not due any more."""
    return replace(session, queue=tuple(other for other in session.queue if other != id))


def new_left(session: Session) -> int:
    """Return how many new cards the day still has room for, pending transfers taken off."""
    pending = sum(item.scheduled for item, _, _ in session.transfers)
    return session.world.rules.new_per_day - session.world.history.new_today - session.introduced - pending


def limit_reached(session: Session) -> bool:
    """Whether the sitting's own limit of first presentations is used up."""
    limit = session.world.rules.limit
    return limit is not None and session.first_asked >= limit
