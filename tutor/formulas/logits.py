"""The peak around a large vocabulary's loss: cross-entropy whole, or in checkpointed chunks, above checkpointed blocks.

Units are elements of one hidden state, B·T·d; gradients' buffers exist already. Derived from the list of operations and
checked against measured digits (torch 2.13, CPU).
"""

from __future__ import annotations

from dataclasses import replace

from tutor.formulas.gpt import F32, Shape, peak_bytes
from tutor.formulas.quantities import Bytes, Count, formula

COPIES = 3
"""Sizes of the logits alive in the loss's backward: log-probabilities, their gradient, the gradient of the logits."""


def logits_bytes(s: Shape) -> int:
    """Return bytes of the fp32 logits, 4·B·T·V."""
    return F32 * s.batch * s.tokens * s.vocabulary


def boundaries_bytes(s: Shape) -> int:
    """Return bytes kept before the head: an input a checkpointed block, the final norm's and the head's, 4·B·T·d·(L + 2)."""
    return F32 * s.batch * s.tokens * s.width * (s.layers + 2)


@formula
def loss_peak_bytes(s: Shape, copies: Count = COPIES) -> Bytes:
    """Return bytes alive at the whole loss: boundaries and copies of the logits, four where a name keeps them.

    copies: of the fp32 logits
    Source: derived from the list of operations; measured 3.0 and 4.0 (torch 2.13, CPU).
    """
    return boundaries_bytes(s) + copies * logits_bytes(s)


@formula
def chunked_loss_peak_bytes(s: Shape, chunks: Count) -> Bytes:
    """Return bytes alive at a loss taken in n checkpointed chunks.

    Boundaries, gradients of the chunks' inputs that wait, (n - 1)/n of a hidden state, and the larger of two moments: three
    copies of a chunk's logits beside the head weight's summed gradient, 4·V·d; or three such gradients, where the next chunk's is
    added to the sum. The latter is the floor that more chunks do not lower.

    chunks: the batch is cut into, such as 8
    Source: derived from the list of operations; measured (torch 2.13, CPU).
    """
    weight = F32 * s.vocabulary * s.width
    waiting = F32 * s.batch * s.tokens * s.width * (chunks - 1) / chunks
    return boundaries_bytes(s) + waiting + max(COPIES * logits_bytes(s) / chunks + weight, 3 * weight)


def head_peak_bytes(s: Shape, copies: int = 1) -> float:
    """Return bytes alive in the head's backward: boundaries, the gradients of its input and of its weight, and the logits' copies."""
    gradients = F32 * (s.batch * s.tokens * s.width + s.vocabulary * s.width)
    return boundaries_bytes(s) + copies * logits_bytes(s) + gradients


def block_peak_bytes(s: Shape, copies: int = 0) -> float:
    """Return bytes alive in a checkpointed block's backward, the loss being over; a name that keeps the logits adds a copy."""
    return peak_bytes(replace(s, vocabulary=0), checkpointed=True) + copies * logits_bytes(s)
