"""Tensor, sequence, context, pipeline and expert parallelism: what each divides, sends and leaves idle."""

from __future__ import annotations

from typing import Annotated

from tutor.formulas.quantities import (
    Bytes,
    BytesPerSecond,
    Count,
    Factor,
    FlopsPerSecond,
    Number,
    Quantity,
    Share,
    formula,
)
from tutor.formulas.rounding import ceiling

Part = Annotated[float, Quantity("fraction", 1e-6, 1)]
Stage = Annotated[int, Quantity("", 0)]


@formula
def tensor_layer_bytes(s: Count, b: Count, h: Count, a: Count, degree: Count) -> Bytes:
    """Return activation bytes of an fp16 layer under tensor parallelism alone: s·b·h·(10 + 24/t + 5as/(ht)).

    s: tokens in a sequence, such as 2048
    b: sequences in a micro-batch, such as 1
    h: channels of the hidden state, such as 12288
    a: attention heads, such as 96
    degree: tensor-parallel ranks, such as 8
    Source: Korthikanti et al. 2022 (arXiv:2205.05198), 4.2.1: norms, dropouts and block inputs stay whole.
    """
    return s * b * h * (10 + 24 / degree + 5 * a * s / (h * degree))


@formula
def sequence_layer_bytes(s: Count, b: Count, h: Count, a: Count, degree: Count) -> Bytes:
    """Return activation bytes of an fp16 layer under tensor and sequence parallelism: s·b·h/t · (34 + 5as/h).

    s: tokens in a sequence, such as 2048
    b: sequences in a micro-batch, such as 1
    h: channels of the hidden state, such as 12288
    a: attention heads, such as 96
    degree: ranks, such as 8
    Source: Korthikanti et al. 2022 (arXiv:2205.05198), 4.2.2.
    """
    return s * b * h / degree * (34 + 5 * a * s / h)


@formula
def tensor_traffic(tokens: Count, width: Count, layers: Count, degree: Count, element: Bytes = 2) -> Bytes:
    """Return bytes a tensor-parallel rank sends a step: four ring all-reduces of the hidden state a layer.

    tokens: of the micro-batch, all sequences together, such as 8192
    width: channels of the hidden state, such as 8192
    layers: transformer blocks, such as 80
    degree: tensor-parallel ranks, such as 8
    element: bytes an element
    Source: Shoeybi et al. 2019, Megatron-LM (arXiv:1909.08053): two all-reduces a layer in forward, two in backward.
    """
    return 4 * layers * 2 * (degree - 1) / degree * tokens * width * element


@formula
def bubble(stages: Count, micro_batches: Count) -> Share:
    """Return the share of a pipeline's time that is idle: (p - 1)/(m + p - 1), for GPipe and for 1F1B.

    stages: of the pipeline, such as 8
    micro_batches: a step, such as 32
    Source: Huang et al. 2018, GPipe (arXiv:1811.06965).
    """
    return (stages - 1) / (micro_batches + stages - 1)


@formula
def interleaved_bubble(stages: Count, micro_batches: Count, chunks: Count) -> Factor:
    """Return idle time over ideal time of an interleaved pipeline: (p - 1)/(v·m).

    stages: ranks of the pipeline, such as 8
    micro_batches: a step, such as 32
    chunks: of layers on each rank, such as 4
    Source: Narayanan et al. 2021, Efficient large-scale training on GPU clusters (arXiv:2104.04473), 2.2.
    """
    return (stages - 1) / (chunks * micro_batches)


@formula
def micro_batches_for(stages: Count, idle: Part) -> Count:
    """Return the least micro-batches that keep the idle share at a bound: m ≥ (p - 1)(1 - x)/x.

    stages: of the pipeline, such as 8
    idle: share of time allowed, such as 10%
    Source: Huang et al. 2018, GPipe (arXiv:1811.06965), the bubble solved for m.
    """
    return ceiling((stages - 1) * (1 - idle) / idle)


@formula
def live_micro_batches(stages: Count, micro_batches: Count, stage: Stage = 0) -> Count:
    """Return the micro-batches whose activations a stage holds at once under 1F1B: min(p - i, m); GPipe holds m.

    stages: of the pipeline, such as 8
    micro_batches: a step, such as 32
    stage: counted from 0, which holds the most
    Source: Narayanan et al. 2021 (arXiv:2104.04473), 2.2: at most p in flight.
    """
    return min(stages - stage, micro_batches)


@formula
def data_parallel_replicas(devices: Count, tensor: Count, pipeline: Count, context: Count = 1) -> Number:
    """Return the replicas left for data parallelism: devices over the product of the other degrees.

    devices: in all, such as 1024
    tensor: tensor-parallel degree, such as 8
    pipeline: stages, such as 4
    context: context-parallel degree
    Source: Narayanan et al. 2021 (arXiv:2104.04473), 3: p·t·d = n.
    """
    return devices // (tensor * pipeline * context)


@formula
def expert_capacity(tokens: Count, experts: Count, active: Count, factor: Factor) -> Count:
    """Return the tokens an expert takes before it drops some: ⌈T·k/E · factor⌉.

    tokens: of the batch, such as 8192
    experts: there are, such as 64
    active: experts a token goes to, such as 2
    factor: room above an even load, such as 1.25
    Source: Fedus et al. 2021, Switch Transformers (arXiv:2101.03961), 2.2.
    """
    return ceiling(tokens * active / experts * factor)


@formula
def expert_traffic(tokens: Count, width: Count, active: Count, ranks: Count, element: Bytes = 2) -> Bytes:
    """Return bytes a rank sends in the forward of one expert layer: out to the experts and back, evenly spread.

    tokens: on one rank, such as 8192
    width: channels of the hidden state, such as 4096
    active: experts a token goes to, such as 2
    ranks: that share the experts, such as 8
    element: bytes an element
    Source: Lepikhin et al. 2020, GShard (arXiv:2006.16668): an all-to-all before the experts and one behind.
    """
    return 2 * tokens * active * width * element * (ranks - 1) / ranks


@formula
def ring_attention_hop(
    tokens: Count, ranks: Count, kv_heads: Count, head_width: Count, batch: Count = 1, element: Bytes = 2
) -> Bytes:
    """Return bytes of keys and values that a context-parallel rank hands on at each hop of the ring.

    tokens: of the whole sequence, such as 131072
    ranks: it is split over, such as 8
    kv_heads: key and value heads, such as 8
    head_width: channels of a head, such as 128
    batch: sequences
    element: bytes an element
    Source: Liu et al. 2023, Ring Attention (arXiv:2310.01889).
    """
    return 2 * batch * tokens / ranks * kv_heads * head_width * element


@formula
def ring_attention_block(peak: FlopsPerSecond, bandwidth: BytesPerSecond) -> Count:
    """Return the tokens a rank needs for computing a block to hide the hop: 4dc² FLOPs against 4dc bytes, so c ≥ F/B.

    For as many key and value heads as query heads, in 16 bits.
    peak: FLOPs a second of the rank, such as 989 TFLOP/s
    bandwidth: between neighbours, such as 50 GB/s
    Source: Liu et al. 2023, Ring Attention (arXiv:2310.01889), section 3.
    """
    return ceiling(peak / bandwidth)
