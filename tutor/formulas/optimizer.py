"""Bytes of model state: weights, gradients, master copy and moments under a named recipe."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from tutor.formulas import gpt


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


def state_bytes(parameters: float, recipe: str) -> float:
    """Return bytes of weights, gradients, master copy and moments."""
    return parameters * RECIPES[recipe].total


def largest_model(devices: int, device_bytes: float, recipe: str) -> float:
    """Return the parameters whose state fits on `devices` when sharded perfectly, activations ignored."""
    return devices * device_bytes / RECIPES[recipe].total


def moments_bytes(parameters: float) -> float:
    """Return bytes of AdamW's two fp32 moments."""
    return STATE_BYTES["adamw"] * parameters


def resumable_checkpoint_bytes(parameters: float) -> float:
    """Return bytes of a checkpoint file with bf16 weights, fp32 master copy and two fp32 moments: 14 a parameter."""
    return 14 * parameters


def lora_parameters(rank: int, d_in: int, d_out: int) -> int:
    """Return trainable parameters of a LoRA adapter on one Linear: r·(d_in + d_out)."""
    return rank * (d_in + d_out)


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


def step_of_death(budget: float, base: float, growth: float) -> int:
    """Return the first step that no longer fits, counted from 1, where each step leaves `growth` more bytes behind.

    `base` is what the first step needs at its peak without what it leaves: step n needs base + n·growth.
    """
    return max(1, math.floor((budget - base) / growth) + 1)


def offload_device_bytes(parameters: float, weights: int = 4, gradients: int = 4) -> float:
    """Return bytes on the device where master copy and moments live on the host: weights and gradients alone."""
    return parameters * (weights + gradients)


def offload_traffic_bytes(parameters: float, weights: int = 4, gradients: int = 4) -> tuple[float, float]:
    """Return bytes a step sends to the host (gradients) and back to the device (weights)."""
    return parameters * gradients, parameters * weights


def transfer_seconds(transferred: float, bytes_per_second: float) -> float:
    """Return the seconds a link needs for some bytes, latency left out."""
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
