"""Steps, gaps and points in a sitting: how they are put, what is no answer, and what the record holds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.learning.making import table
from tests.support import Table, choice, world
from tutor.content.model import Gap, Item, Option
from tutor.learning import effects, moves
from tutor.learning.present import present
from tutor.learning.state import Asking, Betting, Shown
from tutor.learning.world import Rules

STEPS = choice(
    "o-1",
    "a",
    kind="order",
    answer=("k1", "k2", "k3", "k4"),
    options=(Option("k1", "A"), Option("k2", "B", "myth-a"), Option("k3", "C"), Option("k4", "D")),
)
GAP = choice(
    "c-1",
    "a",
    kind="cloze",
    options=(),
    answer=("no_grad",),
    gaps=(Gap("context", ("no_grad",), {"eval": "myth-a"}),),
)
POINTS = choice(
    "e-1",
    "a",
    kind="explain",
    answer=("k1", "k2", "k3", "k4"),
    options=tuple(Option(f"k{n}", f"P{n}") for n in range(1, 5)),
)


def record(at: Table):
    """Return the answer recorded last."""
    return at.of(effects.Record)[-1].answered


def test_steps_are_shuffled_by_the_recorded_seed() -> None:
    """The same seed gives the same order, other seeds others, even in a deck served as it is; the record holds both."""
    place = world(STEPS)
    served = replace(place.library.decks[0], as_served=True)
    library = replace(place.library, decks=(served,))
    orders = {present(replace(place, library=library), STEPS, "first", seed, None, None).order for seed in range(60)}
    assert len(orders) > 12
    at = table(STEPS)
    at.move(moves.Answer, choice=STEPS.answer)
    assert record(at).options == present(place, STEPS, "first", record(at).seed, None, None).order
    assert (record(at).choice, record(at).key, record(at).correct, record(at).rating) == (
        STEPS.answer,
        STEPS.answer,
        True,
        3,
    )


@pytest.mark.parametrize(
    ("item", "fields", "hint"),
    [
        (STEPS, {"choice": ("k1", "k2", "k3")}, "Put all of 1 to 4 in their order."),
        (STEPS, {"choice": ("k1", "k2", "k3", "k3")}, "Put all of 1 to 4 in their order."),
        (GAP, {"raw": "  "}, "Type something for each gap."),
        (GAP, {"choice": ("no_grad",)}, "Type something for each gap."),
        (POINTS, {"choice": ()}, "Choose 1 to 4."),
        (POINTS, {"choice": ("k9",)}, "Choose 1 to 4."),
    ],
)
def test_an_unfit_answer_is_no_answer(item: Item, fields: dict, hint: str) -> None:
    """It changes nothing but the hint."""
    at = table(item)
    at.move(moves.Answer, **fields)
    assert isinstance(at.session.phase, Asking)
    assert at.session.phase.hint == hint
    assert not at.effects


@pytest.mark.parametrize(
    ("item", "fields"), [(STEPS, {"choice": ("k2", "k1", "k3", "k4")}), (GAP, {"raw": "eval"})], ids=["order", "cloze"]
)
def test_a_miss_leads_to_the_experiment_of_its_myth(item: Item, fields: dict) -> None:
    """A step put too early and a foreseen wrong text are diagnosed as a wrong option is."""
    at = table(item)
    at.move(moves.Answer, **fields)
    assert isinstance(at.session.phase, Betting)
    assert at.session.phase.offer.myth.id == record(at).myth == "myth-a"
    assert record(at).rating == 1


def test_a_gap_is_recorded_as_typed() -> None:
    """The raw text and the foreseen slip; no number and no option."""
    at = table(GAP)
    at.move(moves.Answer, raw="eval")
    assert (record(at).raw, record(at).slip, record(at).choice, record(at).parsed) == ("eval", "eval", None, None)
    assert record(at).key == ("no_grad",)


def test_points_wait_until_they_were_said() -> None:
    """An explanation hides its points, new or not; they stand in their own order."""
    at = table(POINTS)
    assert at.session.phase.question.hidden
    at.move(moves.Reveal)
    assert not at.session.phase.question.hidden
    assert at.session.phase.question.order == POINTS.answer


@pytest.mark.parametrize(("ticked", "rating", "q"), [(4, 3, 0.9), (3, 2, 0.9), (2, 1, 1.0)])
def test_ticks_decide_the_rating(ticked: int, rating: int, q: float) -> None:
    """All Good, one short Hard, half a miss; the record says how far it was believed."""
    at = table(POINTS)
    at.move(moves.Reveal)
    at.move(moves.Answer, choice=POINTS.answer[:ticked])
    assert (record(at).rating, record(at).q, record(at).correct) == (rating, q, rating > 1)
    assert record(at).choice == POINTS.answer[:ticked]


def test_ticks_are_not_asked_about() -> None:
    """Where every other answer may be followed by how sure it was, this one never is."""
    asked = 0
    for seed in range(12):
        points = [replace(POINTS, id=f"e-{n}", concept="abc"[n % 3]) for n in range(5)]
        at = table(*points, rules=Rules(confidence=True), seed=seed)
        while isinstance(at.session.phase, Asking):
            at.move(moves.Answer, choice=POINTS.answer)
            assert isinstance(at.session.phase, Shown)
            at.move(moves.Continue)
            asked += 1
    assert asked > 12


@pytest.mark.parametrize("item", [STEPS, GAP, POINTS], ids=["order", "cloze", "explain"])
def test_each_is_a_transfer_and_can_be_taken_back(item: Item) -> None:
    """After a miss its sibling comes; undo leads back to the question and retracts the record."""
    sibling = replace(item, id="t-1", transfer_of="a-1")
    at = table(choice("a-1", "a"), choice("c-9", "c"), sibling)
    at.move(moves.Answer, choice=("odd",))
    while not (isinstance(at.session.phase, Asking) and at.session.phase.question.role == "transfer"):
        question = at.session.phase.question if isinstance(at.session.phase, Asking) else None
        at.move(moves.Answer, choice=question.item.answer) if question else at.move(moves.Continue)
    assert at.session.phase.question.item.id == "t-1"
    answers = at.session.answers
    given = {"order": {"choice": item.answer}, "cloze": {"raw": "no_grad"}, "explain": {"choice": item.answer}}
    at.move(moves.Answer, **given[item.kind])
    assert record(at).correct and record(at).role == "transfer"
    at.move(moves.Undo)
    assert isinstance(at.session.phase, Asking) and at.session.phase.question.item.id == "t-1"
    assert at.of(effects.Retract)[-1].number == answers
