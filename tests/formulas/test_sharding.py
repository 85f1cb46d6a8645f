"""Bytes a rank holds, against hand counts and measured digits."""

from __future__ import annotations

import pytest

from tutor.formulas import sharding
from tutor.formulas.gpt import Shape, parameter_count

SMALL = Shape(layers=4, width=256, heads=4, tokens=64, batch=2, vocabulary=512)
SHAPES = sharding.gpt_shapes(SMALL)


def test_shapes_hold_all_parameters() -> None:
    """The list of shapes and the closed form count the same numbers."""
    for shape in (SMALL, Shape(1, 32, 2, 16, 1, 64), Shape(3, 48, 4, 20, 2, 100, mlp=2)):
        assert sharding.parameters(sharding.gpt_shapes(shape)) == parameter_count(shape)


def test_bytes_a_parameter_of_ddp() -> None:
    """Gradients take 8 bytes a parameter, 4 as views; with weights and AdamW's moments that is 20 and 16."""
    assert (sharding.ddp_gradient_bytes(1, views=False), sharding.ddp_gradient_bytes(1, views=True)) == (8, 4)
    assert (sharding.ddp_state_bytes(1, views=False), sharding.ddp_state_bytes(1, views=True)) == (20, 16)


@pytest.mark.parametrize(("ranks", "measured"), [(2, 4.003), (4, 2.021)])
def test_zero1_hands_out_whole_parameters(ranks: int, measured: float) -> None:
    """The fullest of 2 ranks was measured at 4.003 state bytes a parameter, of 4 ranks at 2.021."""
    state = 8 * sharding.zero1_largest_part(SHAPES, ranks) / sharding.parameters(SHAPES)

    assert state == pytest.approx(measured, abs=6e-4)


def test_zero1_by_hand() -> None:
    """Sizes 6, 5, 4, 3 on two ranks: 6 + 3 and 5 + 4; on one rank all."""
    shapes = [(3, 1), (6, 1), (4, 1), (5, 1)]

    assert sharding.zero1_largest_part(shapes, 2) == 9
    assert sharding.zero1_largest_part(shapes, 1) == 18


def test_fsdp_cuts_rows_and_pads() -> None:
    """Even rows give exactly 1/ranks; 10 rows on 4 ranks give 3 rows a rank."""
    assert 4 * sharding.fsdp_largest_part(SHAPES, 4) == sharding.parameters(SHAPES)
    assert sharding.fsdp_largest_part([(10, 7)], 4) == 21


def test_one_rank_holds_the_same_under_each() -> None:
    """With one rank there is nothing to divide."""
    n = sharding.parameters(SHAPES)

    assert {sharding.rank_bytes(SHAPES, 1, kind) for kind in ("DDP", "ZeRO-1", "FSDP2")} == {(4 * n, 4 * n, 8 * n)}


def test_peak_factor_between_its_ends() -> None:
    """All state: divided by the ranks. All activations: not at all. Half and half on 4 ranks: 1.6."""
    assert sharding.peak_factor(16, 0, 4) == 4
    assert sharding.peak_factor(0, 16, 4) == 1
    assert sharding.peak_factor(8, 8, 4) == pytest.approx(1.6)
