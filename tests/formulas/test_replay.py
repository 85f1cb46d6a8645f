"""Running statistics after one forward and after a replayed one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.formulas import replay


def test_by_hand() -> None:
    """With momentum 0.1 one update moves 10 % of the way, two move 19 %: 1.9 times as far."""
    assert replay.statistics_moved(0.1, 0) == 0
    assert replay.statistics_moved(0.1, 1) == pytest.approx(0.1)
    assert replay.statistics_moved(0.1, 2) == pytest.approx(0.19)
    assert replay.double_move(0.1) == pytest.approx(1.9)


@given(st.floats(0.01, 1))
def test_two_updates_move_less_than_twice_as_far(momentum: float) -> None:
    """The second update starts nearer to the batch: 2 - m."""
    assert replay.double_move(momentum) == pytest.approx(2 - momentum)
