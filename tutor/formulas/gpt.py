"""Closed forms for a small GPT: vocabulary V, width d, L layers, h heads, MLP factor f, batch B, T tokens.

Biased Linear, LayerNorm, GELU, fp32, no weight tying; attention materialises its scores or is fused (sdpa).
Derived from the list of operations and checked against measured digits (torch 2.13, CPU).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tutor.formulas.quantities import Bytes, Count, Factor, Units, WholeFlops, WholeParams, formula

F32 = 4


@dataclass(frozen=True, slots=True)
class Shape:
    """The dimensions of a model and of its batch.

    layers: transformer blocks, L, such as 12
    width: channels of the hidden state, d, such as 768
    heads: attention heads, h, such as 12
    tokens: in a sequence, T, such as 1024
    batch: sequences, B, such as 8
    vocabulary: entries of the vocabulary, V, such as 50257
    mlp: hidden width of the MLP over the width, f
    attention: materialised scores, T by T a head, or fused attention (sdpa), which keeps none
    dropout: whether attention weights and the MLP's output are dropped out
    """

    layers: Count
    width: Count
    heads: Count
    tokens: Count
    batch: Count
    vocabulary: Count
    mlp: Count = 4
    attention: Annotated[str, ("scores", "sdpa")] = "scores"
    dropout: bool = False


@formula
def parameter_count(s: Shape) -> WholeParams:
    """Return parameters: token and position embeddings, L blocks of (4 + 2f)d² + (9 + f)d, final norm, an unbiased head.

    Source: the list of tensors; equal to what torch counts.
    """
    block = (4 + 2 * s.mlp) * s.width**2 + (9 + s.mlp) * s.width
    return s.vocabulary * s.width + s.tokens * s.width + s.layers * block + 2 * s.width + s.vocabulary * s.width


def parameter_shapes(s: Shape) -> list[tuple[int, ...]]:
    """Return the shape of each parameter: embeddings, the four Linears and two norms of each block, final norm, head."""
    d, hidden = s.width, s.mlp * s.width
    linears = [(3 * d, d), (3 * d,), (d, d), (d,), (hidden, d), (hidden,), (d, hidden), (d,)]
    block: list[tuple[int, ...]] = [*linears, (d,), (d,), (d,), (d,)]
    return [(s.vocabulary, d), (s.tokens, d), *block * s.layers, (d,), (d,), (s.vocabulary, d)]


@formula
def block_saved_units(s: Shape) -> Units:
    """Return what one block saves for backward, b, in units of B·T·d elements.

    Scores: 8 + 2f + hT/d + 4/d, of which hT/d are the scores and 4/d the means and deviations of two norms. Fused:
    8 + 2f + h/d + 4/d, linear in T. With dropout the CPU keeps full-width masks, and fused attention takes the path that
    materialises: 9 + 2f + 3hT/d + 4/d either way. The causal mask is a buffer and not counted.

    Source: derived from the list of operations; measured (torch 2.13, CPU).
    """
    scores = s.heads * s.tokens / s.width
    kept = scores if s.attention == "scores" else s.heads / s.width
    attention = 1 + 3 * scores if s.dropout else kept
    return 8 + 2 * s.mlp + attention + 4 / s.width


@formula
def saved_bytes(s: Shape, checkpointed: bool = False) -> Bytes:
    """Return bytes kept for backward after the forward pass, parameters excluded: 4·B·T·d·(L·b + 2 + V/d).

    Under full checkpointing each block keeps its input alone, b = 1. The 2 + V/d are the inputs of the final norm and
    of the head, and the log-probabilities of the loss. Left out are the batch's integers and the final norm's
    statistics, 24 bytes a token.

    checkpointed: whether each block keeps its input alone
    Source: derived from the list of operations; measured (torch 2.13, CPU).
    """
    per_block = 1.0 if checkpointed else block_saved_units(s)
    return F32 * s.batch * s.tokens * s.width * (s.layers * per_block + 2 + s.vocabulary / s.width)


@formula
def peak_bytes(s: Shape, checkpointed: bool = False) -> Bytes:
    """Return the peak above parameters and gradients, whose buffers exist already, in bytes of one step.

    The largest of four moments, in units of B·T·d elements. At the loss: what the blocks kept, 2 more inputs, and
    three copies of the logits, 3V/d. In the head's backward: one copy, a gradient of its input, and the weight's,
    V/(BT). In the MLP's backward: the boundaries, what one segment saved (all of it without checkpointing), the
    gradients of the hidden layer and of its weight, f·(1 + d/(BT)). In the softmax's backward: the MLP's 1 + 2f
    are free, two copies of the scores have come, 2hT/d.

    checkpointed: whether each block keeps its input alone
    Source: derived from the list of operations; measured within 3 %, mostly within 0.3 % (torch 2.13, CPU).
    """
    block, rows = block_saved_units(s), s.batch * s.tokens
    kept = s.layers if checkpointed else s.layers * block
    segment = s.layers + block if checkpointed else s.layers * block
    loss = kept + 2 + 3 * s.vocabulary / s.width
    head = kept + 3 + s.vocabulary / s.width + s.vocabulary / rows
    mlp = segment + (0 if checkpointed else 1) + s.mlp * (1 + s.width / rows)
    softmax = segment - (1 + 2 * s.mlp) + (2 * s.heads * s.tokens / s.width if s.attention == "scores" else 0)
    return F32 * rows * s.width * max(loss, head, mlp, softmax)


@formula
def block_flops(s: Shape) -> WholeFlops:
    """Return forward FLOPs of one block: B·T·((8 + 4f)d² + 4Td), two for each multiply-add.

    The 4Td of fused attention are left out: torch's counter takes the CPU's kernel for nothing.

    Source: the list of matrix products; equal to torch's FlopCounterMode (torch 2.13).
    """
    scores = 4 * s.tokens * s.width if s.attention == "scores" else 0
    return s.batch * s.tokens * ((8 + 4 * s.mlp) * s.width**2 + scores)


@formula
def step_flops(s: Shape, checkpointed: bool = False, early_stop: bool = True) -> WholeFlops:
    """Return matmul FLOPs of one training step: three times the forward, plus what checkpointing runs again.

    With early stop the last Linear of each block is not run again, since nothing behind it was saved: 2f·d² a token
    less.

    checkpointed: whether each block runs again in backward
    early_stop: whether that run ends where nothing more is needed
    Source: the list of matrix products; equal to torch's FlopCounterMode (torch 2.13).
    """
    forward = s.layers * block_flops(s) + 2 * s.batch * s.tokens * s.width * s.vocabulary
    again = block_flops(s) - (2 * s.mlp * s.width**2 * s.batch * s.tokens if early_stop else 0)
    return 3 * forward + (s.layers * again if checkpointed else 0)


@formula
def flops_ratio(s: Shape) -> Factor:
    """Return FLOPs of a checkpointed step over those of a plain one, with early stop (below 4/3).

    Source: the list of matrix products; equal to torch's FlopCounterMode (torch 2.13).
    """
    return step_flops(s, checkpointed=True) / step_flops(s)
