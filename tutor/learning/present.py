"""Chooses what is asked next and how it is put: the order of a sitting, drawn numbers, shuffled options.

Order: the item asked for by name; a transfer whose turn has come; a retry after five other questions; what is due, most
forgotten first; new items whose prerequisites were met. One concept is not asked twice in a row, transfers excepted.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from dataclasses import replace

from tutor.clock import Instant
from tutor.content.families import draw, render
from tutor.content.model import Item
from tutor.learning.cards import Card
from tutor.learning.queue import due_items, new_items, pick, ready
from tutor.learning.state import Asking, AskingSureness, Betting, Finished, Measuring, Question, Session
from tutor.learning.studyday import study_day
from tutor.learning.world import World

RETRY_AFTER = 5
"""Other questions between a miss and its retry."""
TRANSFER_AFTER = 1
"""Other questions between a miss and the transfer that follows it."""
WELL_KNOWN_DAYS = 7.0
"""Stability above which the options stay hidden at first."""


def card_of(session: Session, item: str) -> Card | None:
    """Return the card of `item` as it stands now, or None while it is new."""
    return session.changed.get(item) or session.world.cards.get(item)


def day_of(session: Session, now: Instant) -> str:
    """Return the study day of `now` as an ISO date."""
    return study_day(now, session.world.rules.rollover).isoformat()


def begin(world: World, now: Instant) -> Session:
    """Return a sitting that asks its first question, or is finished because nothing is due."""
    session = Session(world, Finished("nothing"))
    if world.mode == "quiz":
        return advance_to_next(replace(session, queue=world.quiz), now)
    day = study_day(now, world.rules.rollover).isoformat()
    allowed = {item.id: item for item in world.library.scheduled() if _askable(world, item)}
    cards = {id: card for id, card in world.cards.items() if id in allowed}
    due = due_items(cards, day, now.utc_us, world.parameters)
    left = max(0, world.rules.reviews_per_day - world.history.answered_today)
    new = new_items(allowed, world.cards, world.library, world.history.seen | world.history.aside)
    session = replace(session, queue=due[:left], new=new)
    return advance_to_next(session, now)


def advance_to_next(session: Session, now: Instant) -> Session:
    """Return the session with its next question on the screen, or a run that waited, or finished."""
    chosen = _choose(session)
    if chosen is not None:
        session, item, role, cause = chosen
        return _ask(session, item, role, cause, now)
    if session.waiting:
        offer, *rest = session.waiting
        return replace(session, waiting=tuple(rest), phase=Betting(offer, None))
    return replace(session, phase=Finished(_reason(session)))


def remaining(session: Session) -> int:
    """Return how many first presentations may still come, transfers included."""
    if session.world.mode == "quiz":
        return len(session.queue)
    count = len(session.queue) + len(session.transfers) + new_to_come(session)
    limit = session.world.rules.limit
    return count if limit is None else min(count, max(0, limit - session.first_asked) + len(session.transfers))


def new_to_come(session: Session) -> int:
    """Return how many new items may still be introduced today, the one on the screen taken off."""
    at_hand = 0
    if isinstance(session.phase, Asking | AskingSureness | Measuring):
        question = session.phase.question
        at_hand = question.role == "first" and card_of(session, question.item.id) is None
    return min(len(session.new), max(0, new_left(session) - at_hand))


def draw_seed(*parts: object) -> int:
    """Return a 31-bit seed that depends on `parts` alone, the same on every machine."""
    digest = hashlib.sha256(":".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def present(world: World, item: Item, role: str, seed: int, card: Card | None, cause: int | None) -> Question:
    """Return `item` as it is put now: numbers drawn from `seed`, options shuffled by it unless the deck is served as it is."""
    drawn = draw(item.family, item.params, seed) if item.family else None
    order = [option.key for option in item.options]
    deck = world.library.deck(item.deck)
    if not (deck and deck.as_served):
        random.Random(seed).shuffle(order)
    known = card is not None and card.memory.stability > WELL_KNOWN_DAYS
    hidden = world.rules.recall_first and known and item.kind in ("choice", "multi") and role == "first"
    shown = render(item, drawn) if drawn else item
    return Question(shown, role, seed, tuple(order), drawn, cause, hidden)


def _askable(world: World, item: Item) -> bool:
    wanted = not world.rules.decks or item.deck in world.rules.decks
    measurable = item.kind != "predict" or (
        world.rules.lab != "off" and item.experiment is not None and item.experiment.id in world.catalogue
    )
    return wanted and measurable


Choice = tuple[Session, Item, str, int | None]


def _choose(session: Session) -> Choice | None:
    return (
        _asked_for(session)
        or _transfer(session, session.asked)
        or (None if session.world.mode == "quiz" else _retry(session))
        or _from_queue(session)
        or (None if session.world.mode == "quiz" else _new(session))
        or _transfer(session, None)
    )


def _asked_for(session: Session) -> Choice | None:
    id = session.world.rules.first
    if not id or session.asked:
        return None
    item = session.world.library.items[id]
    queue = tuple(other for other in session.queue if other != id)
    new = tuple(other for other in session.new if other != id)
    return replace(session, queue=queue, new=new), item, "first", None


def _transfer(session: Session, asked: int | None) -> Choice | None:
    if session.world.mode == "quiz" and asked is not None:
        return None  # a quiz runs to its end undisturbed
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


def _from_queue(session: Session) -> Choice | None:
    if session.world.mode != "quiz" and _limit_reached(session):
        return None
    items = session.world.library.items
    waiting = [id for id in session.queue if id not in session.gone]
    if not waiting:
        return None
    quiz = session.world.mode == "quiz"
    place = 0 if quiz else pick([items[id].concept for id in waiting], session.last_concept)
    id = waiting.pop(place)
    return replace(session, queue=tuple(waiting)), items[id], "first", None


def _new(session: Session) -> Choice | None:
    if _limit_reached(session) or new_left(session) <= 0:
        return None
    world = session.world
    answered = {
        world.library.items[id].concept for id in {**world.cards, **session.changed} if id in world.library.items
    }
    candidates = [
        world.library.items[id]
        for id in session.new
        if id not in session.gone and ready(world.library.items[id], world.library, answered)
    ]
    if not candidates:
        return None
    item = candidates[pick([c.concept for c in candidates], session.last_concept)]
    return replace(session, new=tuple(id for id in session.new if id != item.id)), item, "first", None


def new_left(session: Session) -> int:
    """Return how many new cards the day still has room for, pending transfers taken off."""
    pending = sum(item.scheduled for item, _, _ in session.transfers)
    return session.world.rules.new_per_day - session.world.history.new_today - session.introduced - pending


def _limit_reached(session: Session) -> bool:
    limit = session.world.rules.limit
    return limit is not None and session.first_asked >= limit


def _ask(session: Session, item: Item, role: str, cause: int | None, now: Instant) -> Session:
    world = session.world
    card = card_of(session, item.id)
    if role == "first" and (not item.scheduled or (card is not None and card.last_day >= day_of(session, now))):
        role = "practice"  # one answer a study day moves a card; a quiz moves none
    seed = draw_seed(world.seed, item.id, session.asked)
    return replace(
        session,
        phase=Asking(present(world, item, role, seed, card, cause), now.mono_ms),
        asked=session.asked + 1,
        first_asked=session.first_asked + (role in ("first", "practice")),
        gone=session.gone | {item.id},
        last_concept=item.concept,
    )


def _reason(session: Session) -> str:
    if not session.asked:
        return "nothing"
    return "limit" if session.world.mode != "quiz" and _limit_reached(session) else "done"


def load_of(session: Session) -> Mapping[str, int]:
    """Return the number of cards due per study day, this sitting's changes included."""
    base = session.world.history.load
    return {day: base.get(day, 0) + session.load.get(day, 0) for day in {**base, **session.load}}
