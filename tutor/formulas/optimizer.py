"""Bytes of model state: weights, gradients, master copy and moments under a named recipe."""

from __future__ import annotations

from dataclasses import dataclass


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

STATE_BYTES = {"sgd": 0, "momentum": 4, "adamw": 8, "amsgrad": 12}
"""fp32 state bytes a parameter after the first step; 0 before it. Measured: AdamW 8.000004."""


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
