"""LoRA on a small GPT: what is trained, what its optimizer keeps, and what stays saved for backward.

Shapes as in `tutor.formulas.gpt` without dropout; adapters of rank r on the blocks' Linears; all else is frozen.
"""

from __future__ import annotations

from typing import Annotated

from tutor.formulas import gpt
from tutor.formulas.gpt import Shape
from tutor.formulas.optimizer import lora_parameters
from tutor.formulas.quantities import Bytes, Count, WholeParams, formula

PLACES: dict[str, tuple[str, ...]] = {"none": (), "qkv": ("qkv",), "all": ("qkv", "out", "up", "down")}
"""Which of a block's Linears have adapters; with none, all of the model is trained."""

Places = Annotated[str, tuple(PLACES)]


def linears(s: Shape) -> dict[str, tuple[int, int]]:
    """Return the widths in and out of a block's four Linears."""
    d, hidden = s.width, s.mlp * s.width
    return {"qkv": (d, 3 * d), "out": (d, d), "up": (d, hidden), "down": (hidden, d)}


def linear_weights(s: Shape) -> int:
    """Return weights of the blocks' Linears, biases left out: L·(4 + 2f)·d²."""
    return s.layers * sum(d_in * d_out for d_in, d_out in linears(s).values())


@formula
def trainable(s: Shape, rank: Count, places: Places) -> WholeParams:
    """Return trainable parameters of a GPT with adapters: r·(d_in + d_out) for each adapted Linear.

    rank: of the adapters' factors, such as 8
    places: which Linears have adapters, such as qkv
    Source: Hu et al. 2021, LoRA (arXiv:2106.09685); as torch counts.
    """
    return s.layers * sum(lora_parameters(rank, *linears(s)[name]) for name in PLACES[places])


def adamw_state_bytes(parameters: int, tensors: int) -> int:
    """Return bytes of fp32 AdamW's state: two moments a parameter and a step counter of 4 bytes a tensor."""
    return 8 * parameters + 4 * tensors


def saved_units(s: Shape, rank: int, places: str) -> float:
    """Return what one adapted block keeps for backward, in units of B·T·d elements.

    As in a trained block: inputs and statistics of the norms, queries, keys, values, the attention's scores or (fused)
    output and statistics, and the GELU's input. A frozen Linear keeps its input only where an adapter reads it; each
    adapter keeps its own r channels on top.
    """
    read = {"qkv": 1.0, "out": 1.0, "up": 1.0, "down": float(s.mlp)}
    if s.attention == "sdpa":
        read["out"] = 0.0  # fused attention keeps its output anyway
        attention = 3 + 1 + s.heads / s.width
    else:
        attention = 3 + s.heads * s.tokens / s.width
    block = 2 + 4 / s.width + attention + s.mlp
    return block + sum(read[name] + rank / s.width for name in PLACES[places])


@formula
def saved_bytes(s: Shape, rank: Count, places: Places) -> Bytes:
    """Return bytes kept for backward by a GPT with adapters: 4·B·T·d·(L·b - 1 + 1 + V/d).

    The first norm's input needs no gradient, since the embeddings are frozen: 1 unit less, and its 2/d of statistics.
    The final norm keeps its input; the frozen head does not; the loss keeps the log-probabilities.

    rank: of the adapters' factors, such as 8
    places: which Linears have adapters, such as qkv
    Source: derived from the list of operations; measured (torch 2.13, CPU).
    """
    first = 1 + 2 / s.width
    units = s.layers * saved_units(s, rank, places) - first + 1 + s.vocabulary / s.width
    return 4 * s.batch * s.tokens * s.width * units


def quantised_bytes(weights: int, block: int, bits: int = 4, scale_bytes: int = 2) -> float:
    """Return bytes of weights packed to `bits`, with one scale for each `block` of them: N·(bits/8 + 2/block).

    Source: Dettmers et al. 2023 (arXiv:2305.14314), without its second quantisation, of the scales.
    """
    return weights * (bits / 8 + scale_bytes / block)


def held(s: Shape, places: str, rank: int, block: int = 0) -> dict[str, float]:
    """Return what a step holds: trainable parameters, and bytes of gradients, AdamW state, saved tensors, Linear weights.

    The weights are those of the blocks' Linears, fp32, or packed to 4 bits with a scale for each `block` of them.
    """
    if places == "none":
        parameters, tensors, saved = gpt.parameter_count(s), len(gpt.parameter_shapes(s)), gpt.saved_bytes(s)
    else:
        parameters, saved = trainable(s, rank, places), saved_bytes(s, rank, places)
        tensors = 2 * s.layers * len(PLACES[places])
    return {
        "trainable": parameters,
        "gradients": 4 * parameters,
        "optimizer state": adamw_state_bytes(parameters, tensors),
        "saved": saved,
        "Linear weights": quantised_bytes(linear_weights(s), block) if block else 4 * linear_weights(s),
    }
