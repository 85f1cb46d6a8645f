"""A sitting that asks the file when it looks goes the way of one that was told everything at the start."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import fields, replace

from tests.store.given import assert_sound
from tests.support import FakeClock
from tutor.clock import Instant
from tutor.learning import moves
from tutor.learning.records import History
from tutor.learning.session import begin, step
from tutor.learning.state import Asking, AskingSureness, Finished, Session
from tutor.learning.world import World
from tutor.paths import Home
from tutor.store.lazy import LaterRow, LaterSet
from tutor.study.desk import Desk
from tutor.study.sitting import Sitting

DAYS, MOVES = 7, 60


def told_everything(world: World, desk: Desk) -> World:
    """Return the world with every collection read now."""

    def whole(value: object) -> object:
        match value:
            case Mapping():
                return dict(value)
            case LaterSet():
                return frozenset(value)
            case LaterRow():
                return tuple(value)
        return value

    past = History(**{f.name: whole(getattr(world.history, f.name)) for f in fields(History)})  # type: ignore[arg-type]
    return replace(world, cards=desk.store.cards(), waiting=dict(world.waiting), history=past)


def next_move(session: Session, now: Instant, luck: random.Random) -> moves.Event:
    """Return what the learner does: mostly right, sometimes unknowing, now and then an answer taken back."""
    match session.phase:
        case Asking(question=question):
            if luck.random() < 0.1 and session.before is not None:
                return moves.Undo(now)
            if question.item.kind in ("numeric", "cloze", "explain") or luck.random() < 0.35:
                return moves.DontKnow(now)
            return moves.Answer(now, choice=question.item.answer)
        case AskingSureness():
            return moves.Mark(now, luck.choice(("sure", "think", "guess")))
    return moves.Continue(now)


def test_what_is_read_late_changes_nothing(home: Home, clock: FakeClock) -> None:
    """Through a placement, a week of days and a break, with answers taken back: the same phases, cards and notices."""
    home.folder.mkdir(parents=True)
    home.config.write_text("lab = 'off'\nnew_per_day = 12\n")
    luck = random.Random(4)
    for day in range(DAYS):
        with Desk(home, clock) as desk:
            sitting = Sitting(desk, replace(desk.rules(), placement=day == 0))
            told = begin(told_everything(sitting.session.world, desk), desk.now())
            for _ in range(MOVES):
                late = sitting.session
                assert (late.phase, late.changed, late.queue) == (told.phase, told.changed, told.queue)
                if isinstance(late.phase, Finished):
                    break
                clock.pass_seconds(7)
                move = next_move(late, clock.now(), luck)
                sitting.send(move)
                told, _ = step(told, move)
            assert sitting.session.answers > 5
        clock.pass_days(20 if day == 4 else 1)
    assert_sound(home, clock)
