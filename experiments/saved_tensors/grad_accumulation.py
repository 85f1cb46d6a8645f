"""Gradient accumulation: one batch in k micro-batches, the same gradients, and a peak that falls about as 1/k.

Run:  python -m experiments.saved_tensors.grad_accumulation --micro-batches 8

Look at `accumulate`: one backward for each micro-batch, which frees its activations before the next forward begins; each
micro-batch's mean loss is divided by k, so that the sum of their gradients is the gradient of the whole batch's mean. Watch
the saw-tooth: k small mountains instead of a large one, on the same ground of parameters, gradients and optimizer state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from experiments.emit import Emit, Refused, main
from experiments.instruments.ledger import Curve, Ledger
from experiments.instruments.watched import give_gradients
from experiments.models import GPT, batch_of, device, shape_of
from tutor.formulas import gpt
from tutor.formulas.optimizer import moments_bytes

MIB = 2**20
LARGEST_PEAK = 2**28
ROUNDING, DOUBLE_ROUNDING = 1e-4, 1e-12
COUNTED = "saved tensors of a GPT with the micro-batch's size, counted (tutor.formulas.gpt)"


def accumulate(model: nn.Module, ids: Tensor, targets: Tensor, micro_batches: int, divide: bool = True) -> None:
    """The technique itself: a forward and a backward for each micro-batch; `.grad` sums what they bring."""
    for some_ids, some_targets in zip(ids.chunk(micro_batches), targets.chunk(micro_batches), strict=True):
        loss = model(some_ids, some_targets)
        (loss / micro_batches if divide else loss).backward()


@dataclass
class Step:
    """What one training step was seen to do: its peak above the ground, the ground by category, and the gradients."""

    peak: int
    ground: dict[str, int]
    gradients: list[Tensor]


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says. Raises Refused for micro-batches of unequal size and for sizes that are too large."""
    shape, k = shape_of(params), params["micro_batches"]
    if shape.batch % k:
        raise Refused(
            f"{shape.batch} sequences do not split into {k} equal micro-batches; choose a batch that {k} divides."
        )
    whole, split = gpt.peak_bytes(shape), gpt.peak_bytes(replace(shape, batch=shape.batch // k))
    if whole > LARGEST_PEAK:
        ask = f"The whole batch asks for {whole / MIB:.0f} MiB of activations and a run is kept to {LARGEST_PEAK / MIB:.0f}"
        raise Refused(f"{ask}; choose fewer layers or tokens, or a smaller batch.")
    for name, value, unit in (
        ("peak, whole batch", whole, "B"),
        ("peak, micro-batches", split, "B"),
        ("peak ratio", split / whole, "x"),
    ):
        yield {"name": name, "op": "~", "value": value, "unit": unit, "source": COUNTED}
    ground = 2 * gpt.F32 * gpt.parameter_count(shape) + moments_bytes(gpt.parameter_count(shape))
    source = "4 + 4 + 8 bytes a parameter (tutor.formulas.optimizer)"
    yield {"name": "parameters, gradients, state", "op": "~", "value": ground, "unit": "B", "source": source}
    scale = "mean of equal parts: the mean of their means"
    for name, choice, source in (
        ("what shrinks", "activations", COUNTED),
        ("gradients", "same" if params["divide"] else "times-k", scale),
    ):
        yield {"name": name, "op": "==", "value": choice, "unit": "choice", "source": source}
    yield {"name": "scale of gradients", "op": "~", "value": 1 if params["divide"] else k, "unit": "x", "source": scale}


def train_step(params: dict[str, Any], micro_batches: int, name: str, emit: Emit) -> Step:
    """Run a step of AdamW under the ledger, on a model whose gradients and optimizer state exist already."""
    shape, seed = shape_of(params), params["seed"]
    torch.manual_seed(seed)
    model = GPT(shape).to(device())
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=False)
    give_gradients(model)
    optimizer.step()  # makes the two moments
    ids, targets = batch_of(shape, seed)
    curve = Curve(lambda point: emit.point(name, point[0], point[1] / MIB, point[2]), 3 * shape.layers * micro_batches)
    ledger = Ledger(on_point=curve)
    ledger.register_training(model, optimizer)
    base, ledger.phase = ledger.live, "forward and backward"
    with ledger:
        accumulate(model, ids, targets, micro_batches, params["divide"] or micro_batches == 1)
    curve.flush()
    ground = {category: ledger.by_category[category] for category in ("parameter", "gradient", "optimizer state")}
    gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    return Step(ledger.peak - base, ground, gradients)


def gradients_in_double(params: dict[str, Any], micro_batches: int) -> list[Tensor]:
    """Return the gradients of a model of one block in fp64, whose rounding is 500 million times finer than fp32's."""
    shape = replace(shape_of(params), layers=1)
    torch.manual_seed(params["seed"])
    model = GPT(shape).to(device()).double()
    accumulate(model, *batch_of(shape, params["seed"]), micro_batches)
    return [parameter.grad for parameter in model.parameters() if parameter.grad is not None]


def run(params: dict[str, Any], emit: Emit) -> None:
    """Measure a step with the whole batch and one with micro-batches, and compare."""
    k, theory = params["micro_batches"], {p["name"]: p["value"] for p in predict(params)}
    emit.series("whole", "live MiB, whole batch", "operation", "MiB", "MiB")
    whole = train_step(params, 1, "whole", emit)
    emit.series("split", f"live MiB, {k} micro-batches", "operation", "MiB", "MiB")
    split = train_step(params, k, "split", emit)

    ratio, ground = split.peak / whole.peak, sum(split.ground.values())
    scale = float(norm(split.gradients) / norm(whole.gradients))
    difference = apart(split.gradients, whole.gradients)
    double = apart(gradients_in_double(params, k), gradients_in_double(params, 1))
    emit.measure("peak, whole batch", whole.peak, "B", "ledger")
    emit.measure("peak, micro-batches", split.peak, "B", "ledger")
    emit.measure("peak ratio", ratio, "x", "ledger")
    emit.measure("parameters, gradients, state", ground, "B", "ledger")
    emit.measure("what shrinks", what_shrinks(ratio, whole.ground, split.ground), "choice", "ledger")
    emit.measure("gradients", how_gradients_are(difference, scale, k), "choice", "subtraction")
    emit.measure("scale of gradients", scale, "x", "norms")
    emit.measure("relative difference of gradients, fp32", difference, "", "subtraction")
    emit.measure("relative difference of gradients, fp64, loss divided", double, "", "subtraction")

    emit.claim("peak, whole batch", whole.peak, "~", theory["peak, whole batch"], tolerance=0.03)
    emit.claim("peak, micro-batches", split.peak, "~", theory["peak, micro-batches"], tolerance=0.03)
    emit.claim("the ground is the same", ground, "==", sum(whole.ground.values()))
    emit.claim("parameters, gradients, state", ground, "~", theory["parameters, gradients, state"], tolerance=0.001)
    emit.claim("gradients", how_gradients_are(difference, scale, k), "==", theory["gradients"])
    emit.claim("gradients in fp64, loss divided", double, "<", DOUBLE_ROUNDING)


def norm(tensors: list[Tensor]) -> Tensor:
    """Return the norm of all of them together."""
    return torch.stack([tensor.norm() for tensor in tensors]).norm()


def apart(some: list[Tensor], others: list[Tensor]) -> float:
    """Return the norm of the differences over the norm of the others."""
    return float(norm([a - b for a, b in zip(some, others, strict=True)]) / norm(others))


def what_shrinks(ratio: float, whole: dict[str, int], split: dict[str, int]) -> str:
    """Return the choice that came true: activations alone, everything, or nothing."""
    ground_shrinks = sum(split.values()) < sum(whole.values())
    return "everything" if ground_shrinks else "activations" if ratio < 0.9 else "nothing"


def how_gradients_are(difference: float, scale: float, k: int) -> str:
    """Return the choice that came true: the same but for rounding, k times as large, or others."""
    if difference < ROUNDING:
        return "same"
    return "times-k" if abs(scale / k - 1) < ROUNDING else "other"


if __name__ == "__main__":
    main(__file__, predict, run)
