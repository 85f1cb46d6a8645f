"""Selective checkpointing: which results are worth keeping.

Run:  python -m experiments.recomputation.selective --tokens 512

Look at `selective_checkpoint`: a policy is asked about each operation of a block and says whether its result is kept
or computed again. "Keep every matmul" sounds right, since matmuls are what is slow to redo; but attention's scores are
the result of a matmul too, and they are the largest tensor of all. Compare the policies on a model that is mostly
attention and on one that is mostly MLP.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

from experiments.emit import Emit, Refused, main
from experiments.instruments.flops import count_flops
from experiments.instruments.watched import watched
from experiments.models import GPT, Wrap, batch_of, call, device
from tutor.formulas import gpt
from tutor.formulas import selective as theory

MIB = 2**20
LARGEST_HELD = 2**27
"""Bytes of activations a run is kept to."""

LINEARS = frozenset({torch.ops.aten.addmm.default, torch.ops.aten.mm.default})
MATMULS = LINEARS | {torch.ops.aten.bmm.default}
"""Batched products are attention's: queries by keys, which gives the scores, and weights by values."""


def selective_checkpoint(kept: frozenset[Any], block: nn.Module, x: Tensor) -> Tensor:
    """The technique itself: keep the results of the operations in `kept`, compute all others again in backward."""

    def policy(context: Any, operation: Any, *args: Any, **kwargs: Any) -> CheckpointPolicy:
        """Answer for one operation of the block."""
        return CheckpointPolicy.MUST_SAVE if operation in kept else CheckpointPolicy.PREFER_RECOMPUTE

    contexts = partial(create_selective_checkpoint_contexts, policy)
    out: Tensor = checkpoint(block, x, use_reentrant=False, context_fn=contexts)
    return out


def full_checkpoint(block: nn.Module, x: Tensor) -> Tensor:
    """No choice: keep the block's input, compute everything again."""
    out: Tensor = checkpoint(block, x, use_reentrant=False)
    return out


def wraps() -> dict[theory.Policy, Wrap]:
    """Return how each policy calls a block."""
    return {
        "none": call,
        "full": full_checkpoint,
        "matmuls": partial(selective_checkpoint, MATMULS),
        "linears": partial(selective_checkpoint, LINEARS),
    }


def shapes(params: dict[str, Any]) -> dict[str, gpt.Shape]:
    """Return the two models: long sequences, many heads and a thin MLP; short ones, few heads and a thick MLP."""
    layers, tokens = params["layers"], params["tokens"]
    return {
        "attention": gpt.Shape(layers, width=64, heads=8, tokens=tokens, batch=2, vocabulary=64, mlp=1),
        "MLP": gpt.Shape(layers, width=128, heads=4, tokens=64, batch=4, vocabulary=64, mlp=params["mlp"]),
    }


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says. Raises Refused where the scores would fill too much memory."""
    models = shapes(params)
    largest = theory.saved_bytes(models["attention"], "none")
    if largest > LARGEST_HELD:
        ask = f"These sizes hold {largest / MIB:.0f} MiB of activations and a run is kept to {LARGEST_HELD / MIB:.0f}"
        raise Refused(f"{ask}; choose fewer tokens or layers.")
    counted = "what is kept, and the matmuls that are done again, counted (tutor.formulas.selective)"
    for model, shape in models.items():
        for policy in ("full", "matmuls", "linears"):
            left = theory.saved_bytes(shape, policy) / theory.saved_bytes(shape, "none")
            again = theory.flops_ratio(shape, policy)
            for name, value in (("held", left), ("FLOPs ratio", again)):
                yield {"name": f"{name}, {model}, {policy}", "op": "~", "value": value, "unit": "x", "source": counted}
    left = theory.saved_bytes(models["attention"], "matmuls") / largest
    for name, choice, source in (
        (
            "left with all matmuls kept",
            share_of(left),
            "the scores are a matmul's result: hT/d of the units a block saves",
        ),
        ("peak with all matmuls kept", "higher", "the scores are kept, and softmax's result is computed beside them"),
    ):
        yield {"name": name, "op": "==", "value": choice, "unit": "choice", "source": source}


def share_of(ratio: float) -> str:
    """Return the share that is left, as the bet names it."""
    return "nearly-all" if ratio > 0.85 else "half" if ratio > 0.35 else "quarter" if ratio > 0.15 else "tenth"


@dataclass
class Step:
    """What one training step held after forward and at its peak, and its FLOPs."""

    held: int
    peak: int
    flops: int


def train_step(shape: gpt.Shape, seed: int, wrap: Wrap, draw: Any) -> Step:
    """Run one step under the ledger and one under the FLOP counter."""
    torch.manual_seed(seed)
    model, (ids, targets) = GPT(shape).to(device()), batch_of(shape, seed)
    with watched(model, draw, 2 * shape.layers + 1) as seen:
        seen.ledger.phase = "forward"
        loss = model(ids, targets, wrap)
        held = seen.above
        seen.ledger.phase = "backward"
        loss.backward()
    return Step(held, seen.peak, count_flops(lambda: model(ids, targets, wrap).backward()))


def run(params: dict[str, Any], emit: Emit) -> None:
    """Measure every policy on both models, relative to no checkpointing."""
    for model, shape in shapes(params).items():
        steps: dict[str, Step] = {}
        for policy, wrap in wraps().items():
            curve = f"{model}, {policy}"
            emit.series(curve, f"live MiB above parameters and gradients: {curve}", "operation", "MiB", "MiB")
            steps[policy] = train_step(shape, params["seed"], wrap, partial(emit.point, curve))
            tell(model, policy, shape, steps[policy], steps["none"], emit)
        if model == "attention":
            judge(steps, emit)


def tell(model: str, policy: theory.Policy, shape: gpt.Shape, step: Step, plain: Step, emit: Emit) -> None:
    """Report one policy's step beside the plain one, and hold it against the closed forms."""
    held, peak, flops = step.held / plain.held, step.peak / plain.peak, step.flops / plain.flops
    emit.row("policies", model=model, keeps=policy, held=round(held, 3), peak=round(peak, 3), FLOPs=round(flops, 3))
    emit.measure(f"bytes held, {model}, {policy}", step.held, "B", "ledger after forward")
    emit.measure(f"FLOPs, {model}, {policy}", step.flops, "FLOP", "FlopCounterMode")
    emit.claim(f"bytes held, {model}, {policy}", step.held, "~", theory.saved_bytes(shape, policy), tolerance=0.03)
    if policy != "none":
        emit.measure(f"held, {model}, {policy}", held, "x", "ledger after forward")
        emit.measure(f"peak, {model}, {policy}", peak, "x", "ledger")
        emit.measure(f"FLOPs ratio, {model}, {policy}", flops, "x", "FlopCounterMode")
        again = theory.replayed_flops(shape, policy)
        emit.claim(f"FLOPs done again, {model}, {policy}", step.flops - plain.flops, "==", again)


def judge(steps: dict[str, Step], emit: Emit) -> None:
    """Settle the bets on the model that is mostly attention."""
    plain, matmuls, linears = steps["none"], steps["matmuls"], steps["linears"]
    emit.measure("left with all matmuls kept", share_of(matmuls.held / plain.held), "choice", "ledger after forward")
    order = (matmuls.peak > 1.02 * plain.peak) - (matmuls.peak < 0.98 * plain.peak)
    emit.measure("peak with all matmuls kept", ("equal", "higher", "lower")[order], "choice", "ledger")
    emit.claim("peak, all matmuls kept, against plain", matmuls.peak, ">", plain.peak)
    emit.claim("peak, linears kept, against plain", linears.peak, "<", plain.peak)


if __name__ == "__main__":
    main(__file__, predict, run)
