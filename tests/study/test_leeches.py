"""A leech on its whole way: the event, the words of both front ends, the report, and back."""

from __future__ import annotations

import pytest

from tests.support import FakeClock
from tutor.learning import moves
from tutor.learning.leeches import LAPSES
from tutor.report.markdown import to_markdown
from tutor.report.model import build_report
from tutor.store import doctor
from tutor.study.desk import Desk, with_limits
from tutor.study.sitting import Sitting
from tutor.study.wording import next_time, notice_words, remedy_words

DROPOUT = "rng-7f3k"


def sit(desk: Desk) -> Sitting:
    """Return a sitting at the item."""
    return Sitting(desk, with_limits(desk.rules(), limit=None, new=None, item=DROPOUT, decks=frozenset()))


def miss_it(desk: Desk, clock: FakeClock, times: int) -> Sitting:
    """Miss the item on so many days in a row; return the last sitting at its verdict."""
    for _ in range(times):
        clock.pass_days(1)
        sitting = sit(desk)
        sitting.send(moves.Answer(desk.now(), choice=("shape",)))
    return sitting


def test_set_aside_said_reported_and_undone(desk: Desk, clock: FakeClock) -> None:
    """After the first miss and six more: one event, one sentence, one row; undo takes all of it back."""
    sitting = miss_it(desk, clock, LAPSES + 1)
    assert desk.store.cards()[DROPOUT].suspended
    (notice,) = (notice for notice in sitting.session.notices if notice.kind == "leech")
    assert notice_words(notice, desk.library).startswith(f"Missed {LAPSES} times in review: set aside. ")
    assert next_time(sitting.session.phase.judged) == "set aside"
    report = build_report(desk.store, desk.library, desk.catalogue, desk.day(), desk.now().utc_us)
    assert [(row["item"], row["remedy"]) for row in report["aside"]] == [(DROPOUT, notice.remedy)]
    assert "Set aside after repeated misses" in to_markdown(report)
    sitting.send(moves.Undo(desk.now()))
    assert not desk.store.cards()[DROPOUT].suspended
    assert desk.store.leeches() == []
    assert all(finding.ok for finding in doctor(desk.home, clock))


def test_undo_after_the_program_was_closed_takes_it_up_too(desk: Desk, clock: FakeClock) -> None:
    """The next sitting's undo reaches the answer that set the item aside, and asks it again."""
    miss_it(desk, clock, LAPSES + 1)
    clock.pass_seconds(60)
    later = Sitting(desk, desk.rules())
    later.send(moves.Undo(desk.now()))
    assert later.session.phase.question.item.id == DROPOUT
    assert not desk.store.cards()[DROPOUT].suspended


@pytest.mark.parametrize("remedy", ["prerequisite", "experiment", "guide", "source"])
def test_every_remedy_is_a_sentence(desk: Desk, remedy: str) -> None:
    """Each ends in a full stop, whether its target is known or not."""
    for target in ("randomness", "rng.replay", "elsewhere", ""):
        assert remedy_words(remedy, target, desk.library).endswith(".")
