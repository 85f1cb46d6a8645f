"""Mock interviews through the real store: what is asked, what is forecast, and what the first sights are worth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.plain.test_mode import Learner
from tests.support import FakeClock
from tutor.content.model import Library
from tutor.learning import moves
from tutor.learning.state import Asking, Finished
from tutor.plain.lines import Lines
from tutor.plain.mode import LineMode
from tutor.report import words as report_words
from tutor.report.sealed import sealed_report
from tutor.study.desk import Desk, with_limits
from tutor.study.mock import readiness_by_concept, sealed_items, words
from tutor.study.reporting import report_of
from tutor.study.sitting import Sitting
from tutor.study.today import today


def sealing(library: Library, ids: tuple[str, ...]) -> Library:
    """Return the library with those items sealed and no other."""
    items = {
        id: replace(item, sealed=id in ids, scheduled=id not in ids and (item.scheduled or item.sealed))
        for id, item in library.items.items()
    }
    decks = tuple(replace(deck, items=tuple(items[item.id] for item in deck.items)) for deck in library.decks)
    return replace(library, items=items, decks=decks)


@pytest.fixture
def sealed(desk: Desk) -> tuple[str, ...]:
    """Three choice items of two concepts, sealed in the desk's library; two of them share a concept."""
    choices = [item for item in desk.library.scheduled() if item.kind == "choice" and not item.transfer_of]
    first = choices[0]
    second = next(item for item in choices[1:] if item.concept == first.concept)
    third = next(item for item in choices if item.concept != first.concept)
    ids = (first.id, second.id, third.id)
    desk.__dict__["library"] = sealing(desk.library, ids)
    return ids


def sit(desk: Desk, count: int, right: bool = True) -> Sitting:
    """Answer a mock of `count` items, all rightly or all wrongly."""
    sitting = Sitting(desk, replace(desk.rules(), mock=count, lab="off", confidence=False))
    while not isinstance(sitting.session.phase, Finished):
        phase = sitting.session.phase
        if isinstance(phase, Asking):
            item = phase.question.item
            wrong = next(option.key for option in item.options if option.key not in item.answer)
            sitting.send(moves.Answer(desk.now(), choice=item.answer if right else (wrong,)))
        else:
            sitting.send(moves.Continue(desk.now()))
    return sitting


def test_one_of_each_concept_before_a_second(desk: Desk, sealed: tuple[str, ...]) -> None:
    """Concepts take turns, and what was answered is not asked again."""
    first, second, third = sealed
    assert set(sealed_items(desk, 2)) == {first, third}
    assert sealed_items(desk, 9)[-1] == second
    sit(desk, 2)
    assert sealed_items(desk, 9) == (second,)


def test_a_mock_leaves_nothing_but_its_answers(desk: Desk, sealed: tuple[str, ...]) -> None:
    """No card, nothing new today, no retention; the log and its projections agree."""
    before = today(desk)
    sit(desk, 3, right=False)
    after = today(desk)
    assert desk.store.cards() == {}
    assert (after.due, after.new) == (before.due, before.new)
    assert {answer.payload["role"] for answer in desk.store.answers()} == {"sealed"}


def test_first_sights_against_the_forecast(desk: Desk, sealed: tuple[str, ...]) -> None:
    """Nothing learnt: a quarter is forecast of four options, so three right answers score badly, and three wrong ones well."""
    assert sealed_report(desk.store, desk.library)["brier"] is None
    sit(desk, 3)
    found = sealed_report(desk.store, desk.library)
    chance = 1 / len(desk.library.items[sealed[0]].options)
    assert (found["n"], found["right"], found["left"]) == (3, 3, 0)
    assert found["forecast"] == pytest.approx(chance, abs=0.1)
    assert found["brier"] == pytest.approx((1 - chance) ** 2, abs=0.1)
    assert (found["expected_low"], found["expected_high"]) == (0, 2)
    assert report_of(desk)["sealed"] == found
    assert "0 to 2 of 3 in 95 % of cases: too low for you" in report_words.sealed(found)
    assert "The forecast is too low for you" in words(desk)
    assert "3 of 3 right" in words(desk) and "n = 3" in words(desk)


def test_a_forecast_that_is_too_high_is_told() -> None:
    """Fewer right than it allows; as many as it allows are not told."""
    row = {"n": 20, "value": 0.6, "low": 0.4, "high": 0.8, "forecast": 0.9, "brier": 0.3, "left": 4}
    row |= {"expected_low": 15, "expected_high": 20}
    assert ": too high for you; Brier" in report_words.sealed(row | {"right": 14})
    assert "for you" not in report_words.sealed(row | {"right": 15})


def test_readiness_rises_with_what_was_learnt(desk: Desk, clock: FakeClock, sealed: tuple[str, ...]) -> None:
    """A practised card of the concept is in the forecast of its sealed items, written when they are asked."""
    concept = desk.library.items[sealed[0]].concept
    practised = next(item for item in desk.library.scheduled() if item.concept == concept and item.kind == "choice")
    sitting = Sitting(desk, with_limits(desk.rules(), limit=None, new=None, item=practised.id, decks=frozenset()))
    sitting.send(moves.Answer(desk.now(), choice=practised.answer))
    clock.pass_days(1)
    known = readiness_by_concept(desk)[concept]
    assert 0 < known < 1
    sit(desk, 1)
    assert desk.store.last_answer().payload["predicted"] == pytest.approx(known)


def test_an_answer_of_a_mock_is_never_taken_back(desk: Desk, sealed: tuple[str, ...]) -> None:
    """Not in the mock, and not by an undo at the start of the next sitting."""
    sit(desk, 1)
    later = Sitting(desk, desk.rules())
    later.send(moves.Undo(desk.now()))
    assert [answer.payload["item"] for answer in desk.store.answers()] == [sealed[0]]


def test_line_mode_says_how_it_went(desk: Desk, sealed: tuple[str, ...]) -> None:
    """After the last question the score stands beside the forecast."""
    learner = Learner({"choice": ["1", "1", "1"]})
    rules = replace(desk.rules(), mock=3, lab="off", confidence=False)
    LineMode(Sitting(desk, rules), Lines(learner, learner.said)).run()
    said = " ".join(learner.said.getvalue().split())
    assert "3 answered" in said
    assert "Brier score" in said and "0 sealed questions left." in said
