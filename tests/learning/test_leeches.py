"""Cards missed again and again are set aside with something better, once, and can be taken up again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.learning.making import card
from tests.learning.test_choosing import answer, due, table
from tests.support import choice
from tutor.content.model import Library
from tutor.learning import moves
from tutor.learning.effects import Record, Retract, SetAside, TakeUp
from tutor.learning.leeches import EVERY, LAPSES, is_leech, suggestion
from tutor.learning.state import Asking, Finished, Shown
from tutor.learning.world import Rules

OLD = {"lapses": LAPSES - 1, "recent": "+-+", "reps": 20, "memory": card(1.0).memory}


@pytest.mark.parametrize(
    ("lapses", "recent", "leech"),
    [
        (LAPSES - 1, "---", False),
        (LAPSES, "-+-", True),
        (LAPSES, "++-", False),
        (LAPSES + 1, "---", False),
        (LAPSES + EVERY, "+--", True),
        (LAPSES, "--+", False),
    ],
)
def test_what_a_leech_is(lapses: int, recent: str, leech: bool) -> None:
    """Six misses with two of the last three, then again after each three more; a right answer never makes one."""
    assert is_leech(card(lapses=lapses, recent=recent)) == leech


def test_the_sixth_miss_sets_aside_and_says_what_helps() -> None:
    """One event, one notice; the card is suspended, leaves its day and is not asked again in the sitting."""
    others = [choice(f"c-{n}", f"c{n}") for n in range(8)]
    at = table(choice("a-1", "a"), *others, cards=(due("a-1", **OLD),), rules=Rules(confidence=False, new_per_day=9))
    at.move(moves.Answer, choice=("bad",))
    at.move(moves.Skip)
    assert at.of(SetAside) == [SetAside("a-1", "leech", "experiment", "proof")]
    assert at.session.changed["a-1"].suspended
    assert all(count == 0 for count in at.session.load.values() if count > 0)
    asked = []
    while not isinstance(at.session.phase, Finished):
        asked.append(answer(at))
    assert "a-1" not in asked
    assert at.of(Record)[0].answered.rating == 1


def test_the_verdict_says_so() -> None:
    """The notice stands at the verdict, and no promise of a return tomorrow."""
    at = table(choice("a-1", "a"), choice("c-1", "c"), cards=(due("a-1", **OLD),))
    at.move(moves.Answer, choice=("bad",))
    phase = at.session.phase
    assert isinstance(phase, Shown)
    assert phase.judged.aside
    assert not phase.judged.again_soon
    assert [(notice.kind, notice.count) for notice in at.session.notices] == [("leech", LAPSES)]
    at.move(moves.Continue)
    assert at.session.notices == ()


def test_undo_takes_it_up_again() -> None:
    """An answer taken back leaves no trace of what followed from it."""
    at = table(choice("a-1", "a"), choice("c-1", "c"), cards=(due("a-1", **OLD),))
    at.move(moves.Answer, choice=("bad",))
    at.move(moves.Continue)
    at.move(moves.Answer, choice=("good",))
    at.move(moves.Undo)
    assert at.of(TakeUp) == []
    at.move(moves.Undo)
    assert at.effects[-2:] == [Retract(0), TakeUp("a-1")]
    assert isinstance(at.session.phase, Asking)
    assert answer(at) == "a-1"
    assert not at.session.changed["a-1"].suspended


def test_a_weak_prerequisite_is_the_first_suggestion_then_the_experiment_then_the_guide() -> None:
    """`b` builds on `a`, which is unseen; an item without experiment sends to the guide, without guide to its source."""
    at = table(choice("b-1", "b"), choice("a-1", "a"), cards=(due("b-1", **OLD),))
    at.move(moves.Answer, choice=("bad",))
    assert (at.session.notices[0].remedy, at.session.notices[0].target) == ("prerequisite", "a")
    plain = choice("c-1", "c", options=())
    at = table(choice("c-1", "c"), cards=(due("c-1", **OLD),))
    at.move(moves.Answer, choice=("odd",))
    judged = at.session.phase.judged
    world = at.session.world
    assert suggestion(replace(at.session, world=replace(world, catalogue={})), judged) == ("source", plain.sources[0])
    guided = guide_beside(world.library)
    assert suggestion(replace(at.session, world=replace(world, catalogue={}, library=guided)), judged) == (
        "guide",
        "deck",
    )


def guide_beside(library: Library) -> Library:
    """Return the library with a guide in its deck."""
    deck = library.decks[0]
    return replace(library, decks=(replace(deck, guide=deck.path),))
