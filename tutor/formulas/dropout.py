"""How often two independent dropout masks agree, and what it costs to keep the RNG's state."""

from __future__ import annotations

CPU_RNG_STATE_BYTES = 5056
"""Size of torch's CPU generator state, stashed once a checkpoint. Measured (torch 2.13)."""


def mask_agreement(p: float) -> float:
    """Return the share of positions on which two independent masks with drop probability p agree: p² + (1-p)²."""
    return p * p + (1 - p) * (1 - p)


def visible_mask_agreement(p: float, zeros: float) -> float:
    """Return the agreement seen behind a ReLU with a share `zeros` of zeros, where a dropped zero looks kept."""
    return zeros + (1 - zeros) * mask_agreement(p)


def stash_bytes(checkpoints: int) -> int:
    """Return bytes of RNG state that `checkpoints` regions stash on a CPU."""
    return checkpoints * CPU_RNG_STATE_BYTES
