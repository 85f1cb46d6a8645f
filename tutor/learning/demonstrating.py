"""From an offer to what the machine showed: the bet, the run in motion, what was seen."""

from __future__ import annotations

from dataclasses import replace

from tutor.i18n import _
from tutor.learning import moves
from tutor.learning.effects import CancelRun, Effect, StartRun
from tutor.learning.offers import compare, flipped, record_offer
from tutor.learning.present import advance_to_next
from tutor.learning.state import Betting, Flipped, Observing, Offer, Running, Session

Step = tuple[Session, tuple[Effect, ...]]


def betting(session: Session, phase: Betting, move: moves.Event) -> Step:
    """Take a bet, or none, or leave it for another time."""
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
        return "" if bet in offer.flip.choices else _("Choose 1 to {last}.").format(last=len(offer.flip.choices))
    if bet is None or offer.bet is None:
        return ""
    if offer.bet.kind == "choice":
        return "" if bet in offer.bet.choices else _("Choose 1 to {last}.").format(last=len(offer.bet.choices))
    return "" if isinstance(bet, int | float) else _("Type a number.")


def running(session: Session, phase: Running, move: moves.Event) -> Step:
    """Wait for the run, or stop it."""
    match move:
        case moves.RunEnded(result=result):
            if result.completed and phase.offer.experiment.observation is not None:
                return replace(session, phase=Observing(phase.offer, phase.judged, phase.bet, result)), ()
            return compare(session, phase.offer, phase.judged, phase.bet, result, None, move.now)
        case moves.Skip():
            return advance_to_next(session, move.now), (CancelRun(), record_offer(phase.offer, "skipped"))
    return session, ()


def observing(session: Session, phase: Observing, move: moves.Event) -> Step:
    """Take what the learner saw."""
    observation = phase.offer.experiment.observation
    assert observation is not None
    match move:
        case moves.Observed(seen=seen) if seen is None or seen in observation.choices:
            return compare(session, phase.offer, phase.judged, phase.bet, phase.result, seen, move.now)
        case moves.Observed():
            hint = _("Choose 1 to {last}.").format(last=len(observation.choices))
            return replace(session, phase=replace(phase, hint=hint)), ()
        case moves.Skip() | moves.Continue():
            return compare(session, phase.offer, phase.judged, phase.bet, phase.result, None, move.now)
    return session, ()
