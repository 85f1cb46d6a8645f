"""Bytes of model state: weights, gradients, master copy and moments under a named recipe."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated

from tutor.formulas import gpt
from tutor.formulas.quantities import (
    Bytes,
    BytesPerSecond,
    Count,
    Params,
    Quantity,
    Seconds,
    WholeBytes,
    WholeParams,
    formula,
)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Bytes a parameter of each kind of state."""

    weights: int
    gradients: int
    master: int
    moments: int

    @property
    def total(self) -> int:
        """Bytes a parameter in all."""
        return self.weights + self.gradients + self.master + self.moments


RECIPES = {
    "fp32-adamw": Recipe(4, 4, 0, 8),
    "bf16-weights+bf16-grads+fp32-master-adamw": Recipe(2, 2, 4, 8),
    "bf16-weights+fp32-grads+fp32-master-adamw": Recipe(2, 4, 4, 8),
    "bf16-weights+bf16-grads+fp32-master+fp32-grad-accum-adamw": Recipe(2, 6, 4, 8),
    "pure-bf16-adamw": Recipe(2, 2, 0, 4),
    "fp32-sgd": Recipe(4, 4, 0, 0),
    "fp32-sgd-momentum": Recipe(4, 4, 0, 4),
    "bf16+8bit-adam+fp32-master": Recipe(2, 2, 4, 2),
}
"""Sources: ZeRO (16 bytes), stas00/ml-engineering (18), ultra-scale playbook (20); fp32 measured, torch 2.13."""

STATE_BYTES = {"sgd": 0, "momentum": 4, "adagrad": 4, "rmsprop": 4, "adam": 8, "adamw": 8, "amsgrad": 12}
"""fp32 state bytes a parameter after the first step; 0 before it. Measured: AdamW 8.000004."""

COUNTED = ("adagrad", "rmsprop", "adam", "adamw", "amsgrad")
"""Optimizers that count steps, in an fp32 number of 4 bytes a tensor (torch 2.13, the loop and foreach)."""

BLOCK = 256
"""Elements that share one scale in blockwise 8-bit state (Dettmers et al. 2022)."""


RecipeName = Annotated[str, tuple(RECIPES)]
Growth = Annotated[float, Quantity("B", 1)]


@formula
def state_bytes(parameters: Params, recipe: RecipeName) -> Bytes:
    """Return bytes of weights, gradients, master copy and moments.

    parameters: of the model, such as 7B
    recipe: what is kept in how many bytes, such as bf16-weights+fp32-grads+fp32-master-adamw
    Source: ZeRO (arXiv:1910.02054) 16 bytes, stas00/ml-engineering 18, Hugging Face ultra-scale playbook 20.
    """
    return parameters * RECIPES[recipe].total


@formula
def largest_model(devices: Count, device_bytes: Bytes, recipe: RecipeName) -> Params:
    """Return the parameters whose state fits on some devices when sharded perfectly, activations ignored.

    devices: that share the state, such as 8
    device_bytes: memory of one, such as 80 GB
    recipe: what is kept in how many bytes, such as fp32-adamw
    Source: Stanford CS336, lecture 2: 40B on 8 devices of 80 GB at 16 bytes.
    """
    return devices * device_bytes / RECIPES[recipe].total


@formula
def moments_bytes(parameters: Params) -> Bytes:
    """Return bytes of AdamW's two fp32 moments: 8 a parameter.

    parameters: that are trained, such as 7B
    Source: Kingma and Ba 2014, Adam (arXiv:1412.6980); measured 8.000004 bytes a parameter (torch 2.13).
    """
    return STATE_BYTES["adamw"] * parameters


@formula
def resumable_checkpoint_bytes(parameters: Params) -> Bytes:
    """Return bytes of a checkpoint file with bf16 weights, fp32 master copy and two fp32 moments: 14 a parameter.

    parameters: of the model, such as 176B
    Source: 2 + 4 + 4 + 4; BLOOM's 176B took 2.3 TB (stas00/ml-engineering).
    """
    return 14 * parameters


@formula
def lora_parameters(rank: Count, d_in: Count, d_out: Count) -> WholeParams:
    """Return trainable parameters of a LoRA adapter on one Linear: r·(d_in + d_out).

    rank: of the two factors, such as 16
    d_in: channels in, such as 4096
    d_out: channels out, such as 4096
    Source: Hu et al. 2021, LoRA (arXiv:2106.09685).
    """
    return rank * (d_in + d_out)


@formula
def step_peak_bytes(
    parameters: Params, weights: Bytes = 4, gradients: Bytes = 4, moments: Bytes = 8, foreach: bool = True
) -> Bytes:
    """Return bytes in AdamW's step: state and gradients, and with foreach one more copy as wide as the weights.

    parameters: of the model, such as 6.74B
    weights: bytes a parameter
    gradients: bytes a parameter
    moments: bytes a parameter
    foreach: whether all tensors are updated at once, as is usual on CUDA
    Source: measured 20.0 bytes a parameter in fp32 and 10.0 in bf16 (torch 2.13, fake tensors).
    """
    return parameters * (weights + gradients + moments + (weights if foreach else 0))


@formula
def factored_matrix_bytes(rows: Count, columns: Count) -> WholeBytes:
    """Return fp32 bytes of a factored second moment of one matrix: a row and a column, 4·(n + m).

    rows: of the matrix, such as 4096
    columns: of the matrix, such as 16384
    Source: Shazeer and Stern 2018, Adafactor (arXiv:1804.04235), without a first moment.
    """
    return 4 * (rows + columns)


@formula
def eight_bit_moments_bytes(parameters: Params, block: Count = BLOCK) -> Bytes:
    """Return bytes of two blockwise 8-bit moments: a byte each, and an fp32 scale a block each.

    parameters: that are trained, such as 7B
    block: elements that share a scale
    Source: Dettmers et al. 2021, 8-bit optimizers (arXiv:2110.02861).
    """
    return 2 * parameters * (1 + 4 / block)


@formula
def autocast_weights_bytes(parameters: Params) -> Bytes:
    """Return bytes of weights under autocast at the end of forward: fp32 weights and the bf16 copies kept for backward.

    parameters: in Linears, such as 1.3B
    Source: torch.autocast casts weights as they are used and caches the copies; measured (torch 2.13, CPU).
    """
    return (4 + 2) * parameters


def adafactor_state_bytes(shapes: list[tuple[int, ...]]) -> int:
    """Return fp32 state bytes of Adafactor: a row and a column a matrix, a full copy a vector, a counter each."""
    total = 0
    for shape in shapes:
        if len(shape) > 1:
            rows = 1
            for size in shape[:-1]:
                rows *= size
            columns = 1
            for size in (*shape[:-2], shape[-1]):
                columns *= size
            total += rows + columns
        else:
            total += shape[0]
    return 4 * (total + len(shapes))


def full_state_bytes(shapes: list[tuple[int, ...]], optimizer: str, element: int = 4) -> int:
    """Return bytes of state of an optimizer that keeps whole copies, `element` bytes a number, and step counters."""
    copies = STATE_BYTES[optimizer] // 4
    counters = 4 * len(shapes) if optimizer in COUNTED else 0
    return copies * element * sum(math.prod(shape) for shape in shapes) + counters


def eight_bit_state_bytes(shapes: list[tuple[int, ...]], block: int = BLOCK) -> int:
    """Return bytes of two blockwise 8-bit moments: a byte an element each, and an fp32 scale a block each."""
    return sum(2 * (math.prod(shape) + 4 * math.ceil(math.prod(shape) / block)) for shape in shapes)


def step_temporary_bytes(shapes: list[tuple[int, ...]], foreach: bool, element: int = 4) -> int:
    """Return the bytes an Adam step holds for a while: a copy of every parameter at once with foreach, two of the largest
    parameter in a loop.

    Measured on a CPU, torch 2.13: √v for all parameters, or √v and √v over its bias correction for one.
    """
    sizes = [element * math.prod(shape) for shape in shapes]
    return sum(sizes) if foreach else 2 * max(sizes)


def gradient_in_flight_bytes(shapes: list[tuple[int, ...]], in_backward: bool) -> int:
    """Return the most bytes of gradients held at once: all of them, or the largest one where the step runs in backward."""
    sizes = [4 * math.prod(shape) for shape in shapes]
    return max(sizes) if in_backward else sum(sizes)


@formula
def step_of_death(budget: Bytes, base: Bytes, growth: Growth) -> Count:
    """Return the first step that no longer fits, counted from 1, where each step leaves some more bytes behind.

    budget: memory there is, such as 80 GB
    base: needed at a step's peak without what is left behind, such as 60 GB
    growth: what each step leaves, such as 25 MB
    Source: step n needs base + n · growth; measured with a list of losses (torch 2.13).
    """
    return max(1, math.floor((budget - base) / growth) + 1)


@formula
def offload_device_bytes(parameters: Params, weights: Bytes = 4, gradients: Bytes = 4) -> Bytes:
    """Return bytes on the device where master copy and moments live on the host: weights and gradients alone.

    parameters: of the model, such as 7B
    weights: bytes a parameter
    gradients: bytes a parameter
    Source: Ren et al. 2021, ZeRO-Offload (arXiv:2101.06840).
    """
    return parameters * (weights + gradients)


def offload_traffic_bytes(parameters: float, weights: int = 4, gradients: int = 4) -> tuple[float, float]:
    """Return bytes a step sends to the host (gradients) and back to the device (weights)."""
    return parameters * gradients, parameters * weights


@formula
def transfer_seconds(transferred: Bytes, bytes_per_second: BytesPerSecond) -> Seconds:
    """Return the seconds a link needs for some bytes, latency left out.

    transferred: over the link, such as 512 MB
    bytes_per_second: of the link, such as 25 GB/s
    Source: definition.
    """
    return transferred / bytes_per_second


def held_state_bytes(shapes: list[tuple[int, ...]], optimizer: str) -> int:
    """Return bytes of state after the first step: whole copies, factored or in 8 bits, as torch 2.13 holds them."""
    if optimizer == "adafactor":
        return adafactor_state_bytes(shapes)
    if optimizer == "8-bit-adam":
        return eight_bit_state_bytes(shapes)
    return full_state_bytes(shapes, optimizer)


def phase_needs(
    shape: gpt.Shape,
    parameters: int,
    optimizer: str,
    checkpointed: bool = False,
    begun: bool = False,
    foreach: bool = False,
) -> dict[str, float]:
    """Return the most bytes each phase of a GPT's fp32 training step needs, gradients freed before it.

    `begun`: the optimizer's state is there already, since this is not the first step. The block whose backward comes last
    has every gradient beside it; at the loss there is none yet. What a step holds for a while is counted for the Adam
    family, in 8 bits up to 7 copies of the largest parameter, and left out for the others, which hold hardly any.
    """
    shapes = gpt.parameter_shapes(shape)
    weights, state = 4 * parameters, held_state_bytes(shapes, optimizer)
    before = weights + (state if begun else 0)
    last_block = gpt.peak_bytes(replace(shape, layers=1, vocabulary=1), checkpointed)
    passing = step_temporary_bytes(shapes, foreach) if optimizer in COUNTED else 0
    if optimizer == "8-bit-adam":
        passing = 7 * 4 * max(math.prod(one) for one in shapes)
    return {
        "forward": before + gpt.saved_bytes(shape, checkpointed),
        "backward": before + max(gpt.peak_bytes(shape, checkpointed), weights + last_block),
        "step": 2 * weights + state + passing,
    }


def first_over(needs: dict[str, float], budget: float) -> str:
    """Return the first of some moments, in order of time, that needs more bytes than the budget, or `never`."""
    return next((moment for moment, need in needs.items() if need > budget), "never")
