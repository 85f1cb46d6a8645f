"""What each operation saves for backward, counted term by term, in elements or bytes.

Derived from the derivative of each operation and checked against autograd's graph (torch 2.13, CPU).
"""

from __future__ import annotations

from tutor.formulas.gpt import F32, Shape

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


def forward_peak_bytes(s: Shape) -> float:
    """Return the peak of a GPT's forward pass without a graph, in bytes above parameters: no term grows with the layers.

    The largest of three moments, in units of 4·B·T·d bytes: x, normed x, q, k, v and three copies of the scores, four
    with dropout (5 + 3hT/d); x, the branch and its norm, and the hidden layer twice (3 + 2f); logits and their
    log-softmax (2V/d). Measured exact but for the loss's few bytes (torch 2.13, CPU, materialised scores).
    """
    scores = 5 + (4 if s.dropout else 3) * s.heads * s.tokens / s.width
    return F32 * s.batch * s.tokens * s.width * max(scores, 3 + 2 * s.mlp, 2 * s.vocabulary / s.width)
