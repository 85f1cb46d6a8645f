"""What one transformer layer saves for backward, term by term, against a closed form that you can do in your head.

Run:  python -m experiments.saved_tensors.activation_formula --tokens 64

Look at the table: the formula's bytes and the measured bytes of each term are equal. Beside them stands the count of
Korthikanti et al., sbh(34 + 5as/h) in fp16: the same terms, with dropout, and with masks of one byte an element. The
CPU keeps masks at full width, so with dropout the quadratic part here is 6as/h in 2-byte precision (untested on CUDA).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch

from experiments.emit import Emit, Refused, main
from experiments.instruments.graph import Kept, kept_for_backward
from experiments.instruments.saved import saved_for_backward
from experiments.models import Block, device, shape_of
from tutor.formulas.gpt import Shape
from tutor.formulas.saved_tensors import layer_terms, paper_terms

MIB = 2**20
LARGEST = 256 * MIB
"""Bytes of saved tensors a run is kept to, at twice the tokens."""
WIDTHS = {"float32": 4, "bfloat16": 2}
PARTS = {
    "scores": ("scores", "attention dropout"),
    "mlp": ("MLP input", "GELU input", "GELU output", "MLP dropout mask"),
    "projections": ("qkv input", "q, k, v", "projection input"),
    "norms": ("norm inputs", "norm statistics"),
}


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says, before anything runs. Raises Refused for what does not fit or would materialise unseen."""
    if params["dropout"] and params["attention"] == "sdpa":
        raise Refused("Fused attention with dropout materialises its scores on the CPU; choose scores, or no dropout.")
    shape, width = layer_of(params), WIDTHS[params["precision"]]
    once, twice = (sum(layer_terms(s, width).values()) for s in (shape, replace(shape, tokens=2 * shape.tokens)))
    if twice > LARGEST:
        ask = f"At twice the tokens this layer keeps {twice / MIB:.0f} MiB and a run stops at {LARGEST // MIB}"
        raise Refused(f"{ask}; choose fewer tokens or heads, or a smaller batch.")
    counted = "one term for each derivative (tutor.formulas.saved_tensors)"
    for term, count in layer_terms(shape, width).items():
        yield {"name": term, "op": "==", "value": count, "unit": "B", "source": counted}
    for name, op, value, unit in (
        ("saved", "==", once, "B"),
        ("saved at twice the tokens", "==", twice, "B"),
        ("twice the tokens / once", "~", twice / once, "x"),
        ("largest part", "==", largest_part(layer_terms(shape, width)), "choice"),
        ("growth with the tokens", "==", growth(twice / once), "choice"),
    ):
        yield {"name": name, "op": op, "value": value, "unit": unit, "source": counted}


def layer_of(params: dict[str, Any]) -> Shape:
    """Return the dimensions of the layer. Raises Refused where heads do not fit the width or it is huge."""
    shape = shape_of(params | {"layers": 1, "vocabulary": 1})
    return replace(shape, attention=params["attention"], dropout=params["dropout"])


def largest_part(terms: dict[str, int]) -> str:
    """Return the part of the layer that keeps the most."""
    return max(PARTS, key=lambda part: sum(terms[term] for term in PARTS[part]))


def growth(ratio: float) -> str:
    """Return how the saved bytes answer to twice the tokens, as the bet names it."""
    if ratio < 1.98:
        return "less"
    return "double" if ratio < 2.02 else "between" if ratio < 3.96 else "quadruple"


def terms_of(kept: list[Kept]) -> dict[str, int]:
    """Return the measured bytes of each term: rows of the graph, in the order of the forward pass, by what they are."""
    names = {
        "LayerNorm.input": ["norm inputs"] * 2,
        "LayerNorm.result1": ["norm statistics"] * 2,
        "LayerNorm.result2": ["norm statistics"] * 2,
        "Addmm.mat1": ["qkv input", "projection input", "MLP input", "GELU output"],
        "Bmm.self": ["q, k, v", "attention dropout"],  # what multiplies v: the scores themselves without dropout
        "Bmm.mat2": ["q, k, v"] * 2,
        "Softmax.result": ["scores"],
        "Mul.other": ["attention dropout", "MLP dropout mask"],
        "Gelu.self": ["GELU input"],
    }
    fused = {"key": "q, k, v", "query": "q, k, v", "value": "q, k, v", "output": "projection input"}
    fused["logsumexp"] = "scores"
    names |= {f"ScaledDotProductFlashAttentionForCpu.{name}": [term] for name, term in fused.items()}
    terms = dict.fromkeys((term for part in PARTS.values() for term in part), 0)
    for row in kept:
        if row.tag in ("new", "shared"):
            terms[names[f"{row.operation}.{row.name}"].pop(0)] += row.counted
    return terms


def measure(shape: Shape, params: dict[str, Any]) -> tuple[dict[str, int], int]:
    """Run one layer forward; return the bytes of each term from the graph, and what hooks count in all."""
    torch.manual_seed(params["seed"])
    dtype = getattr(torch, params["precision"])
    block = Block(shape, 0.1 if shape.dropout else 0.0).to(device(), dtype)
    x = torch.randn(shape.batch, shape.tokens, shape.width, device=device(), dtype=dtype, requires_grad=True)
    with saved_for_backward(block) as saved:
        out = block(x)
    return terms_of(kept_for_backward(out, block)), saved.bytes


def run(params: dict[str, Any], emit: Emit) -> None:
    """Measure the layer over a growing number of tokens, and compare each term at the chosen one."""
    shape, width = layer_of(params), WIDTHS[params["precision"]]
    emit.series("saved", "saved MiB of one layer", "tokens", "MiB", "MiB")
    totals = {}
    for tokens in (shape.tokens // 4, shape.tokens // 2, shape.tokens, 2 * shape.tokens):
        terms, hooked = measure(replace(shape, tokens=tokens), params)
        totals[tokens] = sum(terms.values())
        emit.point("saved", tokens, totals[tokens] / MIB)
        if tokens == shape.tokens:
            seen, by_hooks = terms, hooked
    paper = paper_terms(shape)
    for term, formula in layer_terms(shape, width).items():
        emit.row("one layer", term=term, formula=formula, measured=seen[term], paper=paper.get(term, 0))
        emit.measure(term, seen[term], "B", "graph")
        emit.claim(term, seen[term], "==", formula)

    once, twice = totals[shape.tokens], totals[2 * shape.tokens]
    emit.measure("saved", once, "B", "graph")
    emit.measure("saved, by hooks", by_hooks, "B", "saved_tensors_hooks")
    emit.measure("saved at twice the tokens", twice, "B", "graph")
    emit.measure("twice the tokens / once", twice / once, "x", "graph")
    emit.measure("largest part", largest_part(seen), "choice", "graph")
    emit.measure("growth with the tokens", growth(twice / once), "choice", "graph")
    sbh = shape.batch * shape.tokens * shape.width
    emit.note(
        f"In units of tokens·batch·width: {once / sbh:.4g} bytes here, {sum(paper.values()) / sbh:.4g} in the paper."
    )

    emit.claim("saved, by hooks", by_hooks, "==", once)
    for tokens, total in totals.items():
        emit.claim(
            f"saved at {tokens} tokens", total, "==", sum(layer_terms(replace(shape, tokens=tokens), width).values())
        )


if __name__ == "__main__":
    main(__file__, predict, run)
