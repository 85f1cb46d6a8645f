"""Selective checkpointing of GPT blocks: what each policy keeps and what it computes again.

Policies: none (no checkpointing) | full (the input alone) | matmuls (outputs of all matmuls kept) | linears (outputs of the
Linears kept; attention's two batched products are not). For blocks that materialise their scores, without dropout.
Checked against measured digits (torch 2.13, CPU).
"""

from __future__ import annotations

from typing import Literal

from tutor.formulas import gpt
from tutor.formulas.quantities import Bytes, Factor, formula

Policy = Literal["none", "full", "matmuls", "linears"]


def saved_units(s: gpt.Shape, policy: Policy) -> float:
    """Return what one block holds after forward, in units of B·T·d elements.

    Linears: the input 1, queries, keys and values 3, attention's projection 1, the MLP's two f + 1: 6 + f. All matmuls:
    besides, the scores hT/d and their product with the values 1. Source: the block's list of operations.
    """
    scores = s.heads * s.tokens / s.width
    return {
        "none": gpt.block_saved_units(s),
        "full": 1.0,
        "matmuls": 7 + s.mlp + scores,
        "linears": 6.0 + s.mlp,
    }[policy]


@formula
def saved_bytes(s: gpt.Shape, policy: Policy) -> Bytes:
    """Return bytes held after forward under a policy of what is kept: 4·B·T·d·(L·b + 2 + V/d).

    policy: outputs that are kept, such as matmuls
    Source: derived from the list of operations; measured (torch 2.13, CPU).
    """
    rest = 2 + s.vocabulary / s.width
    return gpt.F32 * s.batch * s.tokens * s.width * (s.layers * saved_units(s, policy) + rest)


def replayed_flops(s: gpt.Shape, policy: Policy) -> int:
    """Return matmul FLOPs that backward computes again, all blocks.

    None where all matmuls are kept. With linears kept the two products of attention, 4·T·d a token. In full the block without
    its last Linear, which early stop leaves out.
    """
    if policy == "full":
        return gpt.step_flops(s, checkpointed=True) - gpt.step_flops(s)
    return s.layers * s.batch * s.tokens * 4 * s.tokens * s.width if policy == "linears" else 0


@formula
def flops_ratio(s: gpt.Shape, policy: Policy) -> Factor:
    """Return matmul FLOPs of a step under a policy over those of the plain one.

    policy: outputs that are kept, such as linears
    Source: the list of matrix products; equal to torch's FlopCounterMode (torch 2.13).
    """
    return 1 + replayed_flops(s, policy) / gpt.step_flops(s)
