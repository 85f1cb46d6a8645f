"""A log with rows that no tutor writes: each is handled by its rule, and the review goes on."""

from __future__ import annotations

from typing import Any

import pytest

from tests.store.given import DAY, answered, assert_sound, parameters
from tests.support import FakeClock
from tutor.learning import moves
from tutor.learning.parameters import DEFAULT, LOWER, UPPER
from tutor.paths import Home
from tutor.store import open_store
from tutor.study.desk import Desk
from tutor.study.sitting import Sitting
from tutor.study.verdict import fit_log


@pytest.mark.parametrize("rating", [0, 5, -1, 2.5, "good", None])
def test_an_unknown_rating_moves_no_card(home: Home, clock: FakeClock, rating: Any) -> None:
    """The answer is kept and counted; the card stands where it stood, step by step and from the start."""
    with open_store(home, clock) as store:
        store.append("answered", answered(), clock.now(), DAY)
        card = store.cards()
        clock.pass_days(2)
        store.append("answered", answered(rating=rating), clock.now(), "2026-12-02")
        assert store.cards() == card
        assert len(list(store.answers())) == 2
    assert_sound(home, clock)


@pytest.mark.parametrize(("q", "as_if"), [(-3.0, 0.0), (7.0, 1.0), (None, 1.0), (float("nan"), 1.0), (0.4, 0.4)])
def test_a_q_out_of_range_is_moved_into_it(home: Home, clock: FakeClock, q: float | None, as_if: float) -> None:
    """Below 0 is 0, above 1 is 1, none is 1: plain evidence."""
    other = Home(home.folder.parent / "other")
    cards = []
    for place, value in ((home, q), (other, as_if)):
        with open_store(place, clock) as store:
            store.append("answered", answered(q=value), clock.now(), DAY)
            cards.append(store.cards())
    assert cards[0] == cards[1]
    assert_sound(home, clock)


def test_a_negative_duration_takes_no_time(home: Home, clock: FakeClock) -> None:
    """The day's time never falls, nor does one that is no number stop it."""
    with open_store(home, clock) as store:
        for odd in (None, "slow", 900.5):
            store.append("answered", answered("c", ms=odd), clock.now(), DAY)
        store.append("answered", answered("a", ms=-5_000), clock.now(), DAY)
        store.append("answered", answered("b", ms=2_000), clock.now(), DAY)
        assert store.days()[0].ms == 2_900
    assert_sound(home, clock)


@pytest.mark.parametrize(
    "weights",
    [list(DEFAULT[:17]), list(DEFAULT[:19]), [w * 1000 for w in DEFAULT], [-5.0] * 21],
    ids=["17", "19", "above", "below"],
)
def test_other_parameters_are_upgraded_and_clamped(home: Home, clock: FakeClock, weights: list[float]) -> None:
    """Sets of earlier versions and weights out of range are used as 21 weights within their bounds."""
    with open_store(home, clock) as store:
        store.append("parameters", parameters("odd", 1.0) | {"weights": weights}, clock.now(), DAY)
        used = store.parameters()
        assert used.id == "odd"
        assert all(low <= w <= high for low, w, high in zip(LOWER, used.weights, UPPER, strict=True))
        store.append("answered", answered(), clock.now(), DAY)
    review(home, clock)


@pytest.mark.parametrize("weights", [[], [1.0] * 20, ["nan"] * 21, "none", None, [None] * 21])
def test_what_are_no_parameters_is_passed_over(home: Home, clock: FakeClock, weights: Any) -> None:
    """The set before it stays in force."""
    with open_store(home, clock) as store:
        store.append("parameters", parameters("good", 1.5), clock.now(), DAY)
        store.append("parameters", parameters("bad", 1.0) | {"weights": weights}, clock.now(), DAY)
        assert store.parameters().id == "good"
        store.append("answered", answered(), clock.now(), DAY)
    review(home, clock)


def test_times_out_of_order_and_twice_are_survived(home: Home, clock: FakeClock) -> None:
    """Answers at one instant and before it: no time has passed, and the fit counts what it leaves out."""
    with open_store(home, clock) as store:
        for days in (0, 0, -1, 5):
            clock.pass_days(days)
            store.append("answered", answered(), clock.now(), DAY)
        assert store.cards()["a"].reps == 4
        assert fit_log(store).reason == "too few"
    review(home, clock)


def review(home: Home, clock: FakeClock) -> None:
    """Answer one question in a sitting, and hold the file to the doctor."""
    clock.pass_days(3)
    with Desk(home, clock) as desk:
        sitting = Sitting(desk, desk.rules())
        sitting.send(moves.DontKnow(desk.now()))
        assert sitting.session.answers == 1
    assert_sound(home, clock)
