"""How often two independent dropout masks agree, and what it costs to keep the RNG's state."""

from __future__ import annotations

from tutor.formulas.quantities import Bytes, Count, Number, Share, WholeBytes, formula

CPU_RNG_STATE_BYTES = 5056
"""Size of torch's CPU generator state, stashed once a checkpoint. Measured (torch 2.13)."""


@formula
def mask_agreement(p: Share) -> Share:
    """Return the share of positions on which two independent masks agree: p² + (1-p)².

    p: probability to drop, such as 0.3
    Source: both drop or both keep; measured 0.579 at p = 0.3 (torch 2.13).
    """
    return p * p + (1 - p) * (1 - p)


@formula
def visible_mask_agreement(p: Share, zeros: Share) -> Share:
    """Return the agreement that is seen behind a ReLU, where a dropped zero looks kept.

    p: probability to drop, such as 0.3
    zeros: share of zeros the ReLU leaves, such as 0.5
    Source: derived; measured with two masks behind a ReLU (torch 2.13).
    """
    return zeros + (1 - zeros) * mask_agreement(p)


@formula
def mask_disagreement(p: Share) -> Share:
    """Return the share of positions on which two independent masks differ: 2p(1-p).

    p: probability to drop, such as 0.3
    Source: one drops and the other keeps, either way; measured 0.503 at p = 0.5 (torch 2.13).
    """
    return 2 * p * (1 - p)


@formula
def mask_bytes(tokens: Count, width: Count, element: Bytes = 1) -> Bytes:
    """Return bytes of a dropout mask that is kept for backward.

    tokens: of the batch, such as 8192
    width: channels of the hidden state, such as 4096
    element: bytes of a position in the mask
    Source: Korthikanti et al. 2022 (arXiv:2205.05198): one byte an element.
    """
    return tokens * width * element


@formula
def stash_bytes(checkpoints: Number) -> WholeBytes:
    """Return bytes of RNG state that checkpointed regions stash on a CPU: 5056 each.

    checkpoints: regions, such as 32
    Source: torch.get_rng_state().numel(), measured (torch 2.13).
    """
    return checkpoints * CPU_RNG_STATE_BYTES


@formula
def mask_streams(devices: Count, tensor: Count, sharded: bool = False) -> Count:
    """Return the different random streams dropout needs: one a tensor-parallel group on tensors that are replicated in it.

    On tensors that are cut along the group each rank needs its own, since it holds other positions.
    devices: in all, such as 64
    tensor: ranks of a tensor-parallel group, such as 8
    sharded: whether the tensor is cut along the group
    Source: Shoeybi et al. 2019, Megatron-LM (arXiv:1909.08053), appendix B.2.
    """
    return devices if sharded else devices // tensor
