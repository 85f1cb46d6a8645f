"""One training step's live memory, by category: in which phase does it peak, and what is the peak made of?

Run:  python -m experiments.saved_tensors.memory_timeline --model checkpointed --optimizer adamw-foreach

Look at the curves from left to right. Activations climb through forward, double back at the loss and fall through backward;
gradients climb while they fall; the optimizer's state is flat, and its step adds temporaries on top. Which of the three
phases is highest depends on the model and on the optimizer: `phase_peaks` and `Moment` in tutor.formulas.timeline say how.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

from experiments.emit import Emit, Refused, main
from experiments.instruments.ledger import Curve, Ledger, Point
from experiments.models import GPT, Wrap, batch_of, call, device, shape_of
from experiments.recomputation.checkpoint import full_checkpoint
from tutor.formulas.gpt import Shape
from tutor.formulas.timeline import Moment, moments, phase_peaks

MIB = 2**20
MARGIN = 1.05
"""How far the highest must stand above the second for a bet to be fair."""
LARGEST_PEAK = 2**28
SOURCE = "sums of parameters, gradients, state and activations at each moment (tutor.formulas.timeline)"
MODELS: dict[str, tuple[int, Wrap]] = {
    "plain": (4096, call),
    "checkpointed": (512, full_checkpoint),
    "wide-vocabulary": (16384, full_checkpoint),
}
"""Vocabulary, and how blocks are called."""
OPTIMIZERS: dict[str, Callable[[Any], torch.optim.Optimizer]] = {
    "sgd": lambda weights: torch.optim.SGD(weights, lr=0.01, foreach=False),
    "adamw": lambda weights: torch.optim.AdamW(weights, lr=1e-3, foreach=False),
    "adamw-foreach": lambda weights: torch.optim.AdamW(weights, lr=1e-3, foreach=True),  # what CUDA takes by default
}
CATEGORIES = {
    "parameter": "parameters",
    "gradient": "gradients",
    "optimizer state": "optimizer-state",
    "activation": "activations",
}
"""The ledger's words, and those of the bet."""


@dataclass
class Peak:
    """The peak of a step: its phase, its largest category, the kind of tensor that made it, and each phase's own peak."""

    phase: str
    largest: str
    tensor: str
    phases: dict[str, int]


def shape_and_moments(params: dict[str, Any]) -> tuple[Shape, list[Moment]]:
    """Return the model's dimensions and the moments of its step by theory, the highest first."""
    shape = shape_of(params | {"vocabulary": MODELS[params["model"]][0]})
    found = moments(shape, params["model"] != "plain", params["optimizer"], params["first_step"])
    return shape, sorted(found, key=lambda moment: -moment.total)


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says. Raises Refused where two phases or two categories are too close for a fair bet."""
    _, (highest, *others) = shape_and_moments(params)
    if highest.total > LARGEST_PEAK:
        ask = f"This step asks for {highest.total / MIB:.0f} MiB and a run is kept to {LARGEST_PEAK / MIB:.0f}"
        raise Refused(f"{ask}; choose fewer layers or tokens, or a smaller batch or width.")
    phases = phase_peaks([highest, *others])
    (first, second), (largest, next_largest) = list(phases.items())[:2], highest.largest[:2]
    if first[1] < MARGIN * second[1]:
        ask = f"The peaks of two phases lie within 5 %: {first[0]}, {second[0]}"
        raise Refused(f"{ask}; choose another optimizer or model, or more tokens.")
    if largest[0] < MARGIN * next_largest[0]:
        ask = f"At the peak two categories lie within 5 %: {largest[1]}, {next_largest[1]}"
        raise Refused(f"{ask}; choose another optimizer or model, or more tokens.")
    for phase, peak in phases.items():
        yield {"name": f"peak, {phase}", "op": "~", "value": peak, "unit": "B", "source": SOURCE}
    for name, choice in (
        ("phase of the peak", first[0]),
        ("largest part of the peak", largest[1]),
        ("tensor of the peak", highest.tensor),
    ):
        yield {"name": name, "op": "==", "value": choice, "unit": "choice", "source": SOURCE}


def train_step(params: dict[str, Any], emit: Emit) -> Peak:
    """Run one step under the ledger; before it, unless it is to be the first, another one that makes the state."""
    shape, wrap = shape_and_moments(params)[0], MODELS[params["model"]][1]
    torch.manual_seed(params["seed"])
    model = GPT(shape).to(device())
    optimizer = OPTIMIZERS[params["optimizer"]](model.parameters())
    ids, targets = batch_of(shape, params["seed"])
    if not params["first_step"]:
        model(ids, targets, wrap).backward()
        optimizer.step()
        optimizer.zero_grad()  # sets gradients to None

    def draw(point: Point) -> None:
        """Send one point of each category's curve."""
        held = ledger.category_points[point[0] - 1]
        for category in CATEGORIES:
            emit.point(category, point[0], held.get(category, 0) / MIB, point[2])

    ledger = Ledger(on_point=(curve := Curve(draw, 5 * shape.layers)))
    ledger.register_training(model, optimizer)
    with ledger:
        ledger.phase = "forward"
        loss = model(ids, targets, wrap)
        ledger.phase = "backward"
        loss.backward()
        del loss
        ledger.phase = "optimizer.step"
        optimizer.step()
    curve.flush()
    phases = {
        phase.removeprefix("optimizer."): max(live for _, live, at in ledger.points if at == phase)
        for phase in ("forward", "backward", "optimizer.step")
    }
    operation, tensor = ledger.peak_operation.split(".")[1], " x ".join(map(str, ledger.peak_tensor[0]))
    emit.row("peak", phase=ledger.peak_phase, operation=operation, tensor=tensor, MiB=ledger.peak / MIB)
    largest = max(CATEGORIES, key=lambda category: ledger.peak_by_category[category])
    kind = kind_of(ledger.peak_operation, ledger.peak_tensor[0], shape)
    return Peak(ledger.peak_phase.removeprefix("optimizer."), CATEGORIES[largest], kind, phases)


def kind_of(operation: str, tensor: tuple[int, ...], s: Shape) -> str:
    """Return what the operation's tensor is, as the bet names it."""
    if "gelu" in operation:
        return "hidden"
    if len(tensor) == 4:  # batch, heads, tokens, tokens
        return "scores"
    return "logits" if tensor == (s.batch * s.tokens, s.vocabulary) else "weight"


def run(params: dict[str, Any], emit: Emit) -> None:
    """Draw the step and compare its peak with theory."""
    for category in CATEGORIES:
        emit.series(category, f"live MiB, {category}", "operation", "MiB", "MiB")
    peak = train_step(params, emit)
    for phase, held in peak.phases.items():
        emit.measure(f"peak, {phase}", held, "B", "ledger")
    emit.measure("phase of the peak", peak.phase, "choice", "ledger")
    emit.measure("largest part of the peak", peak.largest, "choice", "ledger")
    emit.measure("tensor of the peak", peak.tensor, "choice", "ledger")

    theory = {prediction["name"]: prediction["value"] for prediction in predict(params)}
    for phase, held in peak.phases.items():
        emit.claim(f"peak, {phase}", held, "~", theory[f"peak, {phase}"], tolerance=0.02)
    emit.claim("phase of the peak", peak.phase, "==", theory["phase of the peak"])
    emit.claim("largest part of the peak", peak.largest, "==", theory["largest part of the peak"])
    emit.claim("tensor of the peak", peak.tensor, "==", theory["tensor of the peak"])


if __name__ == "__main__":
    main(__file__, predict, run)
