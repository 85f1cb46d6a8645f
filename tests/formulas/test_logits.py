"""The closed forms of the peak at the loss, against counts by hand and measured digits."""

from __future__ import annotations

import pytest

from tutor.formulas import logits
from tutor.formulas.gpt import Shape

WIDE = Shape(layers=4, width=64, heads=4, tokens=128, batch=4, vocabulary=8192)
UNIT = 4 * 512 * 64


def test_the_whole_loss() -> None:
    """Six hidden states and three times 16 MiB of logits; four times where a name keeps them."""
    assert logits.logits_bytes(WIDE) == 2**24
    assert logits.loss_peak_bytes(WIDE) == 6 * UNIT + 3 * 2**24
    assert logits.loss_peak_bytes(WIDE, copies=4) == 6 * UNIT + 4 * 2**24


@pytest.mark.parametrize(("chunks", "measured"), [(2, 26.821), (4, 14.853), (8, 8.868), (16, 6.876), (32, 6.880)])
def test_chunks(chunks: int, measured: float) -> None:
    """Measured with torch 2.13: n chunks divide the copies, down to the floor of the head weight's gradient, in MiB."""
    assert logits.chunked_loss_peak_bytes(WIDE, chunks) / 2**20 == pytest.approx(measured, rel=0.002)


def test_the_head_and_the_block() -> None:
    """The head's backward holds one copy and two gradients; a block's backward is a checkpointed peak without a vocabulary."""
    assert logits.head_peak_bytes(WIDE) == 7 * UNIT + 2**24 + 4 * 8192 * 64
    assert logits.block_peak_bytes(WIDE, copies=1) - logits.block_peak_bytes(WIDE) == 2**24
    assert logits.block_peak_bytes(WIDE) / 2**20 == pytest.approx(4.38, abs=0.01)
