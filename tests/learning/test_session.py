"""The sitting as a pure function: an answer, what is recorded of it, and the way back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learning.making import answer, table
from tests.support import PASSED, FakeClock, Table, choice, world
from tutor.learning import effects, moves
from tutor.learning.session import begin
from tutor.learning.state import (
    Asking,
    AskingSureness,
    Finished,
    Shown,
)
from tutor.learning.world import Rules


def test_a_right_answer_is_recorded_and_shown() -> None:
    """One answer makes one record, a card due on a later study day, and the verdict."""
    at = table(choice("a-1", "a"))
    answer(at)
    record = at.of(effects.Record)[0].answered
    assert isinstance(at.session.phase, Shown)
    assert (record.correct, record.rating, record.role, record.predicted) == (True, 3, "first", None)
    assert record.due == at.session.changed["a-1"].due > "2026-11-30"


def test_a_right_answer_costs_two_moves() -> None:
    """Answer and go on: the next question stands after two moves."""
    at = table(choice("a-1", "a"), choice("c-1", "c"))
    answer(at)
    at.move(moves.Continue)
    assert isinstance(at.session.phase, Asking)
    assert at.session.asked == 2


def test_an_unfit_answer_is_no_answer() -> None:
    """A key that is not offered changes nothing but the hint."""
    at = table(choice("a-1", "a"))
    answer(at, "nothing")
    assert isinstance(at.session.phase, Asking)
    assert at.session.phase.hint == "Choose 1 to 3."
    assert not at.effects


def test_undo_reaches_any_number_of_answers_and_the_last_of_a_sitting() -> None:
    """Undo walks back through the sitting, from its end too, and restores each card."""
    at = table(choice("a-1", "a"), choice("c-1", "c"))
    start = at.session
    for _ in range(2):
        answer(at)
        at.move(moves.Continue)
    assert isinstance(at.session.phase, Finished)
    at.move(moves.Undo)
    assert at.session.phase.question.item.id == "c-1"
    assert set(at.session.changed) == {"a-1"}
    at.move(moves.Undo)
    assert at.session.phase.question == start.phase.question
    assert not at.session.changed
    assert [e.number for e in at.of(effects.Retract)] == [1, 0]
    at.move(moves.Undo)
    assert at.of(effects.RetractEarlier)


def test_undo_keeps_what_was_run() -> None:
    """A run was a run: missing again after undo recalls it."""
    at = table(choice("a-1", "a"))
    answer(at, "bad")
    at.move(moves.LayBet, bet="yes")
    at.move(moves.RunEnded, result=PASSED)
    at.move(moves.Observed, seen=None)
    at.move(moves.Undo)
    answer(at, "bad")
    assert at.session.phase.offer.kind == "recall"


def test_i_dont_know_is_again_without_a_myth() -> None:
    """Not knowing fails the card and picks no belief."""
    at = table(choice("a-1", "a"))
    at.move(moves.DontKnow)
    record = at.of(effects.Record)[0].answered
    assert (record.correct, record.rating, record.myth, record.choice) == (False, 1, None, None)


def test_a_declared_guess_comes_back_tomorrow() -> None:
    """A right guess at first sight counts a third of knowledge (three options) and is due on the next study day."""
    at = table(choice("a-1", "a"))
    at.move(moves.Mark, sureness="guess")
    answer(at)
    record = at.of(effects.Record)[0].answered
    assert (record.correct, record.rating, record.sureness, record.due) == (True, 3, "guess", "2026-12-01")
    assert record.q == pytest.approx(0.5 / (0.5 + 0.5 * 6 / 3))


def test_luck_is_counted_from_what_the_model_foresaw() -> None:
    """Undeclared: 0.75 of knowledge at first sight with three options; at a later one by the recall before the answer."""
    at = table(choice("a-1", "a"))
    answer(at)
    assert at.of(effects.Record)[0].answered.q == pytest.approx(0.75)
    clock = FakeClock()
    clock.pass_days(3)
    later = world(choice("a-1", "a"), cards={"a-1": at.session.changed["a-1"]})
    again = Table(begin(later, clock.now()), clock)
    answer(again)
    second = again.of(effects.Record)[0].answered
    assert second.predicted is not None and second.predicted < 0.9
    assert second.q == pytest.approx(second.predicted / (second.predicted + (1 - second.predicted) / 3))


def test_sureness_is_asked_of_one_answer_in_four_and_never_first() -> None:
    """In eight answers the question comes twice, not before the second."""
    items = [choice(f"x-{n}", "ac"[n % 2]) for n in range(8)]
    at = table(*items, rules=Rules(new_per_day=20))
    asked = []
    for number in range(8):
        answer(at)
        if isinstance(at.session.phase, AskingSureness):
            asked.append(number)
            at.move(moves.Mark, sureness="sure")
        at.move(moves.Continue)
    assert len(asked) == 2
    assert 0 not in asked


def test_a_quiz_is_practice_in_its_own_order() -> None:
    """Quiz answers move no card and no retry interrupts."""
    items = (choice("q-1", "a", scheduled=False), choice("q-2", "a", scheduled=False))
    at = table(*items, mode="quiz", quiz=("q-1", "q-2"), rules=Rules(confidence=False, lab="off"))
    answer(at, "bad")
    at.move(moves.Continue)
    assert at.session.phase.question.item.id == "q-2"
    records = [e.answered for e in at.of(effects.Record)]
    assert [(r.role, r.due, r.rating) for r in records] == [("practice", None, None)]


def test_a_second_answer_on_one_study_day_moves_no_card() -> None:
    """Asked for by name again on the same day, the item is practice."""
    at = table(choice("a-1", "a"))
    answer(at)
    again = table(choice("a-1", "a"), cards=dict(at.session.changed), rules=Rules(first="a-1"))
    assert again.session.phase.question.role == "practice"


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(["good", "bad", "know", "go", "undo", "skip", "bet", "ran", "seen", "suspend"]), max_size=40
    )
)
def test_any_moves_in_any_order_keep_the_books(script: list[str]) -> None:
    """Whatever is pressed, records minus retractions equal the answers counted, and wrong never passes."""
    at = table(*(choice(f"x-{n}", "abc"[n % 3]) for n in range(9)), rules=Rules(confidence=False, new_per_day=9))
    table_of = {
        "good": (moves.Answer, {"choice": ("good",)}), "bad": (moves.Answer, {"choice": ("bad",)}), "know": (moves.DontKnow, {}),
        "go": (moves.Continue, {}), "undo": (moves.Undo, {}), "skip": (moves.Skip, {}), "bet": (moves.LayBet, {"bet": "yes"}),
        "ran": (moves.RunEnded, {"result": PASSED}), "seen": (moves.Observed, {"seen": "yes"}), "suspend": (moves.Suspend, {}),
    }  # fmt: skip
    for word in script:
        kind, fields = table_of[word]
        at.clock.pass_seconds(3)
        at.move(kind, **fields)
    records, retracted = at.of(effects.Record), at.of(effects.Retract)
    assert len(records) - len(retracted) == at.session.answers
    for record in records:
        if not record.answered.correct:
            assert record.answered.rating in (1, None)
