"""A dozen questions that place a learner."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.placement import informed, judge
from tests.learning.making import card
from tests.learning.test_choosing import answer, due, rest, table
from tests.learning.test_queue import graph
from tests.support import FakeClock, choice, world
from tutor.learning import moves
from tutor.learning.effects import Record, Retract, RetractEarlier
from tutor.learning.mastery import KNOWN, Mastery
from tutor.learning.placement import MOST, QUESTIONS, SHARE, next_probe, spread
from tutor.learning.present import begin
from tutor.learning.state import Asking, Finished
from tutor.learning.world import Rules

CHAIN = graph(a=(), b=("a",), c=("b",), d=("c",), e=())
RULES = Rules(confidence=False, lab="off", placement=True)


def test_evidence_travels_by_shares_and_bounded() -> None:
    """A right answer on `c` speaks for `b` and less for `a`; a wrong one against `d`; `e` hears nothing."""
    right = spread(Mastery({"c": 1.0}), CHAIN).evidence
    assert right == {"c": 1.0, "b": SHARE, "a": SHARE**2}
    wrong = spread(Mastery({"b": -1.0}), CHAIN).evidence
    assert wrong == {"b": -1.0, "c": -SHARE, "d": -(SHARE**2)}
    assert spread(Mastery({"b": -1.0}), CHAIN, against=False).evidence == {"b": -1.0}
    assert spread(Mastery({"c": 40.0}), CHAIN).evidence["b"] == MOST


@given(st.dictionaries(st.sampled_from("abcde"), st.floats(-6, 6), max_size=5))
def test_hearsay_stays_within_its_bound(evidence: dict[str, float]) -> None:
    """No concept moves by more than the bound, whatever its neighbours say, and those asked about stay the same."""
    before = Mastery(evidence, frozenset("ab"))
    after = spread(before, CHAIN)
    assert all(abs(after.evidence[id] - evidence.get(id, 0.0)) <= MOST + 1e-9 for id in after.evidence)
    assert after.asked == before.asked


def test_the_first_question_is_in_the_middle() -> None:
    """Of a chain, the middle tells most; an answered concept is asked again only when no other is left."""
    items = [CHAIN.items[f"{id}-1"] for id in "abcde"]
    first = next_probe(items, CHAIN, Mastery())
    assert first is not None
    assert first.concept in "bc"
    assert next_probe([items[0]], CHAIN, Mastery({"a": 2.0})) == items[0]
    assert next_probe([], CHAIN, Mastery()) is None


def test_a_placement_asks_a_dozen_concepts_and_ends() -> None:
    """Each of another concept, new items only, no retry and no transfer whatever is missed, beyond the day's new items."""
    items = [choice(f"x-{n}", f"k{n}") for n in range(20)]
    at = table(*items, choice("a-1", "a"), cards=(due("a-1"),), rules=replace(RULES, new_per_day=3))
    asked = rest(at, "bad")
    assert len(asked) == len(set(asked)) == QUESTIONS
    assert "a-1" not in asked
    assert isinstance(at.session.phase, Finished)
    assert at.session.phase.reason == "placed"
    assert all(e.answered.due is not None for e in at.of(Record))


def test_new_items_start_where_the_learner_stands() -> None:
    """What is likely known comes last: after a right answer on `b`, an item of `c` precedes a second one of `a` or `b`."""
    items = [choice("a-2", "a"), choice("b-1", "b"), choice("b-2", "b"), choice("c-1", "c")]
    held = {"b-1": card(item="b-1", recent="++", due="2027-01-01")}
    at = begin(world(*items, cards=held, rules=Rules(confidence=False)), FakeClock().now())
    assert isinstance(at.phase, Asking)
    assert at.phase.question.item.id == "c-1"


def test_hearsay_opens_nothing() -> None:
    """`b` builds on `a`: a right answer elsewhere gives credit, but only an answer on `a` itself makes it known."""
    assert spread(Mastery({"c": 9.0}), CHAIN).probability("b") >= KNOWN
    at = table(choice("b-1", "b"), choice("a-1", "a"), rules=Rules(confidence=False, lab="off"))
    assert answer(at) == "a-1"


@pytest.mark.parametrize("seed", [1])
def test_doubt_along_the_graph_places_better(seed: int) -> None:
    """The measured claim of the docstring, on fewer learners: lower log loss and fewer false claims than own answers alone."""
    layers = {
        f"{row}{column}": tuple(f"{row - 1}{k}" for k in (column, (column + 1) % 4)) if row else ()
        for row in range(5)
        for column in range(4)
    }
    shelf = graph(**layers)
    own = judge(shelf, informed, lambda mastery: mastery, 60)
    spoken = judge(shelf, informed, lambda mastery: spread(mastery, shelf), 60)
    assert spoken.loss < own.loss
    assert spoken.wrong < own.wrong


def test_a_placement_takes_back_its_own_answers_and_none_before_it() -> None:
    """At its first question nothing is taken back, however often it is asked; after an answer that one is."""
    at = table(*CHAIN.items.values(), rules=RULES)
    first = at.session
    assert at.move(moves.Undo) == first
    answer(at)
    at.move(moves.Continue)
    at.move(moves.Undo)
    assert at.session.phase.question == first.phase.question
    assert at.move(moves.Undo) == at.session
    assert [effect.number for effect in at.of(Retract)] == [0]
    assert at.of(RetractEarlier) == []
