"""Bytes a rank holds at rest under data parallelism, ZeRO and FSDP: weights, gradients and AdamW's moments, all fp32.

Parameters are given by their shapes, (rows, columns), vectors with one column. Checked against storages of real ranks
(torch 2.13, gloo, CPU).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Annotated

from tutor.formulas.gpt import Shape
from tutor.formulas.quantities import Bytes, Count, Factor, Quantity, WholeBytes, WholeParams, formula

F32 = 4
MOMENTS = 2 * F32
"""Bytes a parameter of AdamW's two moments."""

Activations = Annotated[float, Quantity("B", 1)]
Shapes = Sequence[tuple[int, int]]


def gpt_shapes(s: Shape) -> list[tuple[int, int]]:
    """Return the shapes of the small GPT's parameters, in its own order; they hold `gpt.parameter_count` numbers."""
    width, hidden = s.width, s.mlp * s.width
    norm = [(width, 1), (width, 1)]
    attention = [(3 * width, width), (3 * width, 1), (width, width), (width, 1)]
    mlp = [(hidden, width), (hidden, 1), (width, hidden), (width, 1)]
    block = [*norm, *attention, *norm, *mlp]
    return [(s.vocabulary, width), (s.tokens, width), *block * s.layers, *norm, (s.vocabulary, width)]


def parameters(shapes: Shapes) -> int:
    """Return how many numbers the parameters hold."""
    return sum(rows * columns for rows, columns in shapes)


@formula
def ddp_gradient_bytes(parameter_count: WholeParams, views: bool) -> WholeBytes:
    """Return bytes of gradients a rank of DDP holds: 4 a parameter and as much again in the buckets it reduces, unless gradients are views of them.

    parameter_count: of the model, such as 1.3B
    views: whether gradients are views of the buckets, such as no
    Source: torch's DistributedDataParallel, `gradient_as_bucket_view`; measured 8.0 and 4.0.
    """
    return F32 * parameter_count * (1 if views else 2)


@formula
def ddp_state_bytes(parameter_count: WholeParams, views: bool) -> WholeBytes:
    """Return bytes of weights, gradients and AdamW's moments that each rank of DDP holds: 16 a parameter, 20 with separate buckets.

    parameter_count: of the model, such as 1.3B
    views: whether gradients are views of the buckets, such as no
    Source: torch's DistributedDataParallel; measured on real ranks (torch 2.13, gloo).
    """
    return (F32 + MOMENTS) * parameter_count + ddp_gradient_bytes(parameter_count, views)


def zero1_largest_part(shapes: Shapes, ranks: int) -> int:
    """Return the parameters whose optimizer state the fullest rank of ZeRO-1 keeps.

    torch's ZeroRedundancyOptimizer hands out whole parameters, the largest first, each to the rank that has least. Hence
    a little more than 1/ranks.
    """
    parts = [0] * ranks
    for size in sorted((rows * columns for rows, columns in shapes), reverse=True):
        parts[parts.index(min(parts))] += size
    return max(parts)


def fsdp_largest_part(shapes: Shapes, ranks: int) -> int:
    """Return the parameters a rank of FSDP2 keeps at rest: each is cut by its rows, the last cut padded."""
    return sum(ceil(rows / ranks) * columns for rows, columns in shapes)


def rank_bytes(shapes: Shapes, ranks: int, kind: str) -> tuple[int, int, int]:
    """Return bytes of (weights, gradients, moments) that the fullest rank holds at rest under DDP, ZeRO-1 or FSDP2.

    DDP's gradients are taken as views of its buckets. During a step FSDP holds more: the gathered weights and whole
    gradients of the units in flight.
    """
    whole = parameters(shapes)
    if kind == "FSDP2":
        part = fsdp_largest_part(shapes, ranks)
        return F32 * part, F32 * part, MOMENTS * part
    kept = zero1_largest_part(shapes, ranks) if kind == "ZeRO-1" else whole
    return F32 * whole, F32 * whole, MOMENTS * kept


@formula
def peak_factor(state: Bytes, activations: Activations, ranks: Count) -> Factor:
    """Return by what factor FSDP lowers a step's peak where each rank keeps its own batch: state is divided, activations are not.

    An upper bound: what is gathered during the step is left out.
    state: weights, gradients and optimizer state of the model, such as 112 GB
    activations: of one rank's batch, such as 20 GB
    ranks: that share, such as 8
    Source: Rajbhandari et al. 2019, ZeRO (arXiv:1910.02054), section 3; measured on real ranks (torch 2.13, gloo).
    """
    return (state + activations) / (state / ranks + activations)
