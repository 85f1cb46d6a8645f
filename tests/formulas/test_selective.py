"""Policies of selective checkpointing: counts by hand and measured ratios."""

from __future__ import annotations

import pytest

from tutor.formulas import gpt, selective

ATTENTION = gpt.Shape(layers=4, width=64, heads=8, tokens=512, batch=2, vocabulary=256, mlp=1)
BALANCED = gpt.Shape(layers=6, width=128, heads=4, tokens=256, batch=4, vocabulary=256)
MLP = gpt.Shape(layers=4, width=256, heads=4, tokens=64, batch=4, vocabulary=256, mlp=8)


def test_units_by_hand() -> None:
    """Eight heads of 512 tokens over a width of 64 are 64 units of scores."""
    assert selective.saved_units(ATTENTION, "linears") == 7
    assert selective.saved_units(ATTENTION, "matmuls") == 8 + 64
    assert selective.saved_units(ATTENTION, "full") == 1
    assert selective.saved_units(ATTENTION, "none") == gpt.block_saved_units(ATTENTION)


@pytest.mark.parametrize(
    ("shape", "full", "matmuls", "linears", "again"),
    [
        (ATTENTION, 0.033, 0.960, 0.111, 1.232),
        (BALANCED, 0.067, 0.792, 0.428, 1.082),
        (MLP, 0.068, 0.650, 0.572, 1.008),
    ],
)
def test_measured_ratios(shape: gpt.Shape, full: float, matmuls: float, linears: float, again: float) -> None:
    """Saved bytes relative to no checkpointing, and FLOPs with the linears kept, as measured on three shapes."""
    left = {p: selective.saved_bytes(shape, p) / gpt.saved_bytes(shape) for p in ("full", "matmuls", "linears")}

    assert left == pytest.approx({"full": full, "matmuls": matmuls, "linears": linears}, abs=0.004)
    assert selective.flops_ratio(shape, "linears") == pytest.approx(again, abs=0.001)
    assert selective.flops_ratio(shape, "matmuls") == selective.flops_ratio(shape, "none") == 1
    assert selective.flops_ratio(shape, "full") == gpt.flops_ratio(shape)
