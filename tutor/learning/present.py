"""Begins a sitting and puts its next question: drawn numbers, shuffled options, hidden options of what is well known."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from tutor.clock import Instant
from tutor.content.model import Item
from tutor.learning.cards import Card
from tutor.learning.choosing import choose, limit_reached, new_left
from tutor.learning.interview import plan_day
from tutor.learning.placement import QUESTIONS
from tutor.learning.state import Asking, AskingSureness, Betting, Finished, Measuring, Notice, Question, Session
from tutor.learning.studyday import clock_jump
from tutor.learning.world import World

if TYPE_CHECKING:
    from tutor.content.families import Drawn

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
    return session.world.day(now)


def begin(world: World, now: Instant) -> Session:
    """Return a sitting that asks its first question, or is finished because nothing is due."""
    session = Session(world, Finished("nothing"))
    if world.fixed:
        return advance_to_next(replace(session, queue=world.quiz), now)
    day = world.day(now)
    rules, items = world.rules, world.library.items
    ahead = rules.interview > day  # only the pace toward an interview asks how many items are new
    unseen = len(world.unseen) if ahead else 0
    day_plan = plan_day(
        items, world.waiting, unseen, day, now.utc_us, world.parameters, world.history, rules, world.beyond
    )
    due, paced = day_plan.due, replace(rules, new_per_day=day_plan.new_per_day)
    queue = () if rules.placement else due.items
    session = Session(replace(world, rules=paced), session.phase, queue=queue)
    told = due.put_off and not rules.placement
    left = (Notice("backlog", count=due.put_off, after_break=due.after_break),) if told else ()
    return replace(advance_to_next(session, now), notices=_clock_notice(world, now) + left)


def _clock_notice(world: World, now: Instant) -> tuple[Notice, ...]:
    jump = clock_jump(world.newest[0] if world.newest else None, now.utc_us)
    return (Notice(f"clock-{jump}"),) if jump else ()


def advance_to_next(session: Session, now: Instant) -> Session:
    """Return the session with its next question on the screen, or a run that waited, or finished."""
    chosen = choose(session)
    if chosen is not None:
        session, item, role, cause = chosen
        built_on = (Notice("foundation", item.id, item.concept),) if cause is not None and role == "first" else ()
        return replace(_ask(session, item, role, cause, now), notices=built_on)
    if session.waiting:
        offer, *rest = session.waiting
        return replace(session, waiting=tuple(rest), phase=Betting(offer, None))
    return replace(session, phase=Finished(_reason(session)))


def remaining(session: Session) -> int:
    """Return how many first presentations may still come, transfers included."""
    if session.world.fixed:
        return len(session.queue)
    if session.world.rules.placement:
        return min(len(list(session.new)), QUESTIONS - session.first_asked)
    count = len(session.queue) + len(session.transfers) + new_to_come(session)
    limit = session.world.rules.limit
    return count if limit is None else min(count, max(0, limit - session.first_asked) + len(session.transfers))


def new_to_come(session: Session) -> int:
    """Return how many new items may still be introduced today, the one on the screen taken off."""
    at_hand = 0
    if isinstance(session.phase, Asking | AskingSureness | Measuring):
        question = session.phase.question
        at_hand = question.role == "first" and card_of(session, question.item.id) is None
    return len(list(islice(session.new, max(0, new_left(session) - at_hand))))


def draw_seed(*parts: object) -> int:
    """Return a 31-bit seed that depends on `parts` alone, the same on every machine."""
    digest = hashlib.sha256(":".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def numeric_base(item: Item) -> str:
    """Return the id under which the slips of a numeric item are kept: its own, or that of the item it was generated from."""
    return item.id.split("~")[0]


def present(
    world: World, item: Item, role: str, seed: int, card: Card | None, cause: int | None, slip: str = ""
) -> Question:
    """Return `item` as it is put now: numbers drawn from `seed`, options shuffled by it unless the deck is served as it is.

    After a slip the numbers are those, of a few draws, in which that slip lies farthest from the answer.
    """
    shown, drawn = _drawn(item, seed, slip) if item.family else (item, None)
    order = [option.key for option in item.options]
    deck = world.library.deck(item.deck)
    if item.kind == "order" or not (item.kind == "explain" or (deck and deck.as_served)):
        random.Random(seed).shuffle(order)
    known = card is not None and card.memory.stability > WELL_KNOWN_DAYS
    hidden = world.rules.recall_first and known and item.kind in ("choice", "multi") and role == "first"
    hidden = hidden or item.kind == "explain"  # the points are what the learner is to say
    return Question(shown, role, seed, tuple(order), drawn, cause, hidden)


def _drawn(item: Item, seed: int, slip: str) -> tuple[Item, Drawn]:
    from tutor.content.families import draw, render  # sixty closed forms, loaded with the first that is asked

    drawn = draw(item.family, item.params, seed, slip)
    return render(item, drawn), drawn


def _ask(session: Session, item: Item, role: str, cause: int | None, now: Instant) -> Session:
    world = session.world
    card = card_of(session, item.id)
    if world.mode == "mock":
        role = "sealed"
    elif role == "first" and (not item.scheduled or (card is not None and card.last_day >= day_of(session, now))):
        role = "practice"  # one answer a study day moves a card; a quiz moves none
    seed = draw_seed(world.seed, item.id, session.asked)
    base = numeric_base(item)
    slip = (session.slips.get(base) or world.history.slips.get(base, "")) if item.family else ""
    return replace(
        session,
        phase=Asking(present(world, item, role, seed, card, cause, slip), now.mono_ms),
        asked=session.asked + 1,
        first_asked=session.first_asked + (role in ("first", "practice", "sealed")),
        gone=session.gone | {item.id},
        last_concept=item.concept,
    )


def _reason(session: Session) -> str:
    if not session.asked:
        return "nothing"
    if session.world.rules.placement:
        return "placed"
    return "limit" if not session.world.fixed and limit_reached(session) else "done"


class Load(Mapping[str, int]):
    """The number of cards due per study day, a sitting's changes laid over what there was before."""

    def __init__(self, before: Mapping[str, int], change: Mapping[str, int]) -> None:
        self._before = before
        self._change = change

    def __getitem__(self, day: str) -> int:
        return self._before.get(day, 0) + self._change.get(day, 0)

    def __iter__(self) -> Iterator[str]:
        return iter(self._before.keys() | self._change.keys())

    def __len__(self) -> int:
        return len(self._before.keys() | self._change.keys())


def load_of(session: Session) -> Mapping[str, int]:
    """Return the number of cards due per study day, this sitting's changes included."""
    return Load(session.world.history.load, session.load)
