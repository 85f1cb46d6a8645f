"""Saved tensors counted term by term, against sums by hand and the block's closed form."""

from __future__ import annotations

from typing import Any

import pytest

from tutor.formulas import saved_tensors as saved
from tutor.formulas.activations import layer_bytes
from tutor.formulas.gpt import Shape, block_saved_units, saved_bytes


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


@pytest.mark.parametrize(
    ("width", "heads", "tokens", "vocabulary", "units"),
    [(128, 4, 128, 512, 17), (128, 4, 32, 64, 11), (64, 4, 256, 64, 53), (64, 8, 64, 2048, 64)],
)
def test_forward_peak_as_measured(width: int, heads: int, tokens: int, vocabulary: int, units: int) -> None:
    """The scores, the hidden layer or the logits decide, and the number of layers never does."""
    for layers in (1, 12):
        shape = Shape(layers, width, heads, tokens, 2, vocabulary)
        assert saved.forward_peak_bytes(shape) == 4 * 2 * tokens * width * units


def test_forward_peak_with_dropout_as_measured() -> None:
    """Dropout on the attention weights adds a fourth copy of the scores."""
    assert saved.forward_peak_bytes(Shape(6, 128, 4, 128, 4, 512, dropout=True)) == 4 * 4 * 128 * 128 * 21


@pytest.mark.parametrize("mode", [{}, {"dropout": True}, {"attention": "sdpa"}], ids=str)
def test_terms_of_a_layer_add_up(mode: dict[str, Any]) -> None:
    """The terms are the closed form of a block; half of it in 2 bytes, where the fused kernel's h/d alone stay fp32."""
    shape = Shape(1, 64, 4, 32, 2, 1, **mode)

    assert sum(saved.layer_terms(shape).values()) == 4 * 2 * 32 * 64 * block_saved_units(shape)
    fp32 = 2 * 2 * 32 * 4 if shape.attention == "sdpa" else 0
    assert sum(saved.layer_terms(shape, 2).values()) == 2 * 2 * 32 * 64 * block_saved_units(shape) + fp32


def test_terms_of_the_paper_add_up() -> None:
    """They are sbh(34 + 5as/h), as Korthikanti et al. print it."""
    assert sum(saved.paper_terms(Shape(1, 64, 4, 32, 2, 1)).values()) == layer_bytes(s=32, b=2, h=64, a=4)


@pytest.mark.parametrize("attention", ["scores", "sdpa"])
def test_gpt_terms_are_the_closed_form_of_a_gpt(attention: str) -> None:
    """In fp32 they are `gpt.saved_bytes` with what it leaves out: the batch's integers and the last norm's statistics."""
    shape = Shape(3, 64, 4, 32, 2, 128, attention=attention)
    left_out = 4 + 8 * 32 + (16 + 8) * 64

    assert sum(saved.gpt_terms(shape, "float32").values()) == saved_bytes(shape) + left_out


def test_autocast_by_hand() -> None:
    """One block of width 1 on one token: weights of 12 and a head of 1 are copied in 2 bytes, three norms stay at 4."""
    terms = saved.gpt_terms(Shape(1, 1, 1, 1, 1, 1), "autocast")

    assert terms["copies of weights"] == 2 * 13
    assert (terms["norm inputs"], terms["Linear inputs"]) == (4 * 3, 2 * 8)
