"""Which question stands next: transfers and retries after a miss, prerequisites, concepts apart, and how many remain."""

from __future__ import annotations

from tests.learning.making import answer, table
from tests.support import choice
from tutor.learning import effects, moves
from tutor.learning.present import remaining
from tutor.learning.state import (
    Finished,
)
from tutor.learning.world import Rules


def test_a_transfer_follows_a_miss_and_is_that_cards_first_answer() -> None:
    """An unseen question on the same idea comes after one other, names the miss, and is scheduled."""
    items = (choice("a-1", "a"), choice("c-1", "c"), choice("a-2", "a", transfer_of="a-1"))
    at = table(*items, rules=Rules(confidence=False, lab="off"))
    answer(at, "bad")
    at.move(moves.Continue)
    assert at.session.phase.question.item.id == "c-1"
    answer(at)
    at.move(moves.Continue)
    question = at.session.phase.question
    assert (question.item.id, question.role, question.cause) == ("a-2", "transfer", 0)
    answer(at)
    assert at.of(effects.Record)[-1].answered.due is not None


def test_transfers_stay_within_the_days_new_items() -> None:
    """With no room for new cards a written transfer waits for another day."""
    items = (choice("a-1", "a"), choice("a-2", "a", transfer_of="a-1"))
    at = table(*items, rules=Rules(confidence=False, lab="off", new_per_day=1))
    answer(at, "bad")
    at.move(moves.Continue)
    assert isinstance(at.session.phase, Finished)


def test_a_retry_comes_after_five_others_and_moves_no_card() -> None:
    """The first try decides the schedule; the retry is practice."""
    items = [choice("a-1", "a"), *(choice(f"x-{n}", "ca"[n % 2]) for n in range(6))]
    at = table(*items, rules=Rules(confidence=False, lab="off", new_per_day=9))
    answer(at, "bad")
    seen = []
    for _ in range(6):
        at.move(moves.Continue)
        seen.append((at.session.phase.question.item.id, at.session.phase.question.role))
        answer(at)
    assert ("a-1", "retry") not in seen[:5]
    assert ("a-1", "retry") in seen or at.session.retries
    retries = [e.answered for e in at.of(effects.Record) if e.answered.role == "retry"]
    assert all(r.due is None and r.rating is None for r in retries)


def test_new_items_wait_for_their_prerequisites() -> None:
    """An item of `b` does not come before one of `a` was answered, though it stands first in the deck."""
    at = table(choice("b-1", "b"), choice("a-1", "a"))
    assert at.session.phase.question.item.id == "a-1"
    answer(at)
    at.move(moves.Continue)
    assert at.session.phase.question.item.id == "b-1"


def test_one_concept_is_not_asked_twice_in_a_row_where_there_is_another() -> None:
    """Two items of one concept are kept apart by a third."""
    at = table(choice("a-1", "a"), choice("a-2", "a"), choice("c-1", "c"))
    order = []
    for _ in range(3):
        order.append(at.session.phase.question.item.concept)
        answer(at)
        at.move(moves.Continue)
    assert order == ["a", "c", "a"]


def test_what_remains_counts_each_question_once() -> None:
    """The new item on the screen is not among those still to come, before and after its answer."""
    at = table(choice("a-1", "a"), choice("c-1", "c"), choice("a-2", "a"), rules=Rules(confidence=False, new_per_day=2))
    assert at.session.asked + remaining(at.session) == 2
    answer(at)
    assert at.session.asked + remaining(at.session) == 2
