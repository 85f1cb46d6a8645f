"""Attention over longer and longer sequences: materialised scores against the fused kernel. A parabola and a line.

Run:  python -m experiments.attention.attention_memory --tokens 2048

Look at the two curves. Materialised attention keeps heads·tokens·tokens scores a sequence for backward. The fused kernel
keeps q, k, v, its output, and one log-sum-exp a row and head, from which backward computes the scores again, tile by
tile. The outputs agree to the rounding of fp32. (On the CPU's kernel; untested on CUDA, where several kernels compete.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from experiments.emit import Emit, Refused, main
from experiments.instruments.graph import Kept, kept_bytes, kept_for_backward
from experiments.instruments.ledger import Ledger
from experiments.instruments.saved import saved_for_backward
from experiments.models import Attention, device, shape_of
from tutor.formulas.gpt import F32, Shape
from tutor.formulas.saved_tensors import attention_elements, fused_attention_elements

MIB = 2**20
LARGEST = 128 * MIB
"""Bytes of saved tensors a run is kept to."""
TOLERANCE = 1e-5
"""Largest difference of outputs and gradients: sums in another order, nothing else."""


@dataclass
class Step:
    """What one forward and backward of attention was seen to do."""

    kept: list[Kept]
    hooked: int
    peak: int
    out: Tensor
    gradient: Tensor


def attention(shape: Shape, fused: bool) -> Attention:
    """Return attention in one of the two ways: the technique is the choice of the kernel."""
    return Attention(replace(shape, attention="sdpa" if fused else "scores"))


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says, before anything runs. Raises Refused for sizes that are too large for a run."""
    shape = shape_of(params | {"layers": 1, "vocabulary": 1})
    if shape.tokens % 8:
        raise Refused(f"{shape.tokens} tokens cannot be halved three times; choose a multiple of 8.")
    plain, fused = theory(shape, fused=False), theory(shape, fused=True)
    if plain > LARGEST:
        ask = f"The scores and what is around them take {plain / MIB:.0f} MiB and a run stops at {LARGEST // MIB}"
        raise Refused(f"{ask}; choose fewer tokens or heads, or a smaller batch.")
    half = replace(shape, tokens=shape.tokens // 2)
    counted = "5·N·d + h·T·N, and 5·N·d + h·N (tutor.formulas.saved_tensors)"
    for name, op, value, unit in (
        ("saved, materialised", "==", plain, "B"),
        ("saved, fused", "==", fused, "B"),
        ("scores kept", "==", F32 * shape.heads * shape.tokens**2 * shape.batch, "B"),
        ("materialised / fused", "~", plain / fused, "x"),
        ("scores at twice the tokens", "==", times(4), "choice"),
        ("fused at twice the tokens", "==", times(fused / theory(half, fused=True)), "choice"),
        ("what fused keeps of the scores", "==", "rows", "choice"),
    ):
        yield {"name": name, "op": op, "value": value, "unit": unit, "source": counted}


def theory(shape: Shape, fused: bool) -> int:
    """Return the bytes attention saves, by the closed form."""
    rows, width, heads = shape.batch * shape.tokens, shape.width, shape.heads
    if fused:
        return F32 * fused_attention_elements(rows, width, heads)
    return F32 * attention_elements(rows, width, heads, shape.tokens)


def times(ratio: float) -> str:
    """Return a growth factor as the bets name it."""
    names = {1.0: "same", 2.0: "double", 4.0: "quadruple", 8.0: "eightfold"}
    return names.get(round(ratio, 2), "between")


def step(shape: Shape, seed: int, fused: bool) -> Step:
    """Run attention forward and backward: once for what is kept, once under the ledger for its peak."""
    torch.manual_seed(seed)
    model = attention(shape, fused).to(device())
    x = torch.randn(shape.batch, shape.tokens, shape.width, device=device(), requires_grad=True)
    with saved_for_backward(model) as saved:
        out = model(x)
    kept = kept_for_backward(out, model)
    (gradient,) = torch.autograd.grad(out.square().sum(), x)

    ledger = Ledger()
    ledger.register_training(model)
    ledger.register([x], "input")
    base = ledger.live
    with ledger:
        torch.autograd.grad(model(x).square().sum(), x)
    return Step(kept, saved.bytes, ledger.peak - base, out.detach(), gradient)


def scores_bytes(kept: list[Kept]) -> int:
    """Return the bytes of scores that softmax keeps."""
    return sum(row.counted for row in kept if row.operation == "Softmax")


def kept_of_scores(kept: list[Kept]) -> str:
    """Return what is kept of the scores: all of them, one number a row, or nothing."""
    if scores_bytes(kept):
        return "all"
    return "rows" if any(row.name == "logsumexp" for row in kept) else "nothing"


def run(params: dict[str, Any], emit: Emit) -> None:
    """Measure both over a growing number of tokens, and compare them at the largest."""
    shape = shape_of(params | {"layers": 1, "vocabulary": 1})
    names = {False: "materialised", True: "fused"}
    for name in names.values():
        emit.series(name, f"saved MiB, {name}", "tokens", "MiB", "MiB")
    steps: dict[tuple[int, bool], Step] = {}
    for tokens in (shape.tokens // 8, shape.tokens // 4, shape.tokens // 2, shape.tokens):
        sized = replace(shape, tokens=tokens)
        for fused, name in names.items():
            one = steps[tokens, fused] = step(sized, params["seed"], fused)
            emit.point(name, tokens, kept_bytes(one.kept) / MIB)
            emit.claim(f"saved at {tokens} tokens, {name}", kept_bytes(one.kept), "==", theory(sized, fused))
    compare(emit, shape.tokens, steps)


def compare(emit: Emit, tokens: int, steps: dict[tuple[int, bool], Step]) -> None:
    """State bytes, growth, and how far outputs and gradients are apart."""
    plain, fused, half = steps[tokens, False], steps[tokens, True], tokens // 2
    for name, one in (("materialised", plain), ("fused", fused)):
        emit.measure(f"saved, {name}", kept_bytes(one.kept), "B", "graph")
        emit.measure(f"peak, {name}", one.peak, "B", "ledger")
        emit.claim(f"saved, {name}, by hooks", one.hooked, "==", kept_bytes(one.kept))
    scores, before = scores_bytes(plain.kept), scores_bytes(steps[half, False].kept)
    growth = kept_bytes(fused.kept) / kept_bytes(steps[half, True].kept)
    apart = max((a - b).abs().max().item() for a, b in ((plain.out, fused.out), (plain.gradient, fused.gradient)))
    emit.measure("scores kept", scores, "B", "graph")
    emit.measure("materialised / fused", kept_bytes(plain.kept) / kept_bytes(fused.kept), "x", "graph")
    emit.measure("scores at twice the tokens", times(scores / before), "choice", "graph")
    emit.measure("fused at twice the tokens", times(growth), "choice", "graph")
    emit.measure("what fused keeps of the scores", kept_of_scores(fused.kept), "choice", "graph")
    emit.measure("largest difference", apart, "", "torch")
    emit.claim("scores at twice the tokens", times(scores / before), "==", "quadruple")
    emit.claim("fused at twice the tokens", times(growth), "==", "double")
    emit.claim("what fused keeps of the scores", kept_of_scores(fused.kept), "==", "rows")
    emit.claim("peak, fused", fused.peak, "<", plain.peak)
    emit.claim("largest difference", apart, "<", TOLERANCE)


if __name__ == "__main__":
    main(__file__, predict, run)
