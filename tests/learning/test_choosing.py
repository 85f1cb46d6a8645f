"""What a sitting asks next: like apart from like, prerequisites known before what builds on them, weak ones after a miss."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learning.making import TODAY, card
from tests.support import MONDAY, FakeClock, Table, choice, world
from tutor.clock import MICROSECONDS_PER_DAY
from tutor.content.model import Item
from tutor.learning import moves
from tutor.learning.cards import Card
from tutor.learning.effects import Record
from tutor.learning.queue import pick_apart
from tutor.learning.records import History
from tutor.learning.session import begin
from tutor.learning.state import Asking, Finished
from tutor.learning.world import Rules

QUIET = {"confidence": False, "lab": "off"}


def due(id: str, **changes: object) -> Card:
    """Return a card of `id` that came due yesterday, answered ten days ago."""
    base = {"item": id, "due": "2026-11-29", "last_day": "2026-11-20", "last_us": MONDAY - 10 * MICROSECONDS_PER_DAY}
    return card(**(base | changes))


def table(*items: Item, cards: tuple[Card, ...] = (), rules: Rules | None = None, **changes: object) -> Table:
    """Return a sitting over those items that asks neither for sureness nor for experiments."""
    clock = FakeClock()
    held = {one.item: one for one in cards}
    return Table(begin(world(*items, rules=rules or Rules(**QUIET), cards=held, **changes), clock.now()), clock)


def answer(at: Table, key: str = "good") -> str:
    """Answer the question at hand and go on; return its id."""
    assert isinstance(at.session.phase, Asking)
    id = at.session.phase.question.item.id
    at.move(moves.Answer, choice=(key,))
    at.move(moves.Continue)
    return id


def rest(at: Table, key: str = "good") -> list[str]:
    """Answer everything that is left; return the ids in order."""
    asked = []
    while not isinstance(at.session.phase, Finished):
        asked.append(answer(at, key))
    return asked


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=14), st.sampled_from(["a", "b", ""]))
def test_no_concept_comes_twice_in_a_row_where_that_can_be_avoided(concepts: list[str], last: str) -> None:
    """An order without two alike in a row exists exactly where no concept has more than its half; then it is found."""
    left = [choice(f"x-{n}", concept) for n, concept in enumerate(concepts)]
    order = [last]
    while left:
        order.append(left.pop(pick_apart(left, order[-1], set())).concept)
    counts = Counter(concepts)
    room = len(concepts) + 1
    possible = all(2 * count <= (room if concept != last else room - 1) for concept, count in counts.items())
    if possible:
        assert all(one != after for one, after in pairwise(order))
    assert Counter(order[1:]) == counts


def test_siblings_come_apart() -> None:
    """The transfer of an item just met waits for others, though another concept stands between them already."""
    items = [choice("a-1", "a"), choice("c-1", "c"), choice("a-2", "a", transfer_of="a-1"), choice("x-1", "x")]
    left, last, met, order = list(items), "", set[str](), []
    while left:
        item = left.pop(pick_apart(left, last, met))
        last = item.concept
        met.add(item.transfer_of or item.id)
        order.append(item.id)
    assert order == ["a-1", "c-1", "x-1", "a-2"]


def test_what_builds_on_a_missed_concept_waits() -> None:
    """`b` builds on `a`: one right answer opens it, a wrong one leaves it for another day."""
    items = choice("b-1", "b"), choice("a-1", "a"), choice("c-1", "c")
    assert set(rest(table(*items))) == {"a-1", "b-1", "c-1"}
    missed = table(*items)
    assert answer(missed, "bad") == "a-1"
    assert "b-1" not in rest(missed)


def test_a_prerequisite_forgotten_since_closes_what_builds_on_it() -> None:
    """The last answer counts: a card missed yesterday is no ground to build on, one missed and then known is."""
    items = choice("b-1", "b"), choice("a-1", "a")
    later = {"due": "2027-01-01"}
    assert rest(table(*items, cards=(due("a-1", recent="++-", **later),))) == []
    assert rest(table(*items, cards=(due("a-1", recent="+-+", **later),))) == ["b-1"]


def test_a_prerequisite_set_aside_is_no_bar() -> None:
    """Nothing waits for an item the learner does not want to see, with a card or without one."""
    items = choice("b-1", "b"), choice("a-1", "a")
    assert rest(table(*items, history=History(aside=frozenset({"a-1"})))) == ["b-1"]
    assert rest(table(*items, cards=(due("a-1", recent="-", suspended=True),))) == ["b-1"]


def test_a_prerequisite_outside_the_decks_asked_for_is_no_bar() -> None:
    """Who asks for one deck gets its new items, whatever another deck would have come first with."""
    items = choice("b-1", "b"), choice("a-1", "a", deck="other")
    assert rest(table(*items, rules=Rules(**QUIET, decks=frozenset({"deck"})))) == ["b-1"]


def test_a_miss_brings_its_weak_prerequisite_next() -> None:
    """Before the transfer and all that is due, and it names the miss it follows; then the order goes on."""
    items = choice("b-1", "b"), choice("b-2", "b", transfer_of="b-1"), choice("c-1", "c"), choice("a-1", "a")
    at = table(*items, cards=(due("b-1", memory=card(1.0).memory), due("c-1")))
    assert answer(at, "bad") == "b-1"
    question = at.session.phase.question
    assert (question.item.id, question.role, question.cause) == ("a-1", "first", 0)
    assert rest(at)[:3] == ["a-1", "b-2", "c-1"]
    records = {effect.answered.item: effect.answered for effect in at.of(Record)}
    assert records["a-1"].due is not None


def test_a_prerequisite_that_is_known_does_not_come_before_its_day() -> None:
    """A strong prerequisite is left where it is: not due, not asked."""
    items = choice("b-1", "b"), choice("a-1", "a"), choice("c-1", "c")
    cards = (due("b-1", memory=card(1.0).memory), due("c-1"), due("a-1", recent="+++", due="2027-02-01"))
    at = table(*items, cards=cards)
    answer(at, "bad")
    assert "a-1" not in rest(at)


def test_a_new_prerequisite_needs_room_in_the_day() -> None:
    """The day's limit of new items holds for what a miss brings along; a due prerequisite needs none."""
    items = choice("b-1", "b"), choice("a-1", "a"), choice("c-1", "c")
    full = Rules(**QUIET, new_per_day=0)
    held = due("b-1", memory=card(1.0).memory), due("c-1")
    at = table(*items, cards=held, rules=full)
    answer(at, "bad")
    assert "a-1" not in rest(at)
    at = table(*items, cards=(*held, due("a-1", recent="+-")), rules=full)
    answer(at, "bad")
    assert answer(at) == "a-1"


def test_undo_takes_the_prerequisite_back_too() -> None:
    """After undo and a right answer nothing jumps the queue."""
    items = choice("b-1", "b"), choice("a-1", "a"), choice("c-1", "c")
    at = table(*items, cards=(due("b-1", memory=card(1.0).memory), due("c-1")))
    answer(at, "bad")
    at.move(moves.Undo)
    assert answer(at) == "b-1"
    assert answer(at) == "c-1"


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=12),
    st.data(),
    st.integers(0, 6),
    st.one_of(st.none(), st.integers(1, 6)),
)
def test_nothing_due_is_lost_and_limits_hold(
    concepts: list[str], data: st.DataObject, new: int, limit: int | None
) -> None:
    """Whatever is missed: all that is due is asked once, no more new items than allowed, no more first questions than wished."""
    items = [choice(f"{concept}-{n}", concept) for n, concept in enumerate(concepts)]
    held = data.draw(st.sets(st.sampled_from([item.id for item in items])))
    rules = Rules(**QUIET, new_per_day=new, limit=limit)
    at = table(*items, cards=tuple(due(id) for id in held), rules=rules)
    while not isinstance(at.session.phase, Finished):
        answer(at, data.draw(st.sampled_from(["good", "bad"])))
    firsts = [e.answered.item for e in at.of(Record) if e.answered.role == "first"]
    assert len(firsts) == len(set(firsts))
    assert len(set(firsts) - held) <= new
    if limit is None:
        assert held <= set(firsts)
    else:
        assert len(firsts) <= limit
    assert all(effect.answered.due > TODAY for effect in at.of(Record) if effect.answered.due)


@pytest.mark.parametrize("missed", range(8))
def test_what_is_said_to_come_again_comes_again(missed: int) -> None:
    """Of eight questions one is missed: "again soon" is said where enough others are left, and only there."""
    items = [choice(f"x-{n}", f"k{n}") for n in range(8)]
    at = table(*items, rules=Rules(**QUIET, new_per_day=8))
    asked, said = [], None
    while not isinstance(at.session.phase, Finished):
        asked.append(at.session.phase.question.item.id)
        at.move(moves.Answer, choice=("bad" if len(asked) - 1 == missed else "good",))
        if len(asked) - 1 == missed:
            said = at.session.phase.judged.again_soon
        at.move(moves.Continue)
    assert said == (asked.count(asked[missed]) == 2) == (missed < 3)
