"""Activation memory at scale: one fp16 transformer layer, checkpoint boundaries, logits, attention scores, segments."""

from __future__ import annotations

import math
from typing import Annotated

from tutor.formulas.quantities import (
    Bytes,
    Count,
    Factor,
    Flops,
    FlopsPerSecond,
    Quantity,
    Seconds,
    Share,
    Units,
    WholeBytes,
    formula,
)

Sizes = Annotated[float, Quantity("units")]
"""Tensors as large as one activation."""


@formula
def layer_bytes(s: Count, b: Count, h: Count, a: Count) -> Bytes:
    """Return activation bytes of one fp16 GPT layer, nothing recomputed, dropout on: s·b·h·(34 + 5as/h).

    s: tokens in a sequence, such as 2048
    b: sequences in a micro-batch, such as 1
    h: channels of the hidden state, such as 12288
    a: attention heads, such as 96
    Source: Korthikanti et al. 2022, "Reducing Activation Recomputation in Large Transformer Models".
    """
    return s * b * h * (34 + 5 * a * s / h)


@formula
def hidden_bytes(s: Count, b: Count, h: Count, bytes_per_element: Count = 2) -> WholeBytes:
    """Return bytes of one hidden state, which is what a checkpoint boundary keeps.

    s: tokens in a sequence, such as 32768
    b: sequences in a micro-batch, such as 1
    h: channels of the hidden state, such as 4096
    bytes_per_element: of the activations
    Source: elements times bytes; a quarter GiB for Llama 3 8B at 32k tokens (stas00/ml-engineering).
    """
    return s * b * h * bytes_per_element


@formula
def logits_bytes(s: Count, b: Count, vocabulary: Count) -> WholeBytes:
    """Return bytes of fp32 logits, one for each token and vocabulary entry.

    s: tokens in a sequence, such as 32768
    b: sequences in a micro-batch, such as 1
    vocabulary: entries of the vocabulary, such as 128256
    Source: elements times bytes; 15.7 GiB for Llama 3 8B at 32k tokens (stas00/ml-engineering).
    """
    return 4 * s * b * vocabulary


@formula
def scores_bytes(b: Count, a: Count, s: Count) -> WholeBytes:
    """Return bytes of one layer's materialised bf16 attention scores: quadratic in s.

    b: sequences in a micro-batch, such as 1
    a: attention heads, such as 32
    s: tokens in a sequence, such as 16384
    Source: elements times bytes; the quadratic growth measured with torch 2.13.
    """
    return 2 * b * a * s * s


@formula
def checkpointed_peak_bytes(boundaries: Bytes, live_layer: Bytes, logits: Bytes) -> Bytes:
    """Return peak activation bytes under per-layer checkpointing while a name keeps the logits.

    The larger of two moments, never live together: the loss (4 fp32 copies of the logits) and one live layer beside the
    logits.

    boundaries: inputs of all layers, such as 8 GiB
    live_layer: what one layer keeps while it runs again, such as 7 GiB
    logits: one fp32 copy, such as 15.66 GiB
    Source: measured 4.0 times the logits above the boundaries (torch 2.13, CPU).
    """
    return boundaries + max(4 * logits, live_layer + logits)


@formula
def segment_peak(layers: Count, spacing: Count, saved: Sizes = 1) -> Units:
    """Return peak units with a checkpoint every few layers: ceil(N/k) boundaries and k·b of the segment replayed.

    layers: of the chain, N, such as 36
    spacing: layers between checkpoints, k, such as 6
    saved: tensors of one activation that each layer saves, b
    Source: Chen et al. 2016 (arXiv:1604.06174) for b = 1; b above 1 derived and measured on GPT blocks.
    """
    return math.ceil(layers / spacing) + spacing * saved


@formula
def best_spacing(layers: Count, saved: Sizes = 1) -> Count:
    """Return the layers between checkpoints that minimise the peak, boundaries and segment together: about sqrt(N/b).

    layers: of the chain, N, such as 36
    saved: tensors of one activation that each layer saves, b
    Source: the least of all spacings; sqrt(N) for b = 1 as in Chen et al. 2016 (arXiv:1604.06174).
    """
    return min(range(1, layers + 1), key=lambda k: (segment_peak(layers, k, saved), k))


@formula
def replay_ratio(backward_cost: Factor, replayed: Share) -> Factor:
    """Return step FLOPs relative to no checkpointing when a share of the forward is replayed: (1 + r + p)/(1 + r).

    backward_cost: FLOPs of backward over those of forward, such as 2
    replayed: share of the forward that runs again, such as 100%
    Source: Chen et al. 2016 (arXiv:1604.06174): one more forward, 4/3 in all.
    """
    return (1 + backward_cost + replayed) / (1 + backward_cost)


@formula
def checkpointing_saves(layers: Count, s: Count, b: Count, h: Count, a: Count) -> Bytes:
    """Return bytes freed by keeping each fp16 layer's input alone: L·s·b·h·(32 + 5as/h).

    layers: transformer blocks, such as 32
    s: tokens in a sequence, such as 2048
    b: sequences in a micro-batch, such as 1
    h: channels of the hidden state, such as 4096
    a: attention heads, such as 32
    Source: Korthikanti et al. 2022 (arXiv:2205.05198): 34 + 5as/h against 2 for the input.
    """
    return layers * s * b * h * (32 + 5 * a * s / h)


@formula
def selective_bytes(layers: Count, s: Count, b: Count, h: Count) -> Bytes:
    """Return bytes kept when the attention core alone is recomputed: 34·L·s·b·h, no term quadratic in s.

    layers: transformer blocks, such as 32
    s: tokens in a sequence, such as 2048
    b: sequences in a micro-batch, such as 1
    h: channels of the hidden state, such as 4096
    Source: Korthikanti et al. 2022 (arXiv:2205.05198), section 5.
    """
    return 34 * layers * s * b * h


@formula
def segmented_calls(layers: Count, segments: Count) -> Count:
    """Return forward calls of layers in one step when all segments but the last are checkpointed: 2N - N/k.

    layers: of the chain, N, such as 24
    segments: it is cut into, k, such as 4
    Source: torch.utils.checkpoint.checkpoint_sequential keeps the last segment's activations.
    """
    return 2 * layers - layers // segments


@formula
def replay_seconds(flops: Flops, speed: FlopsPerSecond) -> Seconds:
    """Return seconds that running some operations again takes.

    flops: run again, such as 275 GFLOP
    speed: FLOPs a second that are reached, such as 400 TFLOP/s
    Source: arithmetic; wall time follows the operations that are slow, not their FLOPs alone.
    """
    return flops / speed
