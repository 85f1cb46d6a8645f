"""The offer to stop: both signs together, once a sitting."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.learning.test_choosing import table
from tests.support import choice
from tutor.learning import moves
from tutor.learning.fatigue import tired
from tutor.learning.world import Rules

FRESH = [(True, 1.0)] * 6
paces = st.lists(st.tuples(st.booleans(), st.floats(0.1, 5)), max_size=20)


def test_both_signs_are_needed() -> None:
    """Missing more at the old pace is hard material, slower but right is care."""
    misses = [(False, 1.5), (True, 1.5), (False, 1.5), (True, 1.5), (False, 1.5)]
    assert tired(FRESH + misses)
    assert not tired(FRESH + [(right, 1.0) for right, _ in misses])
    assert not tired(FRESH + [(True, 3.0)] * 5)
    assert not tired([(False, 1.0)] * 6 + misses)
    assert not tired(FRESH[:4] + misses)


@given(paces, st.floats(0.01, 100))
def test_only_the_change_of_pace_counts(paces: list[tuple[bool, float]], unit: float) -> None:
    """A slow learner is not a tired one: any unit of time gives the same verdict, and all right never tires."""
    assert tired(paces) == tired([(right, 4 * pace) for right, pace in paces])
    assert not tired([(True, unit * pace) for _, pace in paces])


def test_the_sitting_offers_to_stop_once() -> None:
    """Six quick right answers, then slow misses: one notice as soon as five answers can be held against five, and no second."""
    items = [choice(f"x-{n}", f"k{n}") for n in range(16)]
    at = table(*items, rules=Rules(confidence=False, lab="off", new_per_day=20))
    said = []
    for number in range(14):
        at.clock.pass_seconds(10 if number < 6 else 40)
        at.move(moves.Answer, choice=("good" if number < 6 else "bad",))
        said += [(number, notice.count) for notice in at.session.notices if notice.kind == "stop"]
        at.move(moves.Continue)
    assert said == [(9, 4)]


def test_a_quiz_is_left_to_its_end() -> None:
    """Nobody is sent home from a quiz."""
    items = [choice(f"q-{n}", f"k{n}", scheduled=False) for n in range(14)]
    at = table(*items, mode="quiz", quiz=tuple(item.id for item in items))
    for number in range(14):
        at.clock.pass_seconds(10 if number < 6 else 40)
        at.move(moves.Answer, choice=("good" if number < 6 else "bad",))
        assert at.session.notices == ()
        at.move(moves.Continue)
