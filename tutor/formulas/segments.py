"""Peaks of a model that is checkpointed in segments: what the boundaries hold, and what one segment in replay adds.

Here k is the number of segments. Peaks are in units of one activation, batch times width elements, above parameters and
gradients whose buffers exist already. Checked against measured peaks (torch 2.13, CPU).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from tutor.formulas.quantities import Count, Units, formula


@formula
def chain_peak(layers: Count, segments: Count, weight: Units = 0.0) -> Units:
    """Return peak units of a chain whose layers save one tensor each: k + ceil(N/k) + 1 + weight.

    k boundaries, the model's input among them; one segment that was run again; the gradient on its way back; and the
    gradient of one weight matrix. Without checkpointing it is as for k = 1.

    layers: of the chain, N, such as 64
    segments: it is cut into, k, such as 8
    weight: size of one weight matrix in activations
    Source: Chen et al. 2016 (arXiv:1604.06174) for k + N/k, whose least is 2·sqrt(N) at k = sqrt(N); measured (torch 2.13).
    """
    return segments + math.ceil(layers / segments) + 1 + weight


@formula
def blocks_peak(layers: Count, segments: Count, saved: Units, gradients: Units = 0.0) -> Units:
    """Return peak units of blocks that save b tensors each: k + ceil(L/k)·b - 1 + gradients.

    The live segment saves its own boundary among the b of its first block, so one is not counted twice.

    layers: blocks, L, such as 36
    segments: they are cut into, k, such as 18
    saved: tensors of one activation that each block saves, b, such as 16
    gradients: the largest alive then; for a GPT block's MLP f·(1 + d/(B·T))
    Source: derived from the list of operations; measured for 36 GPT blocks (torch 2.13).
    """
    return segments + math.ceil(layers / segments) * saved - 1 + gradients


def best_segments(layers: int, saved: float, candidates: Iterable[int]) -> int:
    """Return the candidate with the least k + ceil(L/k)·b; over all k it lies near sqrt(L·b)."""
    return min(candidates, key=lambda k: segments_peak(layers, k, saved))


@formula
def segments_peak(layers: Count, segments: Count, saved: Units = 1.0) -> Units:
    """Return the law of checkpointed segments alone, boundaries and one segment: k + ceil(L/k)·b.

    layers: of the chain, L, such as 36
    segments: it is cut into, k, such as 18
    saved: tensors of one activation that each layer saves, b
    Source: Chen et al. 2016 (arXiv:1604.06174) for b = 1; derived for more.
    """
    return segments + math.ceil(layers / segments) * saved


def boundary_bytes(rows: int, widths: Iterable[int], element: int = 4) -> int:
    """Return bytes of the boundaries that are kept: rows times the width at each cut times bytes an element."""
    return rows * element * sum(widths)
