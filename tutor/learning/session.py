"""The sitting as one pure function: `step(session, move) -> session, effects`.

Both front ends, the tests and the benches drive this function. A move that does not fit the phase changes nothing but the
hint, so a wrong key is never an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tutor.clock import Instant
from tutor.learning import moves
from tutor.learning.asking import asking, asking_sureness, measuring
from tutor.learning.demonstrating import betting, observing, running
from tutor.learning.effects import CancelRun, Effect, RecordRun, Retract, RetractEarlier, SetAside, TakeUp, WriteFlag
from tutor.learning.offers import explore, record_offer, run_record
from tutor.learning.present import advance_to_next, begin, card_of
from tutor.learning.rereading import reread, revised
from tutor.learning.state import (
    Asking,
    AskingSureness,
    Betting,
    Compared,
    Finished,
    Flipped,
    Judged,
    Measuring,
    Observing,
    Offer,
    Running,
    Session,
    Shown,
    Unmeasured,
)

__all__ = ["begin", "step"]

Step = tuple[Session, tuple[Effect, ...]]


def step(session: Session, move: moves.Event) -> Step:
    """Return the session after `move` and what must be done about it."""
    match move:
        case moves.Undo():
            return _undo(session, move.now)
        case moves.Quit():
            return _quit(session)
        case moves.Suspend():
            return _suspend(session, move.now)
        case moves.Flag():
            item = _item_at_hand(session)
            return session, (WriteFlag(item, move.note),) if item else ()
        case moves.Explore():
            return _explore(session)
        case moves.Reread():
            return reread(session, move.library, move.now), ()
        case moves.Revised():
            return revised(session, move.item, move.card), ()
    handler: Callable[[Session, Any, Any], Step] | None = _HANDLERS.get(type(session.phase))
    return handler(session, session.phase, move) if handler else (session, ())


def _go_on(session: Session, phase: object, move: moves.Event) -> Step:
    if isinstance(move, moves.Continue | moves.Skip):
        return advance_to_next(session, move.now), ()
    return session, ()


_HANDLERS: dict[type, Callable[[Session, Any, Any], Step]] = {
    Asking: asking,
    AskingSureness: asking_sureness,
    Measuring: measuring,
    Unmeasured: _go_on,
    Shown: _go_on,
    Betting: betting,
    Running: running,
    Observing: observing,
    Compared: _go_on,
    Flipped: _go_on,
}


# --- at any time ---------------------------------------------------------------------------------------------------


def _undo(session: Session, now: Instant) -> Step:
    match session.phase:
        case AskingSureness(question=question):
            return replace(session, phase=Asking(question, now.mono_ms)), ()
        case Measuring(question=question):
            return replace(session, phase=Asking(question, now.mono_ms)), (CancelRun(),)
    if session.world.mode == "mock":
        return session, ()  # the answer has been seen: a second one would be no first sight
    if session.before is None:
        alone = session.world.mode == "quiz" or session.world.rules.placement
        return session, () if alone else (RetractEarlier(),)  # a round of its own reaches into no sitting before it
    earlier = session.before
    assert isinstance(earlier.phase, Asking)
    stop: tuple[Effect, ...] = (CancelRun(),) if isinstance(session.phase, Running) else ()
    phase = replace(earlier.phase, since_ms=now.mono_ms)
    # What was run was run: the ladder and the count of runs do not go back with the answer.
    restored = replace(earlier, phase=phase, myths=session.myths, runs=session.runs)
    if earlier.world is not session.world:  # the decks were read again since
        restored = reread(restored, session.world.library, now)
    return restored, (*stop, Retract(earlier.answers), *_taken_up(session, earlier))


def _taken_up(session: Session, earlier: Session) -> tuple[Effect, ...]:
    """An item that was set aside for the answer taken back is no longer so."""
    assert isinstance(earlier.phase, Asking)
    id = earlier.phase.question.item.id
    now, before = session.changed.get(id), card_of(earlier, id)
    aside = now is not None and now.suspended and not (before is not None and before.suspended)
    return (TakeUp(id),) if aside else ()


def _quit(session: Session) -> Step:
    effects: tuple[Effect, ...] = ()
    match session.phase:
        case Running(offer=offer):
            effects = (CancelRun(), record_offer(offer, "skipped"))
        case Measuring():
            effects = (CancelRun(),)
        case Betting(offer=offer):
            effects = (record_offer(offer, "skipped"),)
        case Observing(offer=offer, bet=bet, result=result):
            ran = RecordRun(run_record(offer, bet, result, None, offer.miss))
            effects = (ran, record_offer(offer, "run"))
    return replace(session, phase=Finished("quit")), effects


def _suspend(session: Session, now: Instant) -> Step:
    item = _item_at_hand(session)
    if not item or isinstance(session.phase, Measuring | Running | Observing):
        return session, ()
    skipped: tuple[Effect, ...] = ()
    if isinstance(session.phase, Betting):
        skipped = (record_offer(session.phase.offer, "skipped"),)
    retries = tuple(entry for entry in session.retries if entry[0] != item)
    session = replace(session, gone=session.gone | {item}, retries=retries)
    return advance_to_next(session, now), (SetAside(item), *skipped)


def _explore(session: Session) -> Step:
    judged: Judged | None = None
    offer: Offer | None = None
    match session.phase:
        case Shown(judged=judged, offer=offer):
            pass
        case Compared(judged=judged, offer=offer) | Flipped(judged=judged, offer=offer):
            pass
        case _:
            return session, ()
    found = explore(session, judged, offer)
    if found is None:
        return session, ()
    return replace(session, phase=Betting(found, judged)), ()


def _item_at_hand(session: Session) -> str:
    match session.phase:
        case Asking(question=question) | AskingSureness(question=question) | Measuring(question=question):
            return question.item.id
        case Unmeasured(question=question):
            return question.item.id
        case Shown(judged=judged):
            return judged.question.item.id
        case Betting(judged=judged) | Compared(judged=judged) | Flipped(judged=judged) if judged is not None:
            return judged.question.item.id
    return ""
