"""Policies of selective checkpointing: counts by hand and measured ratios."""

from __future__ import annotations

import pytest

from tutor.formulas import gpt, selective

ATTENTION = gpt.Shape(layers=4, width=64, heads=8, tokens=512, batch=2, vocabulary=64, mlp=1)
SHORTER = gpt.Shape(layers=2, width=64, heads=8, tokens=128, batch=2, vocabulary=64, mlp=1)
MLP = gpt.Shape(layers=2, width=256, heads=4, tokens=64, batch=4, vocabulary=64, mlp=8)


def test_units_by_hand() -> None:
    """Eight heads of 512 tokens over a width of 64 are 64 units of scores."""
    assert selective.saved_units(ATTENTION, "linears") == 7
    assert selective.saved_units(ATTENTION, "matmuls") == 8 + 64
    assert selective.saved_units(ATTENTION, "full") == 1
    assert selective.saved_units(ATTENTION, "none") == gpt.block_saved_units(ATTENTION)


@pytest.mark.parametrize(
    ("shape", "full", "matmuls", "linears", "again"),
    [(ATTENTION, 0.024, 0.972, 0.104, 1.240), (SHORTER, 0.092, 0.925, 0.309, 1.127), (MLP, 0.082, 0.655, 0.579, 1.008)],
)
def test_measured_ratios(shape: gpt.Shape, full: float, matmuls: float, linears: float, again: float) -> None:
    """Saved bytes relative to no checkpointing, and FLOPs with the linears kept, as measured on three shapes."""
    left = {p: selective.saved_bytes(shape, p) / gpt.saved_bytes(shape) for p in ("full", "matmuls", "linears")}

    assert left == pytest.approx({"full": full, "matmuls": matmuls, "linears": linears}, abs=0.002)
    assert selective.flops_ratio(shape, "linears") == pytest.approx(again, abs=0.001)
    assert selective.flops_ratio(shape, "matmuls") == selective.flops_ratio(shape, "none") == 1
    assert selective.flops_ratio(shape, "full") == pytest.approx(gpt.flops_ratio(shape))
