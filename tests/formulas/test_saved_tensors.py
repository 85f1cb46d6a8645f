"""Saved tensors counted term by term, against sums by hand and the block's closed form."""

from __future__ import annotations

import pytest

from tutor.formulas import saved_tensors as saved
from tutor.formulas.gpt import Shape, block_saved_units


def test_mlp_by_hand() -> None:
    """Ten rows of width 2: inputs of 20 and 80 elements, and with GELU 80 more; tanh is content with its output."""
    assert saved.mlp_elements(10, 2, "relu") == 100
    assert saved.mlp_elements(10, 2, "gelu") == 180
    assert saved.activation_elements("tanh", 80) == 0
    assert saved.activation_elements("silu", 80) == 80


def test_convolution_by_hand() -> None:
    """Three inputs of ten elements, four statistics, and the activation's ten with GELU."""
    assert saved.convolution_elements(5, 2, "relu") == 34
    assert saved.block_elements("conv", 5, 2, 1, 5, "gelu") == 44


@pytest.mark.parametrize(("width", "heads", "tokens"), [(64, 4, 32), (128, 8, 256)])
def test_terms_add_up_to_the_closed_form_of_a_block(width: int, heads: int, tokens: int) -> None:
    """A GELU block is 16 + hT/d + 4/d units, with fused attention 16 + h/d + 4/d."""
    rows = 2 * tokens
    block = saved.block_elements("transformer", rows, width, heads, tokens, "gelu")
    scores, fused = (
        saved.attention_elements(rows, width, heads, tokens),
        saved.fused_attention_elements(rows, width, heads),
    )

    assert block == rows * width * block_saved_units(Shape(1, width, heads, tokens, 2, 1))
    units = block_saved_units(Shape(1, width, heads, tokens, 2, 1, attention="sdpa"))
    assert block - scores + fused == rows * width * units
