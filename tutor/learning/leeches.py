"""Cards that take more than they give: missed again and again, set aside with something better than one more try."""

from __future__ import annotations

from dataclasses import replace

from tutor.learning.cards import Card
from tutor.learning.choosing import mastery_now
from tutor.learning.effects import Effect, SetAside
from tutor.learning.ladder import diagnose
from tutor.learning.mastery import prerequisites
from tutor.learning.state import Judged, Notice, Session

LAPSES = 6
"""Misses after the first answer from which a card may be a leech. Anki takes 8; here each miss costs an explanation and a run too."""
EVERY = 3
"""Taken up again, a card is set aside anew after so many further misses (Anki: half the threshold)."""
OF_RECENT = 2
"""And so many of its last three answers were missed: six misses over years are no leech."""


def is_leech(card: Card) -> bool:
    """Whether a card that was just missed should be set aside."""
    beyond = card.lapses - LAPSES
    return beyond >= 0 and beyond % EVERY == 0 and card.recent.endswith("-") and card.recent.count("-") >= OF_RECENT


def set_leech_aside(session: Session, judged: Judged) -> tuple[Session, Judged, tuple[Effect, ...]]:
    """Return the session with the card just missed set aside where it is a leech, the verdict that says so, and what to write."""
    id = judged.question.item.id
    card = session.changed.get(id)
    if judged.answered.rating != 1 or card is None or not is_leech(card):
        return session, judged, ()
    remedy, target = suggestion(session, judged)
    session = replace(
        session,
        changed={**session.changed, id: replace(card, suspended=True)},
        load={**session.load, card.due: session.load[card.due] - 1},
        retries=tuple(entry for entry in session.retries if entry[0] != id),
        notices=(*session.notices, Notice("leech", id, count=card.lapses, remedy=remedy, target=target)),
    )
    return session, replace(judged, again_soon=False, aside=True), (SetAside(id, "leech", remedy, target),)


def suggestion(session: Session, judged: Judged) -> tuple[str, str]:
    """Return what should help instead, (remedy, target): a prerequisite that is not likely known, an experiment, the guide, the source."""
    item, library = judged.question.item, session.world.library
    known = mastery_now(session).known()
    weak = next((concept for concept in prerequisites(item.concept, library) if concept not in known), None)
    if weak is not None:
        return "prerequisite", weak
    found = diagnose(judged.grade.myth, item, library, session.world.catalogue)
    if found is not None:
        return "experiment", found.experiment.id
    deck = library.deck(item.deck)
    if deck is not None and deck.guide is not None:
        return "guide", deck.id
    return "source", item.sources[0] if item.sources else ""
