"""Closed forms for a LLaMA in training: vocabulary V, width d, L layers, h heads, hidden width F, batch B, T tokens.

RMSNorm, rotary positions, fused attention, SwiGLU, no biases, untied head; the loss in fp32. Activations were counted operation by
operation and checked against fake tensors (torch 2.13, CPU kernels); untested on CUDA.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tutor.formulas.quantities import Bytes, Count, WholeParams, formula

F32 = 4

Precision = Literal["fp32", "bf16", "bf16-master"]
Optimizer = Literal["adamw", "sgd", "factored"]


@dataclass(frozen=True, slots=True)
class Shape:
    """The dimensions of a model and of its batch; those of the 7B model unless told otherwise.

    layers: transformer blocks, L
    width: channels of the hidden state, d
    heads: attention heads, h
    hidden: channels of the MLP, F
    tokens: in a sequence, T
    batch: sequences, B
    vocabulary: entries of the vocabulary, V
    """

    layers: Count = 32
    width: Count = 4096
    heads: Count = 32
    hidden: Count = 11008
    tokens: Count = 2048
    batch: Count = 1
    vocabulary: Count = 32_000


@dataclass(frozen=True, slots=True)
class Recipe:
    """Bytes a parameter: weights and gradients, what the optimizer keeps, and what its step holds for a moment."""

    weights: int
    state: int
    step: int
    """Above weights, gradients and state: one more buffer a parameter in a step that takes all tensors at once."""
    scratch: int = 0
    """Above those, bytes an element of the largest tensor, in a step that takes one tensor at a time."""


def block_parameters(s: Shape) -> int:
    """Return parameters of one block: 4d² + 3dF and two norms."""
    return 4 * s.width**2 + 3 * s.width * s.hidden + 2 * s.width


@formula
def parameter_count(s: Shape) -> WholeParams:
    """Return parameters of a LLaMA: 2Vd + L(4d² + 3dF) + (2L + 1)d.

    Source: the list of tensors; the 7B shape has 6 738 415 616, as torch counts.
    """
    return 2 * s.vocabulary * s.width + s.layers * block_parameters(s) + s.width


def recipe(precision: str, optimizer: str, foreach: bool) -> Recipe:
    """Return bytes a parameter for fp32, bf16 or bf16-master with AdamW, SGD or a factored second moment.

    AdamW keeps two moments as wide as what it updates, and over all tensors at once (foreach, what it picks on CUDA) holds the
    square roots of one of them; in a loop two buffers of one tensor. A master copy is 4 bytes; in its step the gradients are
    4 bytes wide and no longer 2.
    """
    updated = 2 if precision == "bf16" else F32
    adam = optimizer == "adamw"
    master = precision == "bf16-master"
    moments = 2 * updated if adam else 0
    roots = updated if adam and foreach else 0
    scratch = {"adamw": 0 if foreach else 2 * updated, "sgd": 2 if master else 0, "factored": updated}[optimizer]
    weights = F32 if precision == "fp32" else 2
    return Recipe(weights, moments + (F32 if master else 0), roots + (2 if master else 0), scratch)


def block_saved_units(s: Shape, weights: int) -> float:
    """Return what one block saves for backward in units of B·T·d elements: 10 + 4F/d, and 4 more in bf16.

    Each norm keeps its input and the normed input, which in bf16 are fp32, hence the 4. Then come the inputs of three
    projections, q, k, v and the mixture, and four hidden layers of SwiGLU. The rest, (h + 2)·4/w/d, is statistics.
    """
    return 10 + 4 * s.hidden / s.width + (4 if weights == 2 else 0) + (s.heads + 2) * F32 / weights / s.width


def peak_bytes(s: Shape, r: Recipe, checkpointed: bool = False, ranks: int = 1) -> float:
    """Return the peak of a step in bytes on one of `ranks`, the largest of five moments.

    At the loss: weights, state, what the blocks saved, 12·B·T·V of fp32 logits. In the MLP's backward of the last block and of
    the first. In the embedding's backward. In the step. Gradients come as activations go, so an end of backward is the largest,
    never its middle. With ranks each shard is 1/n of weights, gradients and state, and backward holds one block's weights and
    gradients in full beside it.
    """
    return max(moments_of_a_step(s, r, checkpointed, ranks).values())


def moments_of_a_step(s: Shape, r: Recipe, checkpointed: bool, ranks: int) -> dict[str, float]:
    """Return bytes at each moment where the peak can lie."""
    w, count, rows = r.weights, parameter_count(s), s.batch * s.tokens
    unit = w * rows * s.width
    saved, wide, hidden = block_saved_units(s, w), 2 if w == 2 else 1, s.hidden / s.width
    embedding, down = s.vocabulary * s.width, s.width * s.hidden
    ends = 2 * wide + 1  # the final norm's input, the normed input, the head's input
    kept = s.layers if checkpointed else s.layers * saved
    in_block = saved + 1 + 2 * hidden + (wide - 1 if checkpointed else 0)
    before = s.layers - 1 if checkpointed else (s.layers - 1) * saved
    at_rest = (w + r.state) * count
    gathered = 0 if ranks == 1 else 2 * w * block_parameters(s)
    late = w * (count - embedding - block_parameters(s) + down)
    shared = {  # (what is sharded, what is not)
        "loss": (at_rest, unit * (kept + ends) + 3 * F32 * rows * s.vocabulary + gathered),
        "last block": (at_rest + w * (embedding + down), unit * (before + in_block) + gathered),
        "first block": (at_rest + late, unit * in_block + gathered),
        "embedding": (at_rest + w * count, unit + gathered),
        "step": (at_rest + (w + r.step) * count + r.scratch * embedding, 0),
    }
    return {name: sharded / ranks + whole for name, (sharded, whole) in shared.items()}


@formula
def training_peak_bytes(
    s: Shape,
    precision: Precision,
    optimizer: Optimizer = "adamw",
    foreach: bool = True,
    checkpointed: bool = True,
    ranks: Count = 1,
) -> Bytes:
    """Return the peak of a LLaMA's training step on one rank: the largest of the loss, two blocks, the embedding and the step.

    precision: of the weights, with or without an fp32 master copy, such as bf16
    optimizer: which one
    foreach: whether it updates all tensors at once
    checkpointed: whether each block keeps its input alone
    ranks: that share weights, gradients and state
    Source: derived from the list of operations; 55.5 to 134.8 GB measured for the 7B shape with fake tensors (torch 2.13).
    """
    kept = recipe(precision, optimizer, foreach)
    return peak_bytes(s, kept, checkpointed, ranks)


def phase_of_peak(s: Shape, r: Recipe, checkpointed: bool = False, ranks: int = 1) -> str:
    """Return backward or step."""
    moments = moments_of_a_step(s, r, checkpointed, ranks)
    return "step" if max(moments, key=lambda name: moments[name]) == "step" else "backward"
