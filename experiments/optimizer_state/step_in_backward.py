"""The optimizer's step inside backward: each gradient is used and freed as soon as it exists.

Run:  python -m experiments.optimizer_state.step_in_backward

Look at `step_in_backward`: a hook on each weight that runs when its gradient is complete, steps an optimizer made for that
weight alone, and frees the gradient. The usual loop holds all gradients at the end of backward, 4 bytes a parameter; here
one at a time is alive, and the weights come out the same to the last bit. What no longer works are things that want all
gradients at once: clipping by their global norm, and accumulating over micro-batches. Untested on CUDA.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from experiments.emit import Emit, Refused, main
from experiments.instruments.ledger import Curve, Ledger, Point
from experiments.models import GPT, batch_of, device, shape_of
from experiments.recomputation.checkpoint import full_checkpoint
from tutor.formulas import gpt
from tutor.formulas import optimizer as formulas

MIB = 2**20
LARGEST_PEAK = 300 * MIB
SOURCE = "16 or 12 bytes a parameter and what one step holds for a while (tutor.formulas.optimizer)"


def step_in_backward(model: nn.Module) -> None:
    """The technique itself: step and free each gradient in the hook that runs once it is complete."""
    engines = {weight: torch.optim.AdamW([weight], lr=1e-3, foreach=False) for weight in model.parameters()}

    def step_and_free(weight: Tensor) -> None:
        """Use the gradient and let go of it."""
        engines[weight].step()
        weight.grad = None

    for weight in model.parameters():
        weight.register_post_accumulate_grad_hook(step_and_free)


@dataclass
class Trained:
    """What training one way was seen to do in its second step."""

    peak: int
    gradients: int
    weights: list[Tensor]
    moved: bool


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield peaks and gradients in flight. Raises Refused for batches that do not split and for large models."""
    shape, parts = shape_of(params), params["micro_batches"]
    if shape.batch % parts:
        raise Refused(f"A batch of {shape.batch} does not split into {parts}; choose a divisor of the batch.")
    after, within = expected_peak(params, in_backward=False), expected_peak(params, in_backward=True)
    if after > LARGEST_PEAK:
        ask = f"These sizes ask for {after / MIB:.0f} MiB and a run is kept to {LARGEST_PEAK / MIB:.0f}"
        raise Refused(f"{ask}; choose fewer layers or a smaller width, vocabulary or batch.")
    shapes = gpt.parameter_shapes(shape)
    for name, in_backward in (("after backward", False), ("in backward", True)):
        gradients = formulas.gradient_in_flight_bytes(shapes, in_backward)
        yield {"name": f"gradients, {name}", "op": "==", "value": gradients, "unit": "B", "source": SOURCE}
        peak = expected_peak(params, in_backward)
        yield {"name": f"peak, {name}", "op": "~", "value": peak, "unit": "B", "source": SOURCE}
    yield {"name": "peak ratio", "op": "~", "value": within / after, "unit": "x", "source": SOURCE}
    weights = "equal" if parts == 1 else "differ"
    for name, choice in (("gradients held", "largest"), ("weights", weights)):
        yield {"name": name, "op": "==", "value": choice, "unit": "choice", "source": SOURCE}


def expected_peak(params: dict[str, Any], in_backward: bool) -> float:
    """Return the peak of the second step: 16 bytes a parameter and the step's temporaries, or 12, the temporaries and
    what a checkpointed backward holds above weights and gradients, the gradient in flight included."""
    shape = shape_of(params)
    held = formulas.step_temporary_bytes(gpt.parameter_shapes(shape), foreach=False)
    activations = gpt.peak_bytes(replace(shape, batch=shape.batch // params["micro_batches"]), checkpointed=True)
    bare = 12 * gpt.parameter_count(shape)
    if in_backward:
        return bare + activations + held
    return bare + 4 * gpt.parameter_count(shape) + held


def train(params: dict[str, Any], in_backward: bool, emit: Emit) -> Trained:
    """Take two steps. The first makes the optimizer's state; the second, with all state there, is measured."""
    shape, parts, name = shape_of(params), params["micro_batches"], "in backward" if in_backward else "after backward"
    torch.manual_seed(params["seed"])
    model = GPT(shape).to(device())
    usual = None if in_backward else torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=False)
    gradients = 0

    def watch(point: Point) -> None:
        """Note the most bytes of gradients after any operation."""
        nonlocal gradients
        gradients = max(gradients, ledger.by_category["gradient"])
        curve(point)

    emit.series(name, f"live MiB, step {name}", "operation", "MiB", "MiB")
    curve = Curve(lambda point: emit.point(name, point[0], point[1] / MIB, point[2]), 60 * shape.layers)
    ledger = Ledger(on_point=watch)
    with ledger:
        ledger.register_training(model)  # its hooks come first: they name a gradient before it is used and freed
        if in_backward:
            step_in_backward(model)
        for number in range(2):
            ids, targets = batch_of(shape, params["seed"] + number)
            if number:
                ledger.peak = gradients = 0
            for part, wanted in zip(ids.chunk(parts), targets.chunk(parts), strict=True):
                ledger.phase = "forward"
                loss = model(part, wanted, full_checkpoint) / parts
                ledger.phase = "backward"
                loss.backward()
                del loss
            ledger.phase = "optimizer.step"
            if usual is not None:
                usual.step()
                usual.zero_grad()
    curve.flush()
    weights = [p.detach().clone() for p in model.parameters()]
    torch.manual_seed(params["seed"])
    fresh = GPT(shape).to(device()).parameters()
    return Trained(ledger.peak, gradients, weights, not all(map(torch.equal, weights, fresh)))


def run(params: dict[str, Any], emit: Emit) -> None:
    """Train with the step after backward, then within it, and compare."""
    shapes = gpt.parameter_shapes(shape_of(params))
    after, within = train(params, False, emit), train(params, True, emit)
    for name, trained in (("after backward", after), ("in backward", within)):
        emit.measure(f"gradients, {name}", trained.gradients, "B", "ledger")
        emit.measure(f"peak, {name}", trained.peak, "B", "ledger")
    largest = max(weight.nbytes for weight in within.weights)
    held = {0: "none", largest: "largest", after.gradients: "all"}.get(within.gradients, "some")
    same = "equal" if all(map(torch.equal, after.weights, within.weights)) else "differ"
    weights = same if within.moved else "frozen"
    ratio = within.peak / after.peak
    emit.measure("peak ratio", ratio, "x", "ledger")
    emit.measure("gradients held", held, "choice", "ledger")
    emit.measure("weights", weights, "choice", "torch.equal")

    emit.claim("gradients, after", after.gradients, "==", formulas.gradient_in_flight_bytes(shapes, in_backward=False))
    emit.claim("gradients, in backward", within.gradients, "==", formulas.gradient_in_flight_bytes(shapes, True))
    emit.claim("peak, after backward", after.peak, "~", expected_peak(params, False), tolerance=0.02)
    emit.claim("peak, in backward", within.peak, "~", expected_peak(params, True), tolerance=0.04)
    emit.claim("peak ratio", ratio, "<", 0.9)
    emit.claim("weights", weights, "==", "equal" if params["micro_batches"] == 1 else "differ")


if __name__ == "__main__":
    main(__file__, predict, run)
