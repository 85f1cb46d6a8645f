"""What comes after a miss: which rung of the ladder, what is offered, and the record of a run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tutor.clock import Instant
from tutor.content.runs import RunResult
from tutor.learning.bets import bet_holds
from tutor.learning.effects import Effect, RecordOffer, RecordRun
from tutor.learning.judge import ladder_key, myth_history
from tutor.learning.ladder import diagnose, rung
from tutor.learning.leeches import set_leech_aside
from tutor.learning.present import day_of
from tutor.learning.records import MythHistory, Offered, PastRun, Ran
from tutor.learning.state import Betting, Compared, Judged, Offer, Phase, Session, Shown

Step = tuple[Session, tuple[Effect, ...]]


def after_verdict(session: Session, judged: Judged) -> Step:
    """Return the session showing the verdict, with a leech set aside and what the ladder offers after a miss."""
    session, judged, aside = set_leech_aside(session, judged)
    session, offered = _offered(session, judged)
    return session, (*aside, *offered)


def _offered(session: Session, judged: Judged) -> Step:
    shown: Phase = Shown(judged)
    if judged.grade.correct or judged.result is not None or session.world.rules.lab == "off":
        return replace(session, phase=shown), ()
    offer = offer_after(session, judged)
    if offer is None:
        return replace(session, phase=shown), ()
    if offer.kind == "recall":
        session = _climb(session, offer, recalled=1)
        return replace(session, phase=Shown(judged, offer)), (record_offer(offer, "recalled"),)
    if session.world.rules.lab == "ask" and offer.kind == "run":
        return replace(session, phase=Shown(judged, replace(offer, kind="ask"))), (record_offer(offer, "held out"),)
    if offer.kind == "run" and session.runs >= session.world.rules.runs_per_sitting:
        if any(other.experiment.id == offer.experiment.id for other in session.waiting):
            return replace(session, phase=shown), ()
        later = replace(offer, kind="queued")
        waiting = (*session.waiting, offer)
        return replace(session, phase=Shown(judged, later), waiting=waiting), (record_offer(offer, "queued"),)
    return replace(session, phase=Betting(offer, judged)), ()


def offer_after(session: Session, judged: Judged) -> Offer | None:
    """Return what the ladder of this miss's myth holds next, or None when it has none or is retired."""
    found = diagnose(judged.grade.myth, judged.question.item, session.world.library, session.world.catalogue)
    if found is None:
        return None
    past = myth_history(session, ladder_key(judged.grade.myth, found.experiment.id))
    kind, run = rung(past), past.run
    if kind == "run":
        # The same demonstration within one sitting is recalled, whatever myth led to it.
        run = next((h.run for h in session.myths.values() if h.run and h.run.experiment == found.experiment.id), None)
        kind = "recall" if run else kind
    if kind == "flip" and not found.experiment.flips:
        kind = "recall"
    if kind == "retired":
        return None
    flip = found.experiment.flips[past.flips_right % len(found.experiment.flips)] if kind == "flip" else None
    item = judged.question.item.id
    return Offer(kind, found.experiment, found.params, found.bet, judged.myth, judged.number, item, run, flip)


def explore(session: Session, judged: Judged | None, offer: Offer | None) -> Offer | None:
    """Return the experiment of the item at hand, whatever the ladder says."""
    if offer is not None:
        return replace(offer, kind="run", flip=None)
    if judged is None:
        return None
    item = judged.question.item
    found = diagnose(judged.grade.myth, item, session.world.library, session.world.catalogue)
    if found is None:
        return None
    miss = None if judged.grade.correct else judged.number
    return Offer("run", found.experiment, found.params, found.bet, judged.myth, miss, item.id)


def compare(
    session: Session, offer: Offer, judged: Judged | None, bet: Any, result: RunResult, seen: str | None, now: Instant
) -> Step:
    """Return the session with bet, theory and measurement side by side, and the records of the run and of the offer."""
    ran = run_record(offer, bet, result, seen, miss=offer.miss)
    effects: tuple[Effect, ...] = (RecordRun(ran), record_offer(offer, "run"))
    if result.completed:
        past = PastRun(day_of(session, now), ran.experiment, ran.params, ran.metric, ran.bet, ran.measured, ran.claims)
        session = replace(_climb(session, offer, run=past), runs=session.runs + 1)
    phase = Compared(offer, judged, bet, result, seen, bet_right(offer, bet, result), seen_right(offer, seen, result))
    return replace(session, phase=phase), effects


def flipped(session: Session, offer: Offer, right: bool) -> Step:
    """Return the session one rung further after a flipped bet, and the record of it."""
    if right:
        session = _climb(session, offer, flips_right=1)
    return session, (record_offer(offer, "flipped", right),)


def bet_right(offer: Offer, bet: Any, result: RunResult) -> bool | None:
    """Return whether the bet agrees with what was measured; None without a bet or a measurement."""
    measured = result.measured(offer.bet.metric) if offer.bet else None
    if bet is None or measured is None or offer.bet is None:
        return None
    return bet_holds(offer.bet, bet, measured)


def seen_right(offer: Offer, seen: str | None, result: RunResult) -> bool | None:
    """Return whether the learner saw what was measured."""
    observation = offer.experiment.observation
    if seen is None or observation is None:
        return None
    return seen == str(result.measured(observation.metric))


def record_offer(offer: Offer, outcome: str, right: bool | None = None) -> RecordOffer:
    """Return the record of what was put before the learner and what became of it."""
    myth = offer.myth
    why = myth.text if myth else f"concept of {offer.item}"
    return RecordOffer(Offered(offer.miss, offer.experiment.id, myth.id if myth else None, why, outcome, right))


def run_record(offer: Offer, bet: Any, result: RunResult, seen: str | None, miss: int | None) -> Ran:
    """Return the record of a run: bet, theory and measurement of the metric that was bet on."""
    metric = offer.bet.metric if offer.bet else ""
    theory = result.theory(metric)
    measure = next((m for m in result.measures if m.name == metric), None)
    return Ran(
        miss=miss,
        item=offer.item,
        experiment=offer.experiment.id,
        version=result.version or offer.experiment.version,
        myth=offer.myth.id if offer.myth else None,
        params=dict(result.params) or offer.experiment.settings(offer.params),
        metric=metric,
        unit=measure.unit if measure else "",
        bet=bet,
        theory={"op": theory.op, "value": theory.value} if theory else None,
        measured=measure.value if measure else None,
        claims=tuple(
            {"name": c.name, "left": c.left, "op": c.op, "right": c.right, "passed": c.passed} for c in result.claims
        ),
        observation=seen,
        ending=result.ending,
        seconds=result.seconds,
        torch=result.torch,
        device=result.device,
    )


def _climb(
    session: Session, offer: Offer, *, run: PastRun | None = None, recalled: int = 0, flips_right: int = 0
) -> Session:
    key = ladder_key(offer.myth.id if offer.myth else None, offer.experiment.id)
    past = myth_history(session, key)
    now = MythHistory(past.picked, run or past.run, past.recalled + recalled, past.flips_right + flips_right)
    return replace(session, myths={**session.myths, key: now})
