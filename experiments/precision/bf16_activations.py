"""Autocast and saved bytes: bf16 is half as wide as fp32, and yet more than half of the bytes are left.

Run:  python -m experiments.precision.bf16_activations --batch 1 --tokens 16

Look at the column of autocast: matmuls run in bf16 and keep bf16 inputs, but the residual stream stays fp32, and with it
the inputs of the norms; so does the loss. And each Linear keeps a bf16 copy of its weight, which plain fp32 did not need:
with few tokens the copies outweigh all that is saved. (Softmax runs in bf16 on the CPU; CUDA keeps it fp32: untested.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import torch

from experiments.emit import Emit, Refused, main
from experiments.instruments.graph import Kept, kept_for_backward
from experiments.instruments.saved import saved_for_backward
from experiments.models import GPT, batch_of, device, shape_of
from tutor.formulas.gpt import Shape
from tutor.formulas.saved_tensors import gpt_terms

MIB = 2**20
LARGEST = 128 * MIB
"""Bytes of saved tensors a run is kept to."""
PRECISIONS = ("float32", "autocast", "bfloat16")
GROUPS = {"norms": "norm inputs", "linears": "Linear inputs", "attention": "attention", "loss": "log-probabilities"}


def cast_for_matmuls() -> AbstractContextManager[Any]:
    """The technique itself: inside, matmuls cast their operands to bf16; parameters stay what they are."""
    return torch.autocast(device().type, torch.bfloat16)


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says, before anything runs. Raises Refused for sizes that are too large for a run."""
    shape = shape_of(params)
    shape = replace(shape, attention=params["attention"])
    theory = {precision: gpt_terms(shape, precision) for precision in PRECISIONS}
    totals = {precision: sum(terms.values()) for precision, terms in theory.items()}
    if totals["float32"] > LARGEST:
        ask = f"These sizes keep {totals['float32'] / MIB:.0f} MiB in fp32 and a run stops at {LARGEST // MIB}"
        raise Refused(f"{ask}; choose fewer layers or tokens, or a smaller batch or vocabulary.")
    ratios = {precision: total / totals["float32"] for precision, total in totals.items()}
    counted = "what each operation keeps, and in which format (tutor.formulas.saved_tensors)"
    for precision, total in totals.items():
        yield {"name": f"saved, {precision}", "op": "==", "value": total, "unit": "B", "source": counted}
    in_fp32 = {group: theory["autocast"][term] for group, term in GROUPS.items() if group in ("norms", "loss")}
    for name, op, value, unit in (
        ("autocast / float32", "~", ratios["autocast"], "x"),
        ("bfloat16 / float32", "~", ratios["bfloat16"], "x"),
        ("left under autocast", "==", share_of(ratios["autocast"]), "choice"),
        ("most of what stays fp32", "==", max(in_fp32, key=lambda group: in_fp32[group]), "choice"),
        ("weights under autocast", "==", "copied", "choice"),
    ):
        yield {"name": name, "op": op, "value": value, "unit": unit, "source": counted}


def share_of(ratio: float) -> str:
    """Return how much is left beside fp32, as the bet names it."""
    if ratio < 0.51:
        return "half"
    return "between" if ratio < 0.99 else "same" if ratio < 1.01 else "more"


def term_of(row: Kept) -> str:
    """Return which term a row of the graph belongs to."""
    match row.operation, row.name:
        case "LayerNorm", "input":
            return "norm inputs"
        case "LayerNorm", _:
            return "norm statistics"
        case ("Addmm", "mat1") | ("Mm", "self") | (_, "output"):
            return "Linear inputs"
        case (("Addmm" | "Mm"), "mat2"):
            return "copies of weights"  # the weights themselves are parameters, and not counted
        case "Gelu", _:
            return "GELU inputs"
        case "LogSoftmax", _:
            return "log-probabilities"
        case (("Embedding" | "NllLoss"), _):
            return "ids and targets"
    return "attention"


def examine(shape: Shape, seed: int, precision: str) -> tuple[list[Kept], int, set[torch.dtype]]:
    """Run the forward pass; return what its graph keeps, what hooks count, and the formats of the parameters."""
    torch.manual_seed(seed)
    model = GPT(shape).to(device())
    if precision == "bfloat16":
        model = model.to(torch.bfloat16)
    ids, targets = (tensor.clone() for tensor in batch_of(shape, seed))  # of one sequence both are views of one storage
    with saved_for_backward(model) as saved, cast_for_matmuls() if precision == "autocast" else nullcontext():
        loss = model(ids, targets)
    return kept_for_backward(loss, model), saved.bytes, {parameter.dtype for parameter in model.parameters()}


def run(params: dict[str, Any], emit: Emit) -> None:
    """Run the same forward pass in three precisions, and list what is kept in which format."""
    shape = replace(shape_of(params), attention=params["attention"])
    seen: dict[str, Counter[str]] = {}
    for precision in PRECISIONS:
        kept, hooked, formats = examine(shape, params["seed"], precision)
        terms: Counter[str] = Counter()
        for row in kept:
            terms[term_of(row)] += row.counted
        seen[precision] = terms
        emit.event("saved", precision, f"{precision}: {terms.total() / MIB:.2f} MiB saved")
        emit.measure(f"saved, {precision}", terms.total(), "B", "graph")
        emit.claim(f"saved, {precision}", terms.total(), "==", sum(gpt_terms(shape, precision).values()))
        emit.claim(f"saved, {precision}, by hooks", hooked, "==", terms.total())
        if precision == "autocast":
            cast, weights = kept, formats
    for term in gpt_terms(shape, "autocast"):
        kinds = sorted({row.dtype for row in cast if term_of(row) == term and row.counted})
        emit.row("saved bytes", term=term, autocast_keeps=", ".join(kinds), **{p: seen[p][term] for p in PRECISIONS})
        emit.claim(f"{term}, autocast", seen["autocast"][term], "==", gpt_terms(shape, "autocast")[term])
    compare(emit, seen, cast, weights)


def compare(emit: Emit, seen: dict[str, Counter[str]], cast: list[Kept], weights: set[torch.dtype]) -> None:
    """State the ratios, what stays fp32 under autocast, and what became of the weights."""
    fp32 = seen["float32"].total()
    ratio, pure = (seen[precision].total() / fp32 for precision in ("autocast", "bfloat16"))
    stays = {
        group: sum(r.counted for r in cast if r.dtype == "float32" and term_of(r) == GROUPS[group]) for group in GROUPS
    }
    copied = seen["autocast"]["copies of weights"] > 0
    became = "converted" if weights != {torch.float32} else "copied" if copied else "untouched"
    emit.measure("autocast / float32", ratio, "x", "graph")
    emit.measure("bfloat16 / float32", pure, "x", "graph")
    emit.measure("left under autocast", share_of(ratio), "choice", "graph")
    emit.measure("most of what stays fp32", max(stays, key=lambda group: stays[group]), "choice", "graph")
    emit.measure("weights under autocast", became, "choice", "graph")
    emit.claim("bfloat16 / float32", pure, "~", 0.5, tolerance=0.01)
    emit.claim("autocast / float32", ratio, ">", pure)
    emit.claim("weights under autocast", became, "==", "copied")


if __name__ == "__main__":
    main(__file__, predict, run)
