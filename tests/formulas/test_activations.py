"""Activation memory at scale: worked examples that sources print, measured peaks, and the laws of segments."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.formulas import activations as act
from tutor.formulas.units import GIB, MIB


def test_layer_bytes_by_hand() -> None:
    """s = b = 1, h = 10, a = 2: 10·(34 + 1) bytes."""
    assert act.layer_bytes(s=1, b=1, h=10, a=2) == 350


def test_attention_takes_seventy_percent_at_gpt3_scale() -> None:
    """At s = 2048, h = 12288, a = 96 the quadratic term is 70 % of a layer, as Korthikanti et al. report."""
    linear = 34 * 2048 * 12288

    assert 1 - linear / act.layer_bytes(2048, 1, 12288, 96) == pytest.approx(0.70, abs=0.01)


def test_parts_of_a_long_sequence() -> None:
    """Llama-3 8B at 32k tokens: a boundary of a quarter GiB, 8 GiB of them, 15.7 GiB of fp32 logits."""
    assert act.hidden_bytes(32768, 1, 4096) == GIB / 4
    assert 32 * act.hidden_bytes(32768, 1, 4096) == 8 * GIB
    assert act.logits_bytes(32768, 1, 128256) / GIB == pytest.approx(15.66, abs=0.01)


def test_scores_are_quadratic_in_the_sequence() -> None:
    """Twice the tokens, four times the scores; one head over four tokens in bf16 is 32 bytes."""
    assert act.scores_bytes(1, 1, 4) == 32
    assert act.scores_bytes(2, 16, 4096) == 4 * act.scores_bytes(2, 16, 2048)


def test_peak_at_the_loss_and_in_a_layer() -> None:
    """With a large vocabulary the loss rules (64.8 MiB measured), with a small one a live layer does (9.5 MiB)."""
    assert act.checkpointed_peak_bytes(0.5, 21.7 / 8, 16) == pytest.approx(64.76, rel=0.01)
    assert act.checkpointed_peak_bytes(3 * MIB, 5.52 * MIB, MIB) / MIB == pytest.approx(9.52, rel=0.001)


@pytest.mark.parametrize(
    ("spacing", "measured"),
    [(36, 587.0), (18, 297.8), (9, 154.7), (6, 108.3), (4, 79.0), (3, 65.9), (2, 55.8), (1, 57.7)],
)
def test_segments_of_gpt_blocks_as_measured(spacing: int, measured: float) -> None:
    """36 GPT blocks that save 16.125 units each: the law plus 5.5 units of gradients and a kept hidden state."""
    assert act.segment_peak(36, spacing, 16.125) + 5.5 == pytest.approx(measured, abs=0.1)


@pytest.mark.parametrize(("layers", "saved", "best"), [(64, 1, 8), (36, 17, 2), (32, 16.5, 1), (96, 16.5, 2)])
def test_best_spacing_worked_out(layers: int, saved: float, best: int) -> None:
    """Where a layer saves one tensor sqrt(N) is best; where it saves sixteen, one or two layers a segment are."""
    assert act.best_spacing(layers, saved) == best


@given(st.integers(2, 20))
def test_chain_of_a_square_number_is_best_at_its_root(root: int) -> None:
    """A chain of n² layers saving one tensor each peaks at 2n units with segments of n layers."""
    assert act.best_spacing(root * root) == root
    assert act.segment_peak(root * root, root) == 2 * root


@given(st.integers(1, 200), st.floats(1, 40))
def test_no_spacing_beats_the_best(layers: int, saved: float) -> None:
    """No spacing has a lower peak, and the best is never below 2·sqrt(N·b), the bound of the two means."""
    best = act.segment_peak(layers, act.best_spacing(layers, saved), saved)

    assert best == min(act.segment_peak(layers, k, saved) for k in range(1, layers + 1))
    assert best >= 2 * math.sqrt(layers * saved) * (1 - 1e-9)


@given(st.integers(1, 200), st.floats(1, 40))
def test_one_segment_saves_nothing(layers: int, saved: float) -> None:
    """A single segment holds all that no checkpointing holds, and one boundary more."""
    assert act.segment_peak(layers, layers, saved) == layers * saved + 1


def test_replaying_all_is_four_thirds() -> None:
    """With a backward of two forwards, replaying everything makes 6ND into 8ND, and replaying nothing costs nothing."""
    assert act.replay_ratio(2, 1) == pytest.approx(8 / 6)
    assert act.replay_ratio(2, 0) == 1
