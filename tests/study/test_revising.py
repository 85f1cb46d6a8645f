"""A question that was changed: what becomes of its history, decided by the learner and undone by him."""

from __future__ import annotations

import json

import pytest

from tests.cli.running import tutor
from tests.store.given import DAY, answered, assert_sound
from tests.support import FakeClock
from tutor.learning.cards import Card
from tutor.paths import Home
from tutor.study.desk import Desk
from tutor.study.review_log import review_log
from tutor.study.revising import NothingToDecide, Revision, revise, revisions
from tutor.study.sitting import Sitting
from tutor.study.wording import notice_words

ITEM = "rng-7f3k"


@pytest.fixture
def old(home: Home, clock: FakeClock) -> Card:
    """The card of an item that was answered before its question was changed."""
    with Desk(home, clock) as desk:
        desk.store.append("answered", answered(ITEM, rev=0, due="2027-03-01", interval=90), clock.now(), DAY)
        return desk.store.cards()[ITEM]


def test_a_sitting_keeps_the_history_and_says_so(home: Home, clock: FakeClock, old: Card) -> None:
    """Once: the decision is an event, told in a sentence, and the card goes on."""
    with Desk(home, clock) as desk:
        said = [notice_words(notice, desk.library) for notice in Sitting(desk, desk.rules()).session.notices]
        assert any(f"tutor decks revise {ITEM}" in sentence for sentence in said)
        assert Sitting(desk, desk.rules()).session.notices == ()
        assert revisions(desk) == [Revision(ITEM, 0, 1, "keep")]
        card = desk.store.cards()[ITEM]
    assert (card.memory, card.rev, card.due) == (old.memory, 1, old.due)
    assert_sound(home, clock)


@pytest.mark.parametrize("noted", [True, False])
def test_the_learner_decides_otherwise_and_back(home: Home, clock: FakeClock, old: Card, noted: bool) -> None:
    """Halved, new again, kept: each holds, whether a sitting had met the change or not, and the last leaves no trace."""
    with Desk(home, clock) as desk:
        if noted:
            Sitting(desk, desk.rules())
        assert revise(desk, ITEM, "halve") == Revision(ITEM, 0, 1, "halve")
        assert desk.store.cards()[ITEM].memory.stability == old.memory.stability / 2
        revise(desk, ITEM, "reset")
        assert ITEM not in desk.store.cards()
        assert revisions(desk) == [Revision(ITEM, 0, 1, "reset")]
        revise(desk, ITEM, "keep")
        events = len(list(desk.store.events()))
        revise(desk, ITEM, "keep")
        assert len(list(desk.store.events())) == events, "what holds already is not written again"
        card = desk.store.cards()[ITEM]
    assert (card.memory, card.rev) == (old.memory, 1)
    assert_sound(home, clock)


def test_what_was_answered_since_belongs_to_what_holds_from_now_on(home: Home, clock: FakeClock, old: Card) -> None:
    """A reset after an answer to the new question begins anew after it, in the cards and in the fit's log alike."""
    with Desk(home, clock) as desk:
        Sitting(desk, desk.rules())
        for days in (3, 5):
            clock.pass_days(days)
            desk.store.append("answered", answered(ITEM, rev=1, due="2027-03-01"), clock.now(), "2026-12-03")
            if days == 3:
                revise(desk, ITEM, "reset")
        log = review_log(desk.store.answers(), desk.store.of_kind("revised"))
        assert (log.cards, len(log)) == (2, 3)
        assert desk.store.cards()[ITEM].reps == 1
    assert_sound(home, clock)


def test_without_a_change_there_is_nothing_to_decide(desk: Desk) -> None:
    """An item never answered, one unchanged and one that does not exist give a sentence, and write nothing."""
    events = len(list(desk.store.events()))
    for item in (ITEM, "no-such"):
        with pytest.raises(NothingToDecide, match=item):
            revise(desk, item, "reset")
    assert len(list(desk.store.events())) == events


def test_the_command_lists_and_decides(home: Home, clock: FakeClock, old: Card) -> None:
    """`tutor decks revise` reads; with an item and a choice it writes; one word alone is a usage error."""
    place = ("--home", str(home.folder))
    listed = json.loads(tutor("decks", "revise", "--json", *place).stdout)
    assert listed == [{"item": ITEM, "old_rev": 0, "new_rev": 1, "choice": "keep"}]
    assert tutor("decks", "revise", ITEM, "halve", *place).stdout.strip() == f"{ITEM}  rev 0 -> 1  halve"
    assert tutor("decks", "revise", ITEM, *place).returncode == 2
    refused = tutor("decks", "revise", "no-such", "keep", *place)
    assert (refused.returncode, "Traceback" in refused.stderr) == (2, False)
