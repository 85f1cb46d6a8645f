"""Bets: right or not, how far off, in which direction."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.content.experiments import Bet
from tutor.learning.bets import BetScore, bet_holds, score, settle

CHOICE = Bet("where", "choice", "Where?", "phase", {"fwd": "forward", "bwd": "backward"})
RATIO = Bet("ratio", "ratio", "By what factor?", "ratio", unit="x", tolerance=0.1)


def test_a_choice_is_right_by_its_key() -> None:
    """The key that came true, and no other."""
    assert bet_holds(CHOICE, "fwd", "fwd")
    assert not bet_holds(CHOICE, "bwd", "fwd")


@pytest.mark.parametrize(("wager", "right"), [(1.35, True), (1.2, True), (1.1, False), (1.4, False)])
def test_a_number_is_right_within_its_tolerance(wager: float, right: bool) -> None:
    """A tenth of the measured value either way."""
    assert bet_holds(RATIO, wager, 1.25) is right


def test_direction_and_distance() -> None:
    """Twice too high, twice too low and four times too high: off by two, too high by two; a choice has no factor."""
    bets = [settle(RATIO, wager, 1.0, "2026-11-30", ("a",)) for wager in (2.0, 0.5, 4.0)]
    bets.append(settle(CHOICE, "fwd", "fwd", "2026-11-30", ("a",)))

    assert score(bets) == BetScore(4, 1, 3, pytest.approx(2.0), pytest.approx(2.0))


def test_nothing_has_no_medians() -> None:
    """No bets, no score; a wager of nothing has no factor."""
    assert score([]) == BetScore(0, 0, 0, None, None)
    assert settle(RATIO, 0.0, 1.0, "2026-11-30", ()).factor is None


@given(st.lists(st.floats(0.01, 100.0), min_size=1, max_size=9))
def test_the_mirror_image_is_as_far_and_the_other_way(wagers: list[float]) -> None:
    """Bets upside down are off by the same factor, biased to the other side."""
    high = score(settle(RATIO, wager, 1.0, "2026-11-30", ()) for wager in wagers)
    low = score(settle(RATIO, 1 / wager, 1.0, "2026-11-30", ()) for wager in wagers)

    assert high.off is not None and high.bias is not None and low.bias is not None
    assert high.off == pytest.approx(low.off)
    assert high.bias == pytest.approx(1 / low.bias)
