"""What each operation saves for backward, counted term by term, in elements or bytes.

Derived from the derivative of each operation and checked against autograd's graph (torch 2.13, CPU).
"""

from __future__ import annotations

from tutor.formulas.gpt import F32, Shape
from tutor.formulas.quantities import Bytes, formula

FORGETS_INPUT = ("relu", "tanh")
"""Activations whose derivative follows from their output, which the next layer keeps as its input anyway."""


def activation_elements(activation: str, elements: int) -> int:
    """Return elements an activation keeps above the next layer's input: none for ReLU and tanh, its input for others.

    Source: derivatives; tanh' = 1 - y², ReLU' = [y > 0], while GELU and SiLU are not inverted by their outputs.
    """
    return 0 if activation in FORGETS_INPUT else elements


def mlp_elements(rows: int, width: int, activation: str, factor: int = 4) -> int:
    """Return elements saved by Linear, activation, Linear: both inputs, N·d + N·f·d, and what the activation adds."""
    hidden = rows * factor * width
    return rows * width + hidden + activation_elements(activation, hidden)


def attention_elements(rows: int, width: int, heads: int, tokens: int) -> int:
    """Return elements saved by attention that materialises its scores: 5·N·d (input, q, k, v, mixed) + h·T·N."""
    return 5 * rows * width + heads * tokens * rows


def fused_attention_elements(rows: int, width: int, heads: int) -> int:
    """Return elements saved by fused attention: 5·N·d (input, q, k, v, output) + h·N of log-sum-exps."""
    return 5 * rows * width + heads * rows


def transformer_elements(rows: int, width: int, heads: int, tokens: int, activation: str) -> int:
    """Return elements saved by a pre-norm block: attention, MLP, and two norms of N·d + 2N (input, mean, deviation)."""
    attention, mlp = attention_elements(rows, width, heads, tokens), mlp_elements(rows, width, activation)
    return attention + mlp + 2 * (rows * width + 2 * rows)


def convolution_elements(rows: int, width: int, activation: str) -> int:
    """Return elements saved by conv, batch norm, activation, conv: three inputs of N·d, 2d of statistics, the activation's."""
    return 3 * rows * width + 2 * width + activation_elements(activation, rows * width)


def block_elements(block: str, rows: int, width: int, heads: int, tokens: int, activation: str) -> int:
    """Return elements saved by a block by its name; a residual addition saves nothing."""
    match block:
        case "mlp":
            return mlp_elements(rows, width, activation)
        case "attention":
            return attention_elements(rows, width, heads, tokens)
        case "conv":
            return convolution_elements(rows, width, activation)
    return transformer_elements(rows, width, heads, tokens, activation)


@formula
def forward_peak_bytes(s: Shape) -> Bytes:
    """Return the peak of a GPT's forward pass without a graph, in bytes above parameters: no term grows with the layers.

    The largest of three moments, in units of 4·B·T·d bytes: x, normed x, q, k, v and three copies of the scores, four
    with dropout (5 + 3hT/d); x, the branch and its norm, and the hidden layer twice (3 + 2f); logits and their
    log-softmax (2V/d).

    Source: derived from the list of operations; measured exact but for the loss's few bytes (torch 2.13, CPU).
    """
    scores = 5 + (4 if s.dropout else 3) * s.heads * s.tokens / s.width
    return F32 * s.batch * s.tokens * s.width * max(scores, 3 + 2 * s.mlp, 2 * s.vocabulary / s.width)


def layer_terms(s: Shape, bytes_per_element: int = F32) -> dict[str, int]:
    """Return the bytes that one GELU block saves, term by term; they add up to `gpt.block_saved_units`.

    Dropout on attention weights keeps a mask and the dropped weights, as wide as the scores both; on the MLP's output a
    mask. Fused attention keeps a log-sum-exp a row and head, fp32 in any precision. Source: derivatives; checked row by row against autograd's graph (torch 2.13, CPU, whose masks are full-width).
    """
    rows = s.batch * s.tokens
    hidden, scores = rows * s.width, rows * s.heads * s.tokens
    elements = {
        "norm inputs": 2 * hidden,
        "norm statistics": 4 * rows,
        "qkv input": hidden,
        "q, k, v": 3 * hidden,
        "scores": scores,
        "attention dropout": 2 * scores if s.dropout else 0,
        "projection input": hidden,
        "MLP input": hidden,
        "GELU input": s.mlp * hidden,
        "GELU output": s.mlp * hidden,
        "MLP dropout mask": hidden if s.dropout else 0,
    }
    terms = {term: bytes_per_element * count for term, count in elements.items()}
    return terms | ({"scores": F32 * rows * s.heads} if s.attention == "sdpa" else {})


def paper_terms(s: Shape) -> dict[str, int]:
    """Return the bytes of the same terms in fp16 as the paper counts them: sbh(34 + 5as/h) in all.

    Masks take one byte an element, there is one more of sbh behind the projection, and statistics are left out.
    Source: Korthikanti et al. 2022 (arXiv:2205.05198), section 4.1.
    """
    sbh, scores = s.batch * s.tokens * s.width, s.batch * s.heads * s.tokens**2
    units = {"norm inputs": 4, "qkv input": 2, "q, k, v": 6, "projection input": 2, "MLP input": 2}
    units |= {"GELU input": 8, "GELU output": 8, "MLP dropout mask": 2}
    return {term: n * sbh for term, n in units.items()} | {"scores": 2 * scores, "attention dropout": 3 * scores}


def gpt_terms(s: Shape, precision: str) -> dict[str, int]:
    """Return the bytes a GPT saves term by term in float32, bfloat16 (weights too) or float32 under bfloat16 autocast.

    Autocast runs matmuls in bf16 and keeps their operands so: inputs, and a bf16 copy of each weight. The residual stream
    and with it the norms, and the log-probabilities of the loss, stay fp32. Without dropout. Source: autocast's list of
    operations; checked against autograd's graph (torch 2.13, CPU; on CUDA softmax is on the fp32 list: untested).
    """
    wide, narrow = {"float32": (4, 4), "autocast": (4, 2), "bfloat16": (2, 2)}[precision]
    rows, f = s.batch * s.tokens, s.mlp
    hidden, block = rows * s.width, layer_terms(s, narrow)
    copies = s.layers * (4 + 2 * f) * s.width**2 + s.vocabulary * s.width if precision == "autocast" else 0
    return {
        "norm inputs": wide * (2 * s.layers + 1) * hidden,
        "norm statistics": wide * (4 * s.layers + 2) * rows,
        "Linear inputs": narrow * (s.layers * (3 + f) + 1) * hidden,
        "attention": s.layers * (block["q, k, v"] + block["scores"]),
        "GELU inputs": s.layers * block["GELU input"],
        "copies of weights": 2 * copies,
        "log-probabilities": wide * rows * s.vocabulary,
        "ids and targets": 8 * (2 * rows + s.tokens) + wide,
    }
