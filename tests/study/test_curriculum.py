"""The concept map: what waits, what is known, what comes next, and a sitting on what was chosen."""

from __future__ import annotations

from dataclasses import replace

from tests.support import FakeClock
from tutor.learning.moves import Answer
from tutor.learning.state import Asking, Finished
from tutor.study.curriculum import curriculum, narrowed
from tutor.study.desk import Desk
from tutor.study.sitting import Sitting

DECK, CONCEPT = "randomness", "rng.replay"
ITEM = "rng-7f3k"


def test_a_newcomer_knows_nothing_and_is_shown_where_to_begin(desk: Desk) -> None:
    """Every item is new, nothing due; the next concept of a deck builds on nothing unknown."""
    found = curriculum(desk)
    scheduled = list(desk.library.scheduled())
    assert sum(one.waiting.items for one in found.decks) == len(scheduled)
    assert sum(one.waiting.new for one in found.decks) == len(scheduled)
    assert not any(one.waiting.due or one.waiting.readiness for one in found.decks)
    assert found.new_left == desk.config.new_per_day
    memory = next(one for one in found.decks if one.deck.id == "activation-memory")
    assert memory.next is not None and memory.next.concept.requires == ()
    assert not any(concept.is_known for one in found.decks for concept in one.concepts)


def test_concepts_stand_after_what_they_build_on(desk: Desk) -> None:
    """In every deck a concept comes after its prerequisites of the same deck."""
    for deck in curriculum(desk).decks:
        order = [one.concept.id for one in deck.concepts]
        for place, one in enumerate(deck.concepts):
            assert not set(one.concept.requires) & set(order[place:])


def test_a_sitting_on_a_concept_asks_of_it_alone(desk: Desk, clock: FakeClock) -> None:
    """Although what it builds on is unknown; right answers make it known, and due again another day."""
    sitting = Sitting(desk, replace(narrowed(desk.rules(), concept=CONCEPT), first=ITEM, lab="off", confidence=False))
    assert isinstance(sitting.session.phase, Asking)
    everything = {*sitting.session.queue, *sitting.session.new}
    assert {desk.library.items[id].concept for id in everything} <= {CONCEPT}
    sitting.send(Answer(clock.now(), choice=("mask",)))
    after = next(s for d in curriculum(desk).decks for s in d.concepts if s.concept.id == CONCEPT)
    assert after.met and after.waiting.new == after.waiting.items - 1
    assert after.waiting.readiness > 0
    clock.pass_days(400)
    later = next(s for d in curriculum(desk).decks for s in d.concepts if s.concept.id == CONCEPT)
    assert later.waiting.due == 1 and later.waiting.readiness < after.waiting.readiness


def test_a_sitting_on_a_deck_stays_in_it(desk: Desk) -> None:
    """Nothing of another deck is due or new in it."""
    sitting = Sitting(desk, narrowed(desk.rules(), deck=DECK))
    assert {desk.library.items[id].deck for id in sitting.session.new} == {DECK}


def test_what_was_chosen_is_not_paced(desk: Desk) -> None:
    """A far interview spreads new items; a concept chosen is asked up to the day's own limit."""
    rules = replace(desk.rules(), interview="2027-12-01", interview_set=desk.day())
    paced = Sitting(desk, replace(rules, concepts=frozenset({CONCEPT})))
    assert paced.rules.new_per_day == 1
    assert Sitting(desk, narrowed(rules, concept=CONCEPT)).rules.new_per_day == rules.new_per_day


def test_nothing_is_asked_of_a_concept_without_questions(desk: Desk) -> None:
    """The sitting is over before it begins."""
    sitting = Sitting(desk, narrowed(desk.rules(), concept="no.such"))
    assert sitting.session.phase == Finished("nothing")
