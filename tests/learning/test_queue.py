"""The order of a day: what is due, what may be new, and what waits."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from tests.learning.making import DEFAULTS, TODAY, at, card, cards, due_of
from tests.support import MONDAY, choice, library
from tutor.content.model import Concept, Deck, Library
from tutor.learning.cards import Card, elapsed_days
from tutor.learning.memory import retrievability
from tutor.learning.queue import concept_depths, new_items, pick, ready
from tutor.learning.studyday import add_days, study_day

decks = st.lists(st.tuples(cards(), st.booleans()), max_size=12)


def graph(**requires: tuple[str, ...]) -> Library:
    """Return a library with an item for each concept, in the order given."""
    items = tuple(choice(f"{id}-1", id) for id in requires)
    concepts = {id: Concept(id, "deck", id, "", before) for id, before in requires.items()}
    return Library((Deck("deck", "Deck", "easy", False, False, items),), concepts, {}, (), {i.id: i for i in items})


@given(decks, st.integers(0, 4000), st.randoms())
def test_what_is_due_and_in_what_order(drawn: list[tuple[Card, bool]], days: int, order: random.Random) -> None:
    """Every card due by today that is not suspended, likeliest forgotten first, ties by id, however the cards lie."""
    held = {one.item: Card(**{**{n: getattr(one, n) for n in one.__slots__}, "suspended": off}) for one, off in drawn}
    day, now = add_days(TODAY, days), MONDAY + days * 86_400_000_000
    due = due_of(held, day, now)
    assert set(due) == {id for id, one in held.items() if one.due <= day and not one.suspended}
    keys = [(-elapsed_days(held[id], now) / held[id].memory.stability, id) for id in due]
    assert keys == sorted(keys)
    recalls = [retrievability(-late, 1.0, DEFAULTS) for late, _ in keys]
    assert recalls == sorted(recalls), "by time over stability and by recall is the same order"
    shuffled = list(held.items())
    order.shuffle(shuffled)
    assert due_of(dict(shuffled), day, now) == due


def test_due_from_the_start_of_the_day() -> None:
    """Case 1: a card of one day, answered at 23:30, is due at 04:00 and not at 03:59."""
    evening = at("2026-11-30T23:30", "Europe/Paris")
    held = {"a-1": card(1.29, interval=1, last_us=evening.utc_us)}
    for local, due in (("2026-12-01T03:59", ()), ("2026-12-01T04:00", ("a-1",))):
        now = at(local, "Europe/Paris")
        assert due_of(held, str(study_day(now, 4)), now.utc_us) == due


@given(st.permutations("abcdef"), st.data())
def test_what_is_required_comes_first(names: list[str], data: st.DataObject) -> None:
    """In any graph without a circle no item comes before those of the concepts it builds on."""
    requires = {
        name: tuple(data.draw(st.sets(st.sampled_from(names[:place])))) if place else ()
        for place, name in enumerate(names)
    }
    shelf = graph(**dict(sorted(requires.items())))
    order = [shelf.items[id].concept for id in new_items(shelf.items, {}, shelf, frozenset())]
    assert sorted(order) == sorted(requires)
    assert all(order.index(before) < order.index(name) for name, befores in requires.items() for before in befores)


def test_equals_keep_the_decks_order() -> None:
    """Where the graph does not decide, the author does."""
    shelf = graph(c=(), a=(), b=())
    assert new_items(shelf.items, {}, shelf, frozenset()) == ("c-1", "a-1", "b-1")


def test_what_was_seen_is_not_new() -> None:
    """Neither an item with a card nor one ever answered as practice is introduced again."""
    shelf = library(choice("a-1", "a"), choice("a-2", "a"), choice("c-1", "c"))
    assert new_items(shelf.items, {"a-1": card()}, shelf, {"c-1"}) == ("a-2",)


def test_a_transfer_is_owed_after_a_miss_and_saved_up_otherwise() -> None:
    """The sibling of the last missed item comes first; the sibling of one known or unseen comes last."""
    shelf = library(
        choice("a-2", "a", transfer_of="a-1"),
        choice("c-2", "c", transfer_of="c-1"),
        choice("a-1", "a"),
        choice("c-1", "c"),
        choice("b-1", "b"),
    )
    held = {"a-1": card(recent="+-"), "c-1": card(item="c-1", recent="-+")}
    assert new_items(shelf.items, held, shelf, frozenset()) == ("a-2", "b-1", "c-2")


def test_an_item_waits_for_what_it_builds_on() -> None:
    """All required concepts with questions must have been answered once; those without questions are no bar."""
    shelf = graph(a=(), b=(), c=("a", "b", "unwritten"))
    answers = [set(), {"a"}, {"b"}, {"a", "b"}]
    assert [ready(shelf.items["c-1"], shelf, answered) for answered in answers] == [False, False, False, True]


def test_a_concept_with_nothing_but_transfers_is_no_bar() -> None:
    """A transfer may stay unseen for good, so nothing waits for it."""
    shelf = library(choice("a-2", "a", transfer_of="a-1"), choice("b-1", "b"))
    assert ready(shelf.items["b-1"], shelf, frozenset())


def test_an_unknown_concept_is_no_bar() -> None:
    """An item outside the graph is always ready and comes with the first."""
    shelf = library(choice("x-1", "elsewhere"))
    assert ready(shelf.items["x-1"], shelf, frozenset())
    assert new_items(shelf.items, {}, shelf, frozenset()) == ("x-1",)


@given(st.lists(st.sampled_from("abc"), min_size=1), st.sampled_from("abcd"))
def test_the_next_is_of_another_concept_where_there_is_one(concepts: list[str], last: str) -> None:
    """The first of another concept; the very first where all are alike."""
    place = pick(concepts, last)
    others = [n for n, concept in enumerate(concepts) if concept != last]
    assert place == (others[0] if others else 0)


def test_depth_is_the_longest_way() -> None:
    """A concept lies as deep as the longest chain before it, not the shortest."""
    depths = concept_depths(graph(d=("a", "c"), c=("b",), b=("a",), a=()))
    assert depths == {"a": 0, "b": 1, "c": 2, "d": 3}


def test_a_circle_ends() -> None:
    """Two concepts that require each other are an author's mistake and no endless loop; both have a place."""
    shelf = graph(a=("b",), b=("a",), c=("b",))
    assert set(concept_depths(shelf)) == {"a", "b", "c"}
    assert set(new_items(shelf.items, {}, shelf, frozenset())) == {"a-1", "b-1", "c-1"}
