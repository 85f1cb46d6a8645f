"""Saved tensors parked elsewhere during forward and fetched in backward: bytes moved, and the peak that is left.

A small GPT with materialised attention, gradients' buffers existing already. Tensors below a threshold stay: the statistics of
the norms. Derived from the list of operations and checked against measured digits (torch 2.13, CPU).
"""

from __future__ import annotations

from tutor.formulas.gpt import F32, Shape, block_saved_units


def written_bytes(s: Shape, checkpointed: bool = False) -> int:
    """Return bytes written in forward, each storage once: 4·B·T·d·(L·(b - 4/d) + 2 + V/d), with b - 4/d = 1 if checkpointed."""
    per_block = 1 if checkpointed else block_saved_units(s) - 4 / s.width
    return round(F32 * s.batch * s.tokens * s.width * (s.layers * per_block + 2 + s.vocabulary / s.width))


def read_bytes(s: Shape, checkpointed: bool = False) -> int:
    """Return bytes read in backward: what was written, and again what two operations saved.

    Those are the log-probabilities (log-softmax and the loss) and, without checkpointing, each block's attention weights
    (softmax and the product with the values).
    """
    scores = 0 if checkpointed else s.layers * s.heads * s.tokens / s.width
    again = F32 * s.batch * s.tokens * s.width * (scores + s.vocabulary / s.width)
    return written_bytes(s, checkpointed) + round(again)


def peak_bytes(s: Shape, checkpointed: bool = False) -> float:
    """Return the peak above parameters and gradients with saved tensors parked elsewhere.

    The largest of four moments, in units of B·T·d elements: three times the logits at the loss; in the head's backward one copy,
    its input and its gradient, and the weight's gradient; then the MLP's backward, three wide tensors and a hidden state's gradient;
    and the softmax, in forward: its block's input, normed input, queries, keys, values, and three sizes of the scores. Fetched one
    operation at a time, no more of a block is alive; a checkpointed block that runs again has all it saves alive at once.
    """
    rows, scores = s.batch * s.tokens, s.heads * s.tokens / s.width
    loss = 3 * s.vocabulary / s.width
    head = 2 + s.vocabulary / s.width + s.vocabulary / rows
    if checkpointed:
        block = 1 + block_saved_units(s)
        mlp, softmax = block + s.mlp * (1 + s.width / rows), block - (1 + 2 * s.mlp) + 2 * scores
    else:
        mlp, softmax = 1 + 2 * s.mlp + s.mlp * max(1, s.width / rows), 5 + 3 * scores
    return F32 * rows * s.width * max(loss, head, mlp, softmax)
