"""The closed forms of a small GPT against digits measured with torch 2.13 and against counting by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.formulas import gpt

MIB = 2**20
SMALL = gpt.Shape(layers=12, width=128, heads=4, tokens=128, batch=4, vocabulary=512)
EARLY = gpt.Shape(layers=4, width=128, heads=4, tokens=64, batch=2, vocabulary=256)
shapes = st.builds(
    lambda layers, heads, per_head, tokens, batch, vocabulary: gpt.Shape(
        layers, heads * per_head, heads, tokens, batch, vocabulary
    ),
    st.integers(1, 48),
    st.integers(1, 8),
    st.integers(8, 64),
    st.integers(1, 512),
    st.integers(1, 16),
    st.integers(2, 8192),
)


def test_parameters_counted_by_hand() -> None:
    """A model small enough to count tensor by tensor has the parameters one counts."""
    tiny = gpt.Shape(layers=1, width=4, heads=1, tokens=3, batch=1, vocabulary=5)
    embeddings, norms = 5 * 4 + 3 * 4, 2 * 4 + 2 * 4 + 2 * 4
    attention, mlp, head = (4 * 12 + 12) + (4 * 4 + 4), (4 * 16 + 16) + (16 * 4 + 4), 4 * 5

    assert gpt.parameter_count(tiny) == embeddings + norms + attention + mlp + head


def test_saved_bytes_as_measured() -> None:
    """Saved bytes of the standard model are 61.6 MiB plain and 4.5 MiB with every block checkpointed."""
    assert gpt.saved_bytes(SMALL) / MIB == pytest.approx(61.59, abs=0.01)
    assert gpt.saved_bytes(SMALL, checkpointed=True) / MIB == pytest.approx(4.50, abs=0.01)


def test_flops_as_measured() -> None:
    """A step of the standard model takes 8.657 GFLOP plain, 10.670 checkpointed, 11.476 without early stop."""
    assert gpt.step_flops(SMALL) == 8_657_043_456
    assert gpt.step_flops(SMALL, checkpointed=True) == 10_670_309_376
    assert gpt.step_flops(SMALL, checkpointed=True, early_stop=False) / 1e9 == pytest.approx(11.476, abs=0.001)


def test_early_stop_ratios_as_measured() -> None:
    """Another model pays a factor of 1.222 with early stop and 1.321 without."""
    without = gpt.step_flops(EARLY, checkpointed=True, early_stop=False) / gpt.step_flops(EARLY)

    assert gpt.flops_ratio(EARLY) == pytest.approx(1.222, abs=0.001)
    assert without == pytest.approx(1.321, abs=0.001)


@given(shapes)
def test_checkpointing_costs_less_than_a_third(shape: gpt.Shape) -> None:
    """However the model is shaped, replaying every block costs something and stays below one forward in three."""
    assert 1 < gpt.flops_ratio(shape) < 4 / 3


@given(shapes)
def test_a_block_saves_at_least_sixteen_inputs(shape: gpt.Shape) -> None:
    """A plain block saves more than 16 times its input, so checkpointing always leaves fewer saved bytes."""
    assert gpt.block_saved_units(shape) > 16
    assert gpt.saved_bytes(shape, checkpointed=True) < gpt.saved_bytes(shape)


@given(shapes)
def test_saved_bytes_grow_linearly_with_the_batch(shape: gpt.Shape) -> None:
    """Twice the batch saves twice the bytes and computes twice the FLOPs; the parameters do not know of it."""
    doubled = replace(shape, batch=2 * shape.batch)

    assert gpt.saved_bytes(doubled) == pytest.approx(2 * gpt.saved_bytes(shape))
    assert gpt.step_flops(doubled) == 2 * gpt.step_flops(shape)
    assert gpt.parameter_count(doubled) == gpt.parameter_count(shape)


def test_parameter_shapes_hold_the_parameters() -> None:
    """The shapes have as many elements as the model has parameters: twelve tensors a block, five beside them."""
    shape = gpt.Shape(layers=3, width=64, heads=4, tokens=32, batch=2, vocabulary=128, mlp=3)
    shapes = gpt.parameter_shapes(shape)

    assert sum(math.prod(one) for one in shapes) == gpt.parameter_count(shape)
    assert len(shapes) == 3 * 12 + 5
