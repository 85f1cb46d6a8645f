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
from tutor.learning.effects import (
    CancelRun,
    Effect,
    RecordRun,
    Retract,
    RetractEarlier,
    SetAside,
    StartRun,
    WriteFlag,
)
from tutor.learning.grading import Given
from tutor.learning.judge import judge, wants_sureness
from tutor.learning.offers import after_verdict, compare, explore, flipped, record_offer, run_record
from tutor.learning.present import advance_to_next, begin
from tutor.learning.state import (
    SURENESS,
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
    Question,
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
    handler: Callable[[Session, Any, Any], Step] | None = _HANDLERS.get(type(session.phase))
    return handler(session, session.phase, move) if handler else (session, ())


# --- asking --------------------------------------------------------------------------------------------------------


def _asking(session: Session, phase: Asking, move: moves.Event) -> Step:
    match move:
        case moves.Reveal():
            return replace(session, phase=replace(phase, question=replace(phase.question, hidden=False))), ()
        case moves.Mark(sureness=sureness):
            return replace(session, phase=replace(phase, sureness=sureness, hint="")), ()
        case moves.DontKnow():
            return _answered(session, phase.question, Given(), None, move.now.mono_ms - phase.since_ms, move.now)
        case moves.Answer():
            hint = _unfit(phase.question, move)
            if hint:
                return replace(session, phase=replace(phase, hint=hint)), ()
            given = Given(move.choice, move.raw, move.value)
            ms = max(0, move.now.mono_ms - phase.since_ms)
            if phase.sureness is None and wants_sureness(session, phase.question, move.now):
                return replace(session, phase=AskingSureness(phase.question, given, ms)), ()
            return _answered(session, phase.question, given, phase.sureness, ms, move.now)
    return session, ()


def _unfit(question: Question, answer: moves.Answer) -> str:
    """Return why an answer does not fit the question, or nothing."""
    if question.item.kind == "numeric":
        return "" if answer.value is not None else "Type a number."
    chosen = answer.choice or ()
    if not chosen or any(key not in question.order for key in chosen):
        return f"Choose 1 to {len(question.order)}."
    return "" if question.item.kind == "multi" or len(chosen) == 1 else "Choose one."


def _asking_sureness(session: Session, phase: AskingSureness, move: moves.Event) -> Step:
    match move:
        case moves.Mark(sureness=sureness) if sureness is None or sureness in SURENESS:
            return _answered(session, phase.question, phase.given, sureness, phase.ms, move.now)
        case moves.Continue() | moves.Skip():
            return _answered(session, phase.question, phase.given, None, phase.ms, move.now)
    return session, ()


def _answered(session: Session, question: Question, given: Given, sureness: str | None, ms: int, now: Instant) -> Step:
    asked = replace(session, phase=Asking(question, now.mono_ms))
    if question.item.kind == "predict" and given.choice is not None and question.item.experiment is not None:
        link = question.item.experiment
        start = StartRun(session.world.catalogue[link.id], link.set)
        return replace(session, phase=Measuring(question, given, ms, sureness)), (start,)
    moved, judged, record = judge(asked, question, given, sureness, ms, now)
    session, effects = after_verdict(replace(moved, before=asked), judged)
    return session, (record, *effects)


def _measuring(session: Session, phase: Measuring, move: moves.Event) -> Step:
    match move:
        case moves.RunEnded():
            return _measured(session, phase, move)
        case moves.Skip():
            asked = Asking(phase.question, move.now.mono_ms)
            return replace(session, phase=asked), (CancelRun(),)
    return session, ()


def _measured(session: Session, phase: Measuring, move: moves.RunEnded) -> Step:
    question, result = phase.question, move.result
    link = question.item.experiment
    assert link is not None
    experiment = session.world.catalogue[link.id]
    bet = experiment.bets[link.bet]
    if not result.completed or str(result.measured(bet.metric)) not in question.order:
        sentence = result.sentence or "The run did not measure what the question asks."
        return replace(session, phase=Unmeasured(question, sentence)), ()
    asked = replace(session, phase=Asking(question, move.now.mono_ms))
    moved, judged, record = judge(asked, question, phase.given, phase.sureness, phase.ms, move.now, result)
    offer = Offer("run", experiment, link.set, bet, judged.myth, None, question.item.id)
    choice = phase.given.choice[0] if phase.given.choice else None
    ran = run_record(offer, choice, result, None, None if judged.grade.correct else judged.number)
    session, effects = after_verdict(replace(moved, before=asked, runs=moved.runs + 1), judged)
    return session, (record, RecordRun(ran), *effects)


# --- after the verdict ---------------------------------------------------------------------------------------------


def _go_on(session: Session, phase: object, move: moves.Event) -> Step:
    if isinstance(move, moves.Continue | moves.Skip):
        return advance_to_next(session, move.now), ()
    return session, ()


def _betting(session: Session, phase: Betting, move: moves.Event) -> Step:
    offer = phase.offer
    match move:
        case moves.Skip():
            return advance_to_next(session, move.now), (record_offer(offer, "skipped"),)
        case moves.LayBet(bet=bet):
            hint = _unfit_bet(offer, bet)
            if hint:
                return replace(session, phase=replace(phase, hint=hint)), ()
            if offer.flip is not None:
                right = bet == offer.flip.answer
                session, effects = flipped(session, offer, right)
                return replace(session, phase=Flipped(offer, phase.judged, str(bet), right)), effects
            return replace(session, phase=Running(offer, phase.judged, bet)), (
                StartRun(offer.experiment, offer.params),
            )
    return session, ()


def _unfit_bet(offer: Offer, bet: object) -> str:
    if offer.flip is not None:
        return "" if bet in offer.flip.choices else f"Choose 1 to {len(offer.flip.choices)}."
    if bet is None or offer.bet is None:
        return ""
    if offer.bet.kind == "choice":
        return "" if bet in offer.bet.choices else f"Choose 1 to {len(offer.bet.choices)}."
    return "" if isinstance(bet, int | float) else "Type a number."


def _running(session: Session, phase: Running, move: moves.Event) -> Step:
    match move:
        case moves.RunEnded(result=result):
            if result.completed and phase.offer.experiment.observation is not None:
                return replace(session, phase=Observing(phase.offer, phase.judged, phase.bet, result)), ()
            return compare(session, phase.offer, phase.judged, phase.bet, result, None, move.now)
        case moves.Skip():
            return advance_to_next(session, move.now), (CancelRun(), record_offer(phase.offer, "skipped"))
    return session, ()


def _observing(session: Session, phase: Observing, move: moves.Event) -> Step:
    observation = phase.offer.experiment.observation
    assert observation is not None
    match move:
        case moves.Observed(seen=seen) if seen is None or seen in observation.choices:
            return compare(session, phase.offer, phase.judged, phase.bet, phase.result, seen, move.now)
        case moves.Observed():
            hint = f"Choose 1 to {len(observation.choices)}."
            return replace(session, phase=replace(phase, hint=hint)), ()
        case moves.Skip() | moves.Continue():
            return compare(session, phase.offer, phase.judged, phase.bet, phase.result, None, move.now)
    return session, ()


_HANDLERS: dict[type, Callable[[Session, Any, Any], Step]] = {
    Asking: _asking,
    AskingSureness: _asking_sureness,
    Measuring: _measuring,
    Unmeasured: _go_on,
    Shown: _go_on,
    Betting: _betting,
    Running: _running,
    Observing: _observing,
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
    if session.before is None:
        return session, () if session.world.mode == "quiz" else (RetractEarlier(),)
    earlier = session.before
    assert isinstance(earlier.phase, Asking)
    stop: tuple[Effect, ...] = (CancelRun(),) if isinstance(session.phase, Running) else ()
    phase = replace(earlier.phase, since_ms=now.mono_ms)
    # What was run was run: the ladder and the count of runs do not go back with the answer.
    restored = replace(earlier, phase=phase, myths=session.myths, runs=session.runs)
    return restored, (*stop, Retract(earlier.answers))


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
