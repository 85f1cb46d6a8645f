"""ZeRO and FSDP in bytes a rank holds: what each stage divides, what is gathered for a while, and what is never divided."""

from __future__ import annotations

from typing import Literal

from tutor.formulas.quantities import Bytes, Count, Params, formula

Stage = Literal["0", "1", "2", "3"]


@formula
def state_bytes(
    parameters: Params, ranks: Count, stage: Stage, weights: Bytes = 2, gradients: Bytes = 2, optimizer: Bytes = 12
) -> Bytes:
    """Return bytes of state a rank holds at rest: stage 1 divides optimizer state, 2 gradients too, 3 weights too.

    parameters: of the model, such as 7.5B
    ranks: that share, such as 64
    stage: of ZeRO, such as 2
    weights: bytes a parameter
    gradients: bytes a parameter
    optimizer: bytes a parameter of master copy and moments
    Source: Rajbhandari et al. 2019, ZeRO (arXiv:1910.02054), figure 1: 120, 31.4, 16.6 and 1.9 GB.
    """
    kept = optimizer / (ranks if stage >= "1" else 1)
    reduced = gradients / (ranks if stage >= "2" else 1)
    return parameters * (kept + reduced + weights / (ranks if stage >= "3" else 1))


@formula
def gathered_bytes(
    parameters: Params, layers: Count, ranks: Count, state: Bytes = 16, element: Bytes = 2, units: Count = 2
) -> Bytes:
    """Return bytes an FSDP rank holds in forward: its shard of the state, and the whole weights of the units in flight.

    parameters: of the model, in equal layers, such as 70B
    layers: each a unit that is gathered by itself, such as 80
    ranks: that share, such as 64
    state: bytes a parameter at rest
    element: bytes of a gathered weight
    units: alive at once, the one that computes and the one that is prefetched
    Source: Zhao et al. 2023, PyTorch FSDP (arXiv:2304.11277), 3.2.1.
    """
    return state * parameters / ranks + units * element * parameters / layers


@formula
def hybrid_state_bytes(parameters: Params, node: Count, state: Bytes = 16) -> Bytes:
    """Return bytes of state a rank holds when a node shards and nodes replicate: more nodes lower nothing.

    parameters: of the model, such as 7B
    node: ranks of one node, such as 8
    state: bytes a parameter
    Source: Zhao et al. 2023, PyTorch FSDP (arXiv:2304.11277), 3.2.2, hybrid sharding.
    """
    return parameters * state / node


@formula
def step_bytes(parameters: Params, ranks: Count, activations: Bytes, state: Bytes = 16) -> Bytes:
    """Return bytes a rank needs when all state is sharded: state is divided, the activations of its own batch are not.

    parameters: of the model, such as 13B
    ranks: that share, such as 16
    activations: of one rank's batch, such as 20 GB
    state: bytes a parameter
    Source: Rajbhandari et al. 2019, ZeRO (arXiv:1910.02054), section 3; the Hugging Face ultra-scale playbook.
    """
    return parameters * state / ranks + activations
