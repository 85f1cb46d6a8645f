"""What answers say of a concept: Bayes' rule, bounded, with the latest run of outcomes alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.learning.making import card
from tests.support import choice, library, outcomes, world
from tutor.content.model import Concept, Option
from tutor.learning.guessing import PRIOR
from tutor.learning.mastery import KNOWN, answer_evidence, guess_chance, mastery_of, moved, prerequisites
from tutor.learning.records import History

marks = st.text("+-", min_size=1, max_size=3)


def test_one_right_answer_of_three_options_by_hand() -> None:
    """(1 - 0.1)/(1/3) = 2.7 to one, so 2.7/3.7; a wrong one 0.1/(2/3) = 0.15, so 0.15/1.15."""
    items = [choice("a-1", "a")]
    right, wrong = (mastery_of(outcomes(items, {"a-1": card(recent=mark)})).probability("a") for mark in "+-")
    assert right == pytest.approx(2.7 / 3.7)
    assert wrong == pytest.approx(0.15 / 1.15)
    assert wrong < PRIOR < KNOWN < right


def test_two_options_take_two_right_answers() -> None:
    """A coin's worth of luck is not knowledge; the second right answer in a row is."""
    coin = replace(choice("a-1", "a"), options=(Option("good", "yes"), Option("bad", "no")))
    known = [mastery_of(outcomes([coin], {"a-1": card(recent=recent)})).known() for recent in ("+", "++", "++-")]
    assert known == [frozenset(), frozenset({"a"}), frozenset()]


def test_chances_by_kind() -> None:
    """One of three; one of seven sets; a number is hardly guessed."""
    one = choice("a-1", "a")
    assert guess_chance(one) == pytest.approx(1 / 3)
    assert guess_chance(replace(one, kind="multi")) == pytest.approx(1 / 7)
    assert 0 < guess_chance(replace(one, kind="numeric", options=())) < 0.05


@given(marks, marks)
def test_only_the_latest_run_counts(before: str, run: str) -> None:
    """What was known or not before the last change of luck says nothing of now, and right always beats wrong."""
    item = choice("a-1", "a")
    same = run[-1] * len(run)
    other = "-" if same[-1] == "+" else "+"
    assert answer_evidence(item, before + other + same) == answer_evidence(item, same)
    assert (answer_evidence(item, before) > 0) == before.endswith("+")


@given(
    st.dictionaries(st.sampled_from(["a-1", "a-2", "c-1", "c-2"]), marks),
    st.dictionaries(st.sampled_from(["a-1", "c-2"]), marks),
)
def test_moved_mastery_is_the_mastery_of_the_moved_cards(before: dict[str, str], after: dict[str, str]) -> None:
    """Answers of a sitting can be laid over what was known when it began, and no probability leaves (0, 1)."""
    items = {id: choice(id, id[0]) for id in ("a-1", "a-2", "c-1", "c-2")}
    old = {id: card(item=id, recent=recent) for id, recent in before.items()}
    new = {id: card(item=id, recent=recent) for id, recent in after.items()}
    laid = moved(mastery_of(outcomes(items.values(), old)), [(items[id], old.get(id), one) for id, one in new.items()])
    fresh = mastery_of(outcomes(items.values(), {**old, **new}))
    for concept in "ac":
        assert laid.probability(concept) == pytest.approx(fresh.probability(concept))
        assert 0 < laid.probability(concept) < 1


def test_nothing_waits_for_what_cannot_be_asked() -> None:
    """A concept whose only item is set aside, or a mere transfer, is no bar."""
    items = (choice("a-1", "a"), choice("c-2", "c", transfer_of="c-1"))
    aside = History(aside=frozenset({"a-1"}))
    assert world(*items, history=aside).mastery.asked == frozenset()
    assert world(*items).mastery.asked == {"a"}


def test_prerequisites_come_nearest_first_and_a_circle_ends() -> None:
    """Breadth first over the graph, each once, the concept itself never."""
    shelf = library()
    requires = {"d": ("b", "c"), "b": ("a",), "c": ("a",), "a": ("d",)}
    graph = replace(shelf, concepts={id: Concept(id, "deck", id, "", before) for id, before in requires.items()})
    assert list(prerequisites("d", graph)) == ["b", "c", "a"]
    assert list(prerequisites("unwritten", graph)) == []
