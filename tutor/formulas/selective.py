"""Selective checkpointing of GPT blocks: what each policy keeps and what it computes again.

Policies: none (no checkpointing) | full (the input alone) | matmuls (outputs of all matmuls kept) | linears (outputs of the
Linears kept; attention's two batched products are not). For blocks that materialise their scores, without dropout.
Checked against measured digits (torch 2.13, CPU).
"""

from __future__ import annotations

from typing import Literal

from tutor.formulas import gpt

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


def saved_bytes(s: gpt.Shape, policy: Policy) -> float:
    """Return bytes held after forward: 4·B·T·d·(L·b + 2 + V/d), as in `gpt.saved_bytes`."""
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


def flops_ratio(s: gpt.Shape, policy: Policy) -> float:
    """Return matmul FLOPs of a step over those of the plain one."""
    return 1 + replayed_flops(s, policy) / gpt.step_flops(s)
