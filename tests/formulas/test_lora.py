"""LoRA's counts on a small GPT, against measured bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.formulas import gpt, lora

MEASURED = gpt.Shape(layers=6, width=256, heads=4, tokens=128, batch=8, vocabulary=512, attention="sdpa")
MIB = 2**20


def test_saved_as_measured() -> None:
    """100.2 MiB when all is trained, 98.95 with adapters on every Linear, 68.4 on qkv alone."""
    saved = [lora.held(MEASURED, places, rank=8)["saved"] / MIB for places in ("none", "all", "qkv")]

    assert saved == pytest.approx([100.2, 98.95, 68.4], abs=0.05)


def test_trainable_by_hand() -> None:
    """Rank 8 on the four Linears: 8·(4 + 2 + 5 + 5)·d a block; 3.8 and 1.0 % of all there is."""
    every, qkv = (lora.trainable(MEASURED, 8, places) for places in ("all", "qkv"))

    assert every == 6 * 8 * 16 * 256
    assert qkv == 6 * 8 * 4 * 256
    assert every / (gpt.parameter_count(MEASURED) + every) == pytest.approx(0.038, abs=1e-3)
    assert qkv / (gpt.parameter_count(MEASURED) + qkv) == pytest.approx(0.010, abs=1e-3)


def test_state_of_adamw() -> None:
    """Two fp32 moments a parameter and a counter a tensor."""
    assert lora.adamw_state_bytes(100, 3) == 812
    assert lora.held(MEASURED, "all", 8)["optimizer state"] == 8 * 196_608 + 4 * 48


def test_packed_by_hand() -> None:
    """64 weights take 32 bytes of codes and 2 of scale: N·(4 + 16/64)/8, 7.53 times less than fp32."""
    assert lora.quantised_bytes(64, 64) == 34
    assert lora.quantised_bytes(1e9, 64) == 1e9 * (4 + 16 / 64) / 8
    assert 4 * 64 / lora.quantised_bytes(64, 64) == pytest.approx(7.529, abs=1e-3)
    assert lora.held(MEASURED, "all", 8, block=64)["Linear weights"] == 6 * 12 * 256**2 * 0.53125


def test_materialised_scores_do_not_keep_the_output() -> None:
    """With fused attention the input of `out` is kept for attention anyway; materialised, an adapter there keeps it."""
    scores = gpt.Shape(6, 256, 4, 128, 8, 512)
    fused, plain = (lora.saved_units(s, 8, "all") - lora.saved_units(s, 8, "qkv") for s in (MEASURED, scores))

    assert fused == pytest.approx(1 + 4 + 3 * 8 / 256)
    assert plain == pytest.approx(fused + 1)


@given(st.integers(1, 64), st.sampled_from([16, 32, 64, 128]))
def test_more_rank_keeps_more(rank: int, block: int) -> None:
    """Rank adds parameters and channels, and larger blocks share their scale among more."""
    assert lora.trainable(MEASURED, rank + 1, "all") > lora.trainable(MEASURED, rank, "all")
    assert lora.saved_bytes(MEASURED, rank + 1, "qkv") > lora.saved_bytes(MEASURED, rank, "qkv")
    assert lora.quantised_bytes(1024, 2 * block) < lora.quantised_bytes(1024, block)
