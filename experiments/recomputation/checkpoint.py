"""Activation checkpointing on a small GPT: what it saves, and what it makes you pay.

Run:  python -m experiments.recomputation.checkpoint --layers 24

Look at `full_checkpoint`: one call. Autograd then keeps a block's input alone and runs the block again in backward. Watch the
memory curve change its shape, the block calls double, and the gradients stay the same to the last bit. FLOPs grow by less than
the calls suggest: backward never needed most of what a step computes twice, and the replay stops early.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from experiments.emit import Emit, main
from experiments.instruments.flops import count_flops
from experiments.instruments.ledger import Ledger, thinned
from experiments.instruments.saved import saved_for_backward
from experiments.models import GPT, Wrap, batch_of, call, device
from tutor.formulas import gpt

SOURCE = "closed form of a GPT's saved tensors and FLOPs (tutor.formulas.gpt)"


def full_checkpoint(block: nn.Module, x: Tensor) -> Tensor:
    """The technique itself: keep the input of the block, forget the rest until backward asks."""
    out: Tensor = checkpoint(block, x, use_reentrant=False)
    return out


@dataclass
class Step:
    """What one training step was seen to do."""

    saved: int
    peak: int
    calls: int
    flops: int
    gradients: list[Tensor]


def shape_of(params: dict[str, Any]) -> gpt.Shape:
    """Return the model's dimensions."""
    return gpt.Shape(params["layers"], params["width"], params["heads"], params["tokens"], params["batch"], params["vocabulary"])


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says, before anything runs."""
    shape = shape_of(params)
    plain, kept = gpt.saved_bytes(shape), gpt.saved_bytes(shape, checkpointed=True)
    for name, value, unit in (
        ("saved, plain", plain, "B"),
        ("saved, checkpointed", kept, "B"),
        ("saved ratio", kept / plain, "x"),
        ("block calls, plain", shape.layers, "calls"),
        ("block calls, checkpointed", 2 * shape.layers, "calls"),
        ("FLOPs ratio", gpt.flops_ratio(shape), "x"),
    ):
        yield {"name": name, "op": "~", "value": value, "unit": unit, "source": SOURCE}
    yield {"name": "what changes", "op": "==", "value": "memory-and-time", "unit": "choice", "source": "Chen et al. 2016"}
    yield {"name": "block calls change", "op": "==", "value": "double", "unit": "choice", "source": "each block runs again in backward"}
    yield {"name": "saved order", "op": "==", "value": order_of(kept / plain), "unit": "choice", "source": SOURCE}


def order_of(ratio: float) -> str:
    """Return the order of magnitude of what is left, as the bet names it."""
    return "all" if ratio > 0.75 else "half" if ratio > 0.25 else "tenth" if ratio > 0.005 else "none"


def train_step(params: dict[str, Any], wrap: Wrap, curve: str, emit: Emit) -> Step:
    """Run one step three times over the same numbers: for its memory, for what it saves, and for its FLOPs."""
    torch.manual_seed(params["seed"])
    model = GPT(params["layers"], params["width"], params["heads"], params["tokens"], params["vocabulary"]).to(device())
    ids, targets = batch_of(params["batch"], params["tokens"], params["vocabulary"], params["seed"])
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)  # gradients exist already: the peak is about activations

    ledger = Ledger()
    ledger.register_training(model)
    base = ledger.live
    with ledger:
        ledger.phase = "forward"
        loss = model(ids, targets, wrap)
        ledger.phase = "backward"
        loss.backward()
    del loss
    for operation, live, phase in thinned(ledger.points, 60):
        emit.point(curve, operation, (live - base) / 2**20, phase)
    calls = model.calls
    gradients = [parameter.grad.clone() for parameter in model.parameters() if parameter.grad is not None]

    with saved_for_backward(model) as saved:
        loss = model(ids, targets, wrap)
    del loss
    flops = count_flops(lambda: model(ids, targets, wrap).backward())
    return Step(saved.bytes, ledger.peak - base, calls, flops, gradients)


def run(params: dict[str, Any], emit: Emit) -> None:
    """Measure a plain step and a checkpointed one, and compare."""
    emit.series("plain", "live MiB above parameters and gradients, plain", "operation", "MiB", "MiB")
    plain = train_step(params, call, "plain", emit)
    emit.series("checkpointed", "live MiB above parameters and gradients, checkpointed", "operation", "MiB", "MiB")
    kept = train_step(params, full_checkpoint, "checkpointed", emit)
    shape = shape_of(params)

    for which, step in (("plain", plain), ("checkpointed", kept)):
        emit.measure(f"saved, {which}", step.saved, "B", "saved_tensors_hooks")
        emit.measure(f"peak, {which}", step.peak, "B", "ledger")
        emit.measure(f"block calls, {which}", step.calls, "calls", "counter")
        emit.measure(f"FLOPs, {which}", step.flops, "FLOP", "FlopCounterMode")
    saved_ratio, flops_ratio = kept.saved / plain.saved, kept.flops / plain.flops
    equal = all(torch.equal(a, b) for a, b in zip(plain.gradients, kept.gradients, strict=True))
    emit.measure("saved ratio", saved_ratio, "x", "saved_tensors_hooks")
    emit.measure("FLOPs ratio", flops_ratio, "x", "FlopCounterMode")
    emit.measure("saved order", order_of(saved_ratio), "choice", "saved_tensors_hooks")
    emit.measure("block calls change", {1: "same", 2: "double", 4: "quadruple"}.get(kept.calls // plain.calls, "half"), "choice", "counter")
    emit.measure("what changes", what_changed(saved_ratio, flops_ratio, equal), "choice", "all of the above")

    emit.claim("saved, plain", plain.saved, "~", gpt.saved_bytes(shape), tolerance=0.01)
    emit.claim("saved, checkpointed", kept.saved, "~", gpt.saved_bytes(shape, checkpointed=True), tolerance=0.01)
    emit.claim("saved ratio", saved_ratio, "<", 0.5)
    emit.claim("peak ratio", kept.peak / plain.peak, "<", 0.75)
    emit.claim("block calls, checkpointed", kept.calls, "==", 2 * plain.calls)
    emit.claim("FLOPs ratio", flops_ratio, "~", gpt.flops_ratio(shape), tolerance=0.01)
    emit.claim("gradients equal to the last bit", str(equal).lower(), "==", "true")


def what_changed(saved_ratio: float, flops_ratio: float, equal: bool) -> str:
    """Return the choice that came true."""
    if not equal:
        return "accuracy"
    return "memory-and-time" if saved_ratio < 0.9 and flops_ratio > 1.0 else "nothing"


if __name__ == "__main__":
    main(__file__, predict, run)
