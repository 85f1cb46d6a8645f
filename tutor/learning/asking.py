"""From a question to its verdict: what an answer, its sureness and a measurement on this machine make of it."""

from __future__ import annotations

from dataclasses import replace

from tutor.clock import Instant
from tutor.content.gaps import split_typed
from tutor.i18n import _
from tutor.learning import moves
from tutor.learning.effects import CancelRun, Effect, RecordRun, StartRun
from tutor.learning.grading import Given
from tutor.learning.judge import judge, wants_sureness
from tutor.learning.offers import after_verdict, run_record
from tutor.learning.state import SURENESS, Asking, AskingSureness, Measuring, Offer, Question, Session, Unmeasured

Step = tuple[Session, tuple[Effect, ...]]


def asking(session: Session, phase: Asking, move: moves.Event) -> Step:
    """Take an answer, or what may come before one."""
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
    kind, chosen = question.item.kind, answer.choice or ()
    match kind:
        case "numeric":
            return "" if answer.value is not None else _("Type a number.")
        case "cloze":
            return "" if split_typed(answer.raw or "", question.item.gaps) else _("Type something for each gap.")
        case "order":
            sound = sorted(chosen) == sorted(question.order)
            return "" if sound else _("Put all of 1 to {last} in their order.").format(last=len(question.order))
    if not chosen or any(key not in question.order for key in chosen):
        return _("Choose 1 to {last}.").format(last=len(question.order))
    return "" if kind in ("multi", "explain") or len(chosen) == 1 else _("Choose one.")


def asking_sureness(session: Session, phase: AskingSureness, move: moves.Event) -> Step:
    """Take how sure the learner was, asked before the verdict."""
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


def measuring(session: Session, phase: Measuring, move: moves.Event) -> Step:
    """Wait for the run that is the key of a prediction."""
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
        sentence = _(result.sentence) or _("The run did not measure what the question asks.")
        return replace(session, phase=Unmeasured(question, sentence)), ()
    asked = replace(session, phase=Asking(question, move.now.mono_ms))
    moved, judged, record = judge(asked, question, phase.given, phase.sureness, phase.ms, move.now, result)
    offer = Offer("run", experiment, link.set, bet, judged.myth, None, question.item.id)
    choice = phase.given.choice[0] if phase.given.choice else None
    ran = run_record(offer, choice, result, None, None if judged.grade.correct else judged.number)
    session, effects = after_verdict(replace(moved, before=asked, runs=moved.runs + 1), judged)
    return session, (record, RecordRun(ran), *effects)
