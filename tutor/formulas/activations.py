"""Activation memory at scale: one fp16 transformer layer, checkpoint boundaries, logits, attention scores, segments."""

from __future__ import annotations

import math


def layer_bytes(s: int, b: int, h: int, a: int) -> float:
    """Return activation bytes of one fp16 GPT layer, nothing recomputed, dropout on: s·b·h·(34 + 5as/h).

    Source: Korthikanti et al. 2022, "Reducing Activation Recomputation in Large Transformer Models".
    """
    return s * b * h * (34 + 5 * a * s / h)


def hidden_bytes(s: int, b: int, h: int, bytes_per_element: int = 2) -> int:
    """Return bytes of one hidden state (a checkpoint boundary)."""
    return s * b * h * bytes_per_element


def logits_bytes(s: int, b: int, vocabulary: int) -> int:
    """Return bytes of fp32 logits."""
    return 4 * s * b * vocabulary


def scores_bytes(b: int, a: int, s: int) -> int:
    """Return bytes of one layer's materialised bf16 attention scores: quadratic in s."""
    return 2 * b * a * s * s


def checkpointed_peak_bytes(boundaries: float, live_layer: float, logits: float) -> float:
    """Return peak activation bytes under per-layer checkpointing while a name keeps the logits.

    The larger of two moments, never live together: the loss (4 fp32 copies of the logits) and one live layer beside the
    logits. Measured: 4.0 times the logits above the boundaries (torch 2.13, CPU).
    """
    return boundaries + max(4 * logits, live_layer + logits)


def segment_peak(layers: int, spacing: int, saved: float = 1) -> float:
    """Return peak units with a checkpoint every `spacing` layers: ceil(N/k) boundaries and k·b of the segment replayed.

    Source: Chen et al. 2016 (arXiv:1604.06174) for b = 1; b above 1 derived and measured on GPT blocks.
    """
    return math.ceil(layers / spacing) + spacing * saved


def best_spacing(layers: int, saved: float = 1) -> int:
    """Return the layers per segment that minimise `segment_peak`: about sqrt(N/b)."""
    return min(range(1, layers + 1), key=lambda k: (segment_peak(layers, k, saved), k))


def replay_ratio(backward_cost: float, replayed: float) -> float:
    """Return step FLOPs relative to no checkpointing when a share of the forward is replayed: (1 + r + p)/(1 + r)."""
    return (1 + backward_cost + replayed) / (1 + backward_cost)
