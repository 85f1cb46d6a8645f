"""Optimizer state kept off the device: what stays on it, and what each step sends over.

Run:  python -m experiments.optimizer_state.optimizer_offload --precision bf16

Look at `step_on_host`: gradients go down, AdamW runs beside its state on the host, new weights come up. A ledger for each
place counts bytes, and the link counts every tensor it carries. On a CPU the two places are labels, two ledgers over one
memory: bytes and copies are real, and a speed would not be. Untested on CUDA.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from experiments.emit import Emit, Refused, main
from experiments.instruments.ledger import Curve, Ledger
from experiments.models import GPT, batch_of, device, shape_of
from experiments.recomputation.checkpoint import full_checkpoint
from tutor.formulas import gpt
from tutor.formulas import optimizer as formulas

MIB = 2**20
LARGEST = 8_000_000
SOURCE = "bytes of weights, gradients, master copy and moments (tutor.formulas.optimizer)"
RECIPES = {"fp32": "fp32-adamw", "bf16": "bf16-weights+bf16-grads+fp32-master-adamw"}


class Link:
    """Carries tensors between the two places and counts their bytes."""

    def __init__(self) -> None:
        self.down_bytes = self.up_bytes = 0

    def down(self, tensor: Tensor) -> Tensor:
        """Copy a tensor of the device to the host."""
        self.down_bytes += tensor.nbytes
        return tensor.to("cpu", copy=True)

    def up(self, tensor: Tensor, onto: Tensor) -> None:
        """Copy a tensor of the host over one of the device."""
        self.up_bytes += tensor.nbytes
        onto.copy_(tensor)


Pairs = list[tuple[Tensor, Tensor]]
"""Each weight and the fp32 copy that AdamW updates; with fp32 on the device the weight itself."""


def pairs_of(model: nn.Module, offloaded: bool) -> Pairs:
    """Return the weights and their copies."""
    if not offloaded and next(model.parameters()).dtype == torch.float32:
        return [(weight, weight) for weight in model.parameters()]
    return [(weight, weight.detach().to("cpu", torch.float32, copy=True)) for weight in model.parameters()]


@torch.no_grad()
def step_on_host(pairs: Pairs, adamw: torch.optim.Optimizer, link: Link) -> None:
    """The technique itself: gradients down, the step beside its state, weights up."""
    for weight, copy in pairs:
        copy.grad = link.down(weight.grad).float()
        weight.grad = None
    adamw.step()
    for weight, copy in pairs:
        link.up(copy.to(weight.dtype), onto=weight)
        copy.grad = None


@torch.no_grad()
def step_on_device(pairs: Pairs, adamw: torch.optim.Optimizer) -> None:
    """The same arithmetic in one place: nothing is carried."""
    for weight, copy in pairs:
        if copy is not weight:
            copy.grad, weight.grad = weight.grad.float(), None
    adamw.step()
    for weight, copy in pairs:
        weight.copy_(copy)
        copy.grad = None


def place_of_state(offloaded: bool, device_ledger: Ledger, host_ledger: Ledger) -> Ledger:
    """Return the ledger of the place where copies and moments live and are updated."""
    return host_ledger if offloaded else device_ledger


@dataclass
class Trained:
    """What training one way was seen to hold, to carry in its last step, and to learn."""

    on_device: int
    on_host: int
    down: int
    up: int
    weights: list[Tensor]


def train(params: dict[str, Any], offloaded: bool, emit: Emit) -> Trained:
    """Take three steps. Bytes are read when the last backward ends: weights, gradients, copies and moments are all there."""
    shape, name = shape_of(params), "offloaded" if offloaded else "kept"
    emit.series(name, f"MiB on the device, state {name}", "operation", "MiB", "MiB")
    curve = Curve(lambda point: emit.point(name, point[0], point[1] / MIB, point[2]), 60 * shape.layers)
    on_device, on_host = Ledger(on_point=curve), Ledger()
    place = place_of_state(offloaded, on_device, on_host)
    torch.manual_seed(params["seed"])
    with on_device:
        model = GPT(shape).to(device(), torch.bfloat16 if params["precision"] == "bf16" else torch.float32)
        on_device.register_training(model)
    on_host.register(model.parameters(), "of the device")  # written to from the host, and not counted there
    place.phase = "optimizer.step"
    with place:
        pairs = pairs_of(model, offloaded)
        adamw = torch.optim.AdamW([copy for _, copy in pairs], lr=1e-3, foreach=False)
    for number in range(3):
        with on_device:
            on_device.phase = "forward"
            loss = model(*batch_of(shape, params["seed"] + number), full_checkpoint)
            on_device.phase = "backward"
            loss.backward()
            del loss
        held = [held_bytes(ledger) for ledger in (on_device, on_host)]
        link, place.phase = Link(), "optimizer.step"
        with place:
            step_on_host(pairs, adamw, link) if offloaded else step_on_device(pairs, adamw)
    curve.flush()
    return Trained(held[0], held[1], link.down_bytes, link.up_bytes, [p.detach().clone() for p in model.parameters()])


def held_bytes(ledger: Ledger) -> int:
    """Return the bytes of weights, gradients, copies and moments in one place; activations and buffers left out."""
    return sum(ledger.by_category[kind] for kind in ("parameter", "gradient", "optimizer state"))


def expected(params: dict[str, Any]) -> dict[str, float]:
    """Return what the formulas give: bytes on each side, and bytes a step sends each way."""
    shapes = gpt.parameter_shapes(shape_of(params))
    count, counters = gpt.parameter_count(shape_of(params)), 4 * len(shapes)
    recipe = formulas.RECIPES[RECIPES[params["precision"]]]
    both = (count, recipe.weights, recipe.gradients)
    down, up = formulas.offload_traffic_bytes(*both)
    return {
        "device, kept": recipe.total * count + counters,
        "device, offloaded": formulas.offload_device_bytes(*both),
        "host, offloaded": (4 + recipe.moments) * count + counters,
        "down a step": down,
        "up a step": up,
    }


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield bytes on each side and over the link. Raises Refused for models too large for two copies of all state."""
    count = gpt.parameter_count(shape_of(params))
    if count > LARGEST:
        ask = f"{count / 1e6:.0f} million parameters are too many, a run is kept to {LARGEST / 1e6:.0f}"
        raise Refused(f"{ask}; choose fewer layers or a smaller width or vocabulary.")
    theory = expected(params)
    for name, value in theory.items():
        yield {"name": name, "op": "==", "value": value, "unit": "B", "source": SOURCE}
    share = theory["device, offloaded"] / theory["device, kept"]
    yield {"name": "device share", "op": "~", "value": share, "unit": "x", "source": SOURCE}
    for name, choice in (("what crosses", "gradients-and-weights"), ("weights", "equal")):
        yield {"name": name, "op": "==", "value": choice, "unit": "choice", "source": SOURCE}


def what_crosses(trained: Trained, theory: dict[str, float]) -> str:
    """Return the choice that came true of what a step sends over the link."""
    if trained.down + trained.up == 0:
        return "nothing"
    both = trained.down + trained.up == theory["down a step"] + theory["up a step"]
    return "gradients-and-weights" if both else "gradients" if trained.up == 0 else "moments-too"


def run(params: dict[str, Any], emit: Emit) -> None:
    """Train with the state on the device, then on the host, and compare."""
    theory = expected(params)
    kept, offloaded = train(params, False, emit), train(params, True, emit)
    seen = (kept.on_device, offloaded.on_device, offloaded.on_host, offloaded.down, offloaded.up)
    measured = dict(zip(theory, seen, strict=True))
    for name, value in measured.items():
        emit.measure(name, value, "B", "counted copies" if "step" in name else "ledger of the place")
    for state, one in (("kept", kept), ("offloaded", offloaded)):
        emit.row("places", state=state, device=one.on_device, host=one.on_host, down=one.down, up=one.up)
    both = list(zip(kept.weights, offloaded.weights, strict=True))
    close = "close" if all(torch.allclose(a, b, rtol=1e-5, atol=1e-7) for a, b in both) else "differ"
    weights = "equal" if all(torch.equal(a, b) for a, b in both) else close
    emit.measure("device share", offloaded.on_device / kept.on_device, "x", "ledger of the place")
    emit.measure("what crosses", what_crosses(offloaded, theory), "choice", "counted copies")
    emit.measure("weights", weights, "choice", "torch.equal")
    for name, value in theory.items():
        emit.claim(name, measured[name], "==", value)
    emit.claim("weights", weights, "==", "equal")


if __name__ == "__main__":
    main(__file__, predict, run)
