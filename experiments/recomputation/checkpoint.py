"""Activation checkpointing on a small GPT: what it saves, and what it makes you pay.

Run:  python -m experiments.recomputation.checkpoint --layers 24

Look at `full_checkpoint`: one call. Autograd then keeps a block's input alone and runs the block again in backward.
Watch the memory curve change its shape, the block calls double, and the gradients stay the same to the last bit.
FLOPs grow by less than the calls suggest: a forward is one third of a step, and the replay stops before a block's
last Linear. At the end the same step runs with early stop off and in the reentrant variant, which both replay all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint, set_checkpoint_early_stop

from experiments.emit import Emit, Refused, main
from experiments.instruments.flops import count_flops
from experiments.instruments.saved import Saved, saved_for_backward
from experiments.instruments.watched import watched
from experiments.models import GPT, Wrap, batch_of, call, device, shape_of
from tutor.formulas import gpt

MIB = 2**20
LARGEST_PEAK = 2**30  # bytes of activations a run is kept to


def full_checkpoint(block: nn.Module, x: Tensor) -> Tensor:
    """The technique itself: keep the input of the block, forget the rest until backward asks."""
    out: Tensor = checkpoint(block, x, use_reentrant=False)
    return out


def early_stop_off(block: nn.Module, x: Tensor) -> Tensor:
    """The same, but the replay goes on after the last saved tensor exists: a block's last Linear, which none needs."""
    with set_checkpoint_early_stop(False):
        return full_checkpoint(block, x)


def reentrant(block: nn.Module, x: Tensor) -> Tensor:
    """The older variant: forward under no_grad, and in backward the whole block once more with a backward of its own."""
    out: Tensor = checkpoint(block, x, use_reentrant=True)
    return out


@dataclass
class Step:
    """What one training step was seen to do."""

    saved: int
    peak: int
    calls: int
    flops: int
    gradients: list[Tensor]


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says, before anything runs. Raises Refused for sizes that are too large for a run."""
    shape = shape_of(params)
    peak = gpt.peak_bytes(shape)
    if peak > LARGEST_PEAK:
        ask = f"These sizes ask for {peak / MIB:.0f} MiB of activations and a run is kept to {LARGEST_PEAK / MIB:.0f}"
        raise Refused(f"{ask}; choose fewer layers or tokens, or a smaller batch or vocabulary.")
    plain, kept = gpt.saved_bytes(shape), gpt.saved_bytes(shape, checkpointed=True)
    whole = gpt.step_flops(shape, checkpointed=True, early_stop=False) / gpt.step_flops(shape)
    counted = "saved tensors and FLOPs of a GPT, counted (tutor.formulas.gpt)"
    for name, value, unit in (
        ("saved, plain", plain, "B"),
        ("saved, checkpointed", kept, "B"),
        ("saved ratio", kept / plain, "x"),
        ("peak, plain", peak, "B"),
        ("peak, checkpointed", gpt.peak_bytes(shape, checkpointed=True), "B"),
        ("FLOPs ratio", gpt.flops_ratio(shape), "x"),
        ("FLOPs ratio, early stop off", whole, "x"),
        ("FLOPs ratio, reentrant", whole, "x"),
    ):
        yield {"name": name, "op": "~", "value": value, "unit": unit, "source": counted}
    again = "each block runs again in backward"
    for name, number in (("block calls, plain", shape.layers), ("block calls, checkpointed", 2 * shape.layers)):
        yield {"name": name, "op": "==", "value": number, "unit": "calls", "source": again}
    for name, choice, source in (
        ("what changes", "memory-and-time", "Chen et al. 2016"),
        ("block calls change", "double", again),
        ("saved order", order_of(kept / plain), counted),
        ("whole blocks again", "off-and-reentrant", "early stop ends a replay at the last saved tensor"),
    ):
        yield {"name": name, "op": "==", "value": choice, "unit": "choice", "source": source}


def order_of(ratio: float) -> str:
    """Return the order of magnitude of what is left, as the bet names it."""
    return "all" if ratio > 0.75 else "half" if ratio > 0.25 else "tenth" if ratio > 0.005 else "none"


def train_step(shape: gpt.Shape, seed: int, wrap: Wrap, name: str, emit: Emit) -> Step:
    """Run the same step twice: under the ledger for its memory, then for what it saves and its FLOPs."""
    torch.manual_seed(seed)
    model = GPT(shape).to(device())
    ids, targets = batch_of(shape, seed)
    # A block is about a hundred operations, forward and backward: this draws some sixty points, as they happen.
    with watched(model, partial(emit.point, name), 2 * shape.layers + 1) as seen:
        seen.ledger.phase = "forward"
        loss = model(ids, targets, wrap)
        seen.ledger.phase = "backward"
        loss.backward()
    del loss
    calls = model.calls
    gradients = [parameter.grad.clone() for parameter in model.parameters() if parameter.grad is not None]

    saved = Saved()

    def step() -> None:
        nonlocal saved
        with saved_for_backward(model) as saved:
            loss = model(ids, targets, wrap)
        loss.backward()

    flops = count_flops(step)
    return Step(saved.bytes, seen.peak, calls, flops, gradients)


def run(params: dict[str, Any], emit: Emit) -> None:
    """Measure a plain step and a checkpointed one, and compare."""
    shape, seed = shape_of(params), params["seed"]
    above = "live MiB above parameters and gradients"
    emit.series("plain", f"{above}, plain", "operation", "MiB", "MiB")
    plain = train_step(shape, seed, call, "plain", emit)
    emit.series("checkpointed", f"{above}, checkpointed", "operation", "MiB", "MiB")
    kept = train_step(shape, seed, full_checkpoint, "checkpointed", emit)

    for which, step in (("plain", plain), ("checkpointed", kept)):
        emit.measure(f"saved, {which}", step.saved, "B", "saved_tensors_hooks")
        emit.measure(f"peak, {which}", step.peak, "B", "ledger")
        emit.measure(f"block calls, {which}", step.calls, "calls", "counter")
        emit.measure(f"FLOPs, {which}", step.flops, "FLOP", "FlopCounterMode")
    saved_ratio, flops_ratio = kept.saved / plain.saved, kept.flops / plain.flops
    times = {1: "same", 2: "double", 4: "quadruple"}.get(kept.calls // plain.calls, "half")
    equal = all(torch.equal(a, b) for a, b in zip(plain.gradients, kept.gradients, strict=True))
    emit.measure("saved ratio", saved_ratio, "x", "saved_tensors_hooks")
    emit.measure("FLOPs ratio", flops_ratio, "x", "FlopCounterMode")
    emit.measure("saved order", order_of(saved_ratio), "choice", "saved_tensors_hooks")
    emit.measure("block calls change", times, "choice", "counter")
    emit.measure("what changes", what_changed(saved_ratio, flops_ratio, equal), "choice", "all of the above")

    emit.claim("saved, plain", plain.saved, "~", gpt.saved_bytes(shape), tolerance=0.01)
    emit.claim("saved, checkpointed", kept.saved, "~", gpt.saved_bytes(shape, checkpointed=True), tolerance=0.01)
    emit.claim("saved ratio", saved_ratio, "<", 0.5)
    emit.claim("peak, checkpointed", kept.peak, "~", gpt.peak_bytes(shape, checkpointed=True), tolerance=0.05)
    emit.claim("peak ratio", kept.peak / plain.peak, "<", 0.75)
    emit.claim("block calls, checkpointed", kept.calls, "==", 2 * plain.calls)
    emit.claim("FLOPs ratio", flops_ratio, "~", gpt.flops_ratio(shape), tolerance=0.01)
    emit.claim("gradients equal to the last bit", str(equal).lower(), "==", "true")
    compare_variants(shape, seed, plain, kept, emit)


def compare_variants(shape: gpt.Shape, seed: int, plain: Step, kept: Step, emit: Emit) -> None:
    """Count the other two variants, and tell which replay all of a block: their extra FLOPs are the blocks' forward."""
    torch.manual_seed(seed)
    model, (ids, targets) = GPT(shape).to(device()), batch_of(shape, seed)
    forward = count_flops(lambda: model.hidden(ids))  # embeddings and norms have no matmuls: these are the blocks'
    added = {
        "default": kept.flops - plain.flops,
        "early stop off": count_flops(lambda: model(ids, targets, early_stop_off).backward()) - plain.flops,
        "reentrant": count_flops(lambda: model(ids, targets, reentrant).backward()) - plain.flops,
    }
    for name, flops in added.items():
        emit.row("variants", variant=name, FLOPs_added=flops, share_of_blocks_forward=round(flops / forward, 3))
    for name in ("early stop off", "reentrant"):
        emit.measure(f"FLOPs ratio, {name}", 1 + added[name] / plain.flops, "x", "FlopCounterMode")
        emit.claim(f"FLOPs added, {name}", added[name], "==", forward)
    last = gpt.step_flops(shape, True, early_stop=False) - gpt.step_flops(shape, True)
    emit.claim("FLOPs of the last Linears, which early stop leaves out", forward - added["default"], "==", last)
    whole = {name for name, flops in added.items() if flops == forward}
    both = whole == {"early stop off", "reentrant"}
    choice = "off-and-reentrant" if both else {0: "none", 3: "all"}.get(len(whole), "one")
    emit.measure("whole blocks again", choice, "choice", "FlopCounterMode")


def what_changed(saved_ratio: float, flops_ratio: float, equal: bool) -> str:
    """Return the choice that came true."""
    if not equal:
        return "accuracy"
    return "memory-and-time" if saved_ratio < 0.9 and flops_ratio > 1.0 else "nothing"


if __name__ == "__main__":
    main(__file__, predict, run)
