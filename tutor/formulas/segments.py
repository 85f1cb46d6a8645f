"""Peaks of a model that is checkpointed in segments: what the boundaries hold, and what one segment in replay adds.

Here k is the number of segments. Peaks are in units of one activation, batch times width elements, above parameters and
gradients whose buffers exist already. Checked against measured peaks (torch 2.13, CPU).
"""

from __future__ import annotations

import math
from collections.abc import Iterable


def chain_peak(layers: int, segments: int, weight: float = 0.0) -> float:
    """Return peak units of a chain whose layers save one tensor each: k + ceil(N/k) + 1 + weight.

    k boundaries, the model's input among them; one segment that was run again; the gradient on its way back; and the
    gradient of one weight matrix, `weight` units. Without checkpointing it is as for k = 1. Source: Chen et al. 2016
    (arXiv:1604.06174) for k + N/k, whose least is 2·sqrt(N) at k = sqrt(N).
    """
    return segments + math.ceil(layers / segments) + 1 + weight


def blocks_peak(layers: int, segments: int, saved: float, gradients: float = 0.0) -> float:
    """Return peak units of blocks that save b tensors each: k + ceil(L/k)·b - 1 + gradients.

    The live segment saves its own boundary among the b of its first block, so one is not counted twice. `gradients` are
    the units of the largest gradients alive then; for a GPT block's MLP f·(1 + d/(B·T)). Derived from the list of operations.
    """
    return segments + math.ceil(layers / segments) * saved - 1 + gradients


def best_segments(layers: int, saved: float, candidates: Iterable[int]) -> int:
    """Return the candidate with the least k + ceil(L/k)·b; over all k it lies near sqrt(L·b)."""
    return min(candidates, key=lambda k: segments_peak(layers, k, saved))


def segments_peak(layers: int, segments: int, saved: float = 1.0) -> float:
    """Return the law alone, in units: k + ceil(L/k)·b."""
    return segments + math.ceil(layers / segments) * saved


def boundary_bytes(rows: int, widths: Iterable[int], element: int = 4) -> int:
    """Return bytes of the boundaries that are kept: rows times the width at each cut times bytes an element."""
    return rows * element * sum(widths)
