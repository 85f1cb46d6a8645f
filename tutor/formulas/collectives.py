"""Collective communication between ranks: bytes each rank sends, seconds on a link, and what backward can hide."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from tutor.formulas.quantities import Bytes, BytesPerSecond, Count, Params, Quantity, Seconds, Share, formula
from tutor.formulas.rounding import ceiling

Scheme = Literal["ddp", "zero1", "zero2", "zero3"]

Duration = Annotated[float, Quantity("s", 1e-12)]


@formula
def ring_all_reduce_bytes(size: Bytes, ranks: Count) -> Bytes:
    """Return bytes each rank sends in a ring all-reduce: 2(n - 1)/n of the payload.

    size: payload that each rank holds, such as 1 GB
    ranks: in the ring, such as 8
    Source: Patarasuk and Yuan 2009, Bandwidth optimal all-reduce algorithms for clusters of workstations.
    """
    return 2 * (ranks - 1) / ranks * size


@formula
def ring_all_reduce(size: Bytes, ranks: Count, bandwidth: BytesPerSecond, latency: Seconds = 0) -> Seconds:
    """Return seconds of a ring all-reduce: 2(n - 1)/n · S/B, and 2(n - 1) hops of latency.

    size: payload that each rank holds, such as 1 GB
    ranks: in the ring, such as 8
    bandwidth: of the slowest link in one direction, such as 50 GB/s
    latency: of one hop
    Source: Patarasuk and Yuan 2009; Thakur et al. 2005, Optimization of collective communication operations in MPICH.
    """
    return 2 * (ranks - 1) / ranks * size / bandwidth + 2 * (ranks - 1) * latency


@formula
def ring_all_gather(size: Bytes, ranks: Count, bandwidth: BytesPerSecond) -> Seconds:
    """Return seconds of a ring all-gather, or of a reduce-scatter: (n - 1)/n · S/B.

    size: the whole result, all ranks' parts together, such as 1 GB
    ranks: in the ring, such as 8
    bandwidth: of the slowest link in one direction, such as 50 GB/s
    Source: Thakur et al. 2005, Optimization of collective communication operations in MPICH.
    """
    return (ranks - 1) / ranks * size / bandwidth


@formula
def all_to_all(size: Bytes, ranks: Count, bandwidth: BytesPerSecond) -> Seconds:
    """Return seconds of an all-to-all: all but its own part leaves each rank, (n - 1)/n · S/B.

    size: what one rank has to hand out, such as 256 MB
    ranks: that exchange, such as 8
    bandwidth: a rank sends with, such as 50 GB/s
    Source: Thakur et al. 2005, Optimization of collective communication operations in MPICH.
    """
    return (ranks - 1) / ranks * size / bandwidth


@formula
def tree_latency(ranks: Count, latency: Seconds) -> Seconds:
    """Return the latency of a tree all-reduce: up and down, 2·⌈log2 n⌉ hops, where a ring has 2(n - 1).

    ranks: in the tree, such as 256
    latency: of one hop, such as 5 us
    Source: Thakur et al. 2005, Optimization of collective communication operations in MPICH.
    """
    return 2 * ceiling(math.log2(ranks)) * latency


@formula
def bus_bandwidth(size: Bytes, seconds: Duration, ranks: Count) -> BytesPerSecond:
    """Return the bus bandwidth of an all-reduce that was timed: S/t · 2(n - 1)/n, to be held against the link.

    size: payload that each rank holds, such as 1 GB
    seconds: it took, such as 8 ms
    ranks: that took part, such as 8
    Source: NVIDIA nccl-tests, PERFORMANCE.md.
    """
    return size / seconds * 2 * (ranks - 1) / ranks


@formula
def step_traffic(parameters: Params, element: Bytes, scheme: Scheme) -> Bytes:
    """Return bytes each rank sends a step in a large world: 2 times the model, 3 times under ZeRO-3.

    An all-reduce is a reduce-scatter and an all-gather, a pass each. ZeRO-3 gathers weights in forward and again in backward.
    parameters: of the model, such as 10B
    element: bytes of a number sent, such as 2
    scheme: how state is sharded, such as zero3
    Source: Rajbhandari et al. 2019, ZeRO (arXiv:1910.02054), section 7; stas00/ml-engineering has 40 and 60 GB for 10B.
    """
    return (3 if scheme == "zero3" else 2) * parameters * element


@formula
def accumulation_traffic(parameters: Params, element: Bytes, micro_batches: Count, ranks: Count) -> Bytes:
    """Return bytes each rank sends for one optimizer step when gradients are reduced after every micro-batch.

    With `no_sync` until the last one it is as for one micro-batch.
    parameters: of the model, such as 1.3B
    element: bytes of a gradient, such as 4
    micro_batches: that are accumulated, such as 8
    ranks: in the ring, such as 8
    Source: torch DistributedDataParallel, `no_sync`; ring all-reduce.
    """
    return micro_batches * 2 * (ranks - 1) / ranks * parameters * element


@formula
def exposed(communication: Seconds, overlappable: Share, backward: Seconds) -> Seconds:
    """Return communication that backward cannot hide.

    communication: all of it, such as 40 ms
    overlappable: share that is ready before backward ends, such as 80%
    backward: time that can hide it, such as 120 ms
    Source: Li et al. 2020, PyTorch Distributed (arXiv:2006.15704), overlap of buckets with backward.
    """
    return communication - min(communication * overlappable, backward)
