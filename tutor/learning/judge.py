"""Turns an answer into a verdict, a moved card and the record of it."""

from __future__ import annotations

from dataclasses import replace

from tutor.clock import Instant
from tutor.content.model import Item
from tutor.content.runs import RunResult
from tutor.content.transfers import generate_transfer
from tutor.learning.backlog import USUAL_SECONDS
from tutor.learning.cards import Card, advance, elapsed_days
from tutor.learning.chances import chance
from tutor.learning.choosing import weak_foundation
from tutor.learning.effects import Record
from tutor.learning.evidence import weigh
from tutor.learning.fatigue import LATEST, tired
from tutor.learning.grading import Given, Grade, grade
from tutor.learning.memory import retrievability
from tutor.learning.present import (
    RETRY_AFTER,
    TRANSFER_AFTER,
    card_of,
    day_of,
    draw_seed,
    load_of,
    numeric_base,
    remaining,
)
from tutor.learning.records import MAPPING, Answered, MythHistory
from tutor.learning.schedule import Planned, plan
from tutor.learning.state import Judged, Notice, Question, Session

UNCERTAIN = (0.4, 0.7)
"""Predicted recall between which the learner is asked how sure he is."""


def judge(
    session: Session,
    question: Question,
    given: Given,
    sureness: str | None,
    ms: int,
    now: Instant,
    result: RunResult | None = None,
) -> tuple[Session, Judged, Record]:
    """Return the session with the card moved and its follow-ups queued, the verdict, and the record to commit.

    For a predict item `result` is the run whose measure is the key.
    """
    outcome = _outcome(session, question.item, result)
    mark = grade(question.item, question.drawn, given, outcome)
    card = card_of(session, question.item.id)
    day = day_of(session, now)
    scheduled = counts(question, card, day)
    # On one and the same day the model's recall says nothing.
    recall = predicted_recall(session, question.item.id, now) if scheduled else None
    usual_ms = session.world.history.median_ms.get(question.item.kind)
    lucky = chance(question.item.kind, len(question.order))
    weighed = weigh(mark, given, sureness, ms, usual_ms, card, recall, lucky)
    planned = None
    moved = session
    if scheduled:
        rules, parameters = session.world.rules, session.world.parameters
        planned = plan(card, question.item.id, weighed, now.utc_us, day, rules.retention, parameters, load_of(session))
        item = question.item
        after = advance(
            card, item.id, item.rev, weighed.evidence, now.utc_us, day, planned.due, planned.interval, parameters
        )
        moved = _move(session, card, after)
    rating = weighed.evidence.rating if planned else None
    answered = _record(session, question, given, mark, sureness, ms, now, card, rating, weighed.evidence.q, planned)
    moved = _follow_up(moved, question, mark)
    number = session.answers
    generated = question.role == "transfer" and not question.item.scheduled
    introduced = moved.introduced + generated  # a transfer counts among the day's new items, with a card or without
    moved = replace(moved, answers=number + 1, right=moved.right + mark.correct, introduced=introduced, notices=())
    moved = _noted(moved, question, mark, ms)
    myth = session.world.library.myths.get(mark.myth or "")
    again = next((after for id, after, _ in moved.retries if id == question.item.id), None)
    soon = again is not None and again <= moved.asked + remaining(moved)  # else the sitting ends before
    return moved, Judged(question, given, mark, answered, number, myth, soon, result), Record(number, answered)


def _noted(session: Session, question: Question, mark: Grade, ms: int) -> Session:
    """Keep the pace and the slip of the answer, and offer to stop where the learner seems tired."""
    if session.world.fixed:
        return session
    usual = session.world.history.median_ms.get(question.item.kind, USUAL_SECONDS * 1000)
    pace = ms / max(usual, 1.0)  # a script answers within no time
    session = replace(session, paces=(*session.paces, (mark.correct, pace)))
    if question.item.family:
        session = replace(session, slips={**session.slips, numeric_base(question.item): mark.slip or ""})
    if session.stop_offered or not tired(session.paces):
        return session
    missed = sum(not right for right, _ in session.paces[-LATEST:])
    return replace(session, stop_offered=True, notices=(*session.notices, Notice("stop", count=missed)))


def counts(question: Question, card: Card | None, day: str) -> bool:
    """Whether an answer to this question moves its card."""
    return question.role in ("first", "transfer") and question.item.scheduled and (card is None or card.last_day < day)


def wants_sureness(session: Session, question: Question, now: Instant) -> bool:
    """Whether to ask how sure the learner is: one answer in each block of four, never a sitting's first, and where the model wavers."""
    if not session.world.rules.confidence or question.item.kind == "explain":
        return False  # whoever ticked his own points has said how sure he is
    block, place = divmod(session.answers, 4)
    if place == 1 + draw_seed(session.world.seed, block) % 3:
        return True
    predicted = predicted_recall(session, question.item.id, now)
    return session.answers > 0 and predicted is not None and UNCERTAIN[0] < predicted < UNCERTAIN[1]


def predicted_recall(session: Session, item: str, now: Instant) -> float | None:
    """Return the retrievability of the item's card now, or None for a new one."""
    card = card_of(session, item)
    if card is None:
        return None
    return retrievability(elapsed_days(card, now.utc_us), card.memory.stability, session.world.parameters)


def _forecast(session: Session, question: Question, now: Instant) -> float | None:
    """Return what was to be expected of an answer: the item's own recall, of a sealed one the readiness in its concept."""
    if question.role == "sealed":
        return session.world.readiness.get(question.item.concept, 0.0)
    return predicted_recall(session, question.item.id, now)


def ladder_key(myth: str | None, experiment: str) -> str:
    """Return the name under which a miss climbs its ladder: its myth, else the experiment."""
    return myth or f"experiment:{experiment}"


def myth_history(session: Session, key: str) -> MythHistory:
    """Return how far the learner has come with a myth, this sitting included."""
    return session.myths.get(key) or session.world.history.myths.get(key) or MythHistory()


def _outcome(session: Session, item: Item, result: RunResult | None) -> str | None:
    if result is None or item.experiment is None:
        return None
    bet = session.world.catalogue[item.experiment.id].bets[item.experiment.bet]
    return str(result.measured(bet.metric))


def _move(session: Session, before: Card | None, after: Card) -> Session:
    load = dict(session.load)
    if before is not None:
        load[before.due] = load.get(before.due, 0) - 1
    load[after.due] = load.get(after.due, 0) + 1
    return replace(
        session,
        changed={**session.changed, after.item: after},
        load=load,
        introduced=session.introduced + (before is None),
    )


def _follow_up(session: Session, question: Question, mark: Grade) -> Session:
    """After a first miss: a prerequisite that is weak, a retry as practice, and one unseen question on the same idea."""
    if mark.correct or question.role not in ("first", "practice", "transfer") or session.world.rules.placement:
        return session
    if question.role != "practice":
        weak = weak_foundation(session, question.item.concept)
        session = replace(session, foundation=(weak, session.answers) if weak else None)
    retries = session.retries
    if question.role != "practice" and question.item.scheduled:
        retries = (*retries, (question.item.id, session.asked + RETRY_AFTER, session.answers))
    transfer = _transfer_for(session, question.item, mark) if question.role != "transfer" else None
    transfers = session.transfers
    if transfer is not None:
        transfers = (*transfers, (transfer, session.asked + TRANSFER_AFTER, session.answers))
    return replace(session, retries=retries, transfers=transfers)


def _transfer_for(session: Session, item: Item, mark: Grade) -> Item | None:
    """Return an unseen question on the same concept: written while there are any and the day has room, then generated."""
    if any(other.concept == item.concept for other, _, _ in session.transfers):
        return None
    world = session.world
    pending = sum(other.scheduled for other, _, _ in session.transfers)
    room = world.rules.new_per_day - world.history.new_today - session.introduced - pending > 0
    written = [o for o in world.library.transfers(item) if not _met(session, o.id) and _measurable(session, o)]
    if written:
        by_myth = [other for other in written if mark.myth in other.myths]
        return (by_myth or written)[0] if room else None
    number = world.history.generated.get(item.id, 0) + sum(id.startswith(f"{item.id}~") for id in session.gone) + 1
    return generate_transfer(item, number, world.library, world.catalogue)


def _met(session: Session, item: str) -> bool:
    """Whether the learner has ever seen an item; the collections are asked in turn, since together they may be large."""
    world = session.world
    return any(item in known for known in (session.gone, world.cards, world.history.seen, world.history.aside))


def _measurable(session: Session, item: Item) -> bool:
    return item.kind != "predict" or (item.experiment is not None and item.experiment.id in session.world.catalogue)


def _record(
    session: Session,
    question: Question,
    given: Given,
    mark: Grade,
    sureness: str | None,
    ms: int,
    now: Instant,
    card: Card | None,
    rating: int | None,
    q: float,
    planned: Planned | None,
) -> Answered:
    item, world, drawn = question.item, session.world, question.drawn
    return Answered(
        session=world.session,
        item=item.id,
        concept=item.concept,
        rev=item.rev,
        text_hash=item.text_hash,
        lang=item.lang,
        kind=item.kind,
        family=item.family,
        family_version=drawn.version if drawn else 0,
        seed=question.seed,
        values=dict(drawn.values) if drawn else {},
        options=question.order,
        choice=given.choice,
        raw=given.raw,
        parsed=given.value,
        key=mark.key,
        correct=mark.correct,
        slip=mark.slip,
        myth=mark.myth,
        sureness=sureness,
        ms=ms,
        mode=world.mode,
        role=question.role,
        cause=question.cause,
        mapping=MAPPING,
        rating=rating,
        q=q,
        predicted=_forecast(session, question, now),
        parameters=world.parameters.id,
        retention=world.rules.retention,
        due=planned.due if planned else None,
        interval=planned.interval if planned else None,
    )
