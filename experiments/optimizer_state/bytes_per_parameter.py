"""How many bytes of state an optimizer keeps for each parameter, before and after its first step.

Run:  python -m experiments.optimizer_state.bytes_per_parameter --optimizer momentum

Look at `state_bytes`: it walks over `optimizer.state` and adds up tensors, each storage once. Nothing is there before the
first step. After it an optimizer that keeps whole copies holds 4 bytes a parameter and copy, Adafactor a row and a column
a matrix, 8-bit Adam a byte a number. The last two rows train bf16 weights, alone and with an fp32 master copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from experiments.emit import Emit, main
from experiments.models import GPT, batch_of, device, shape_of
from experiments.optimizer_state.eight_bit import EightBitAdam
from tutor.formulas import gpt
from tutor.formulas import optimizer as formulas

Make = Callable[[Iterable[Tensor]], torch.optim.Optimizer]

OPTIMIZERS: dict[str, Make] = {
    "sgd": lambda w: torch.optim.SGD(w, lr=1e-3, foreach=False),
    "momentum": lambda w: torch.optim.SGD(w, lr=1e-3, momentum=0.9, foreach=False),
    "adagrad": lambda w: torch.optim.Adagrad(w, lr=1e-3, foreach=False),
    "rmsprop": lambda w: torch.optim.RMSprop(w, lr=1e-3, foreach=False),
    "adam": lambda w: torch.optim.Adam(w, lr=1e-3, foreach=False),
    "adamw": lambda w: torch.optim.AdamW(w, lr=1e-3, foreach=False),
    "amsgrad": lambda w: torch.optim.AdamW(w, lr=1e-3, amsgrad=True, foreach=False),
    "adafactor": lambda w: torch.optim.Adafactor(w, lr=1e-3, foreach=False),
    "8-bit-adam": lambda w: EightBitAdam(w, lr=1e-3),
}
NAMES = {0: "zero", 4: "four", 8: "eight", 12: "twelve"}
SOURCE = "copies a parameter (tutor.formulas.optimizer)"


def state_bytes(optimizer: torch.optim.Optimizer) -> int:
    """Return the bytes of all tensors in an optimizer's state, each storage once."""
    tensors = (t for state in optimizer.state.values() for t in state.values() if torch.is_tensor(t))
    return sum({t.untyped_storage().data_ptr(): t.untyped_storage().nbytes() for t in tensors}.values())


def named(bytes_per_parameter: float) -> str:
    """Return whole bytes a parameter in words, as the bets name them, or `less` where they are not whole."""
    near = round(bytes_per_parameter)
    return NAMES.get(near, "less") if abs(bytes_per_parameter - near) < 0.01 else "less"


def compared(mixed: float, full: float) -> str:
    """Return how the state of mixed precision compares with that of fp32."""
    ratio = mixed / full
    return "same" if abs(ratio - 1) < 0.01 else "smaller" if ratio < 1 else "larger"


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what the formulas say of each optimizer and recipe."""
    shape, asked = shape_of(params), params["optimizer"]
    shapes, count = gpt.parameter_shapes(shape), gpt.parameter_count(shape)
    for optimizer in OPTIMIZERS:
        state = formulas.held_state_bytes(shapes, optimizer)
        yield {"name": f"state, {optimizer}", "op": "==", "value": state, "unit": "B", "source": SOURCE}
    mixed = formulas.RECIPES["bf16-weights+bf16-grads+fp32-master-adamw"].total
    pure, full = formulas.RECIPES["pure-bf16-adamw"].total, formulas.RECIPES["fp32-adamw"].total
    source = "weights, gradients, master copy, moments (tutor.formulas.optimizer)"
    for name, total in (("fp32", full), ("bf16", pure), ("bf16 + fp32 master", mixed)):
        yield {"name": f"AdamW, {name}", "op": "~", "value": total, "unit": "B/param", "source": source}
    for name, value in (
        ("state before the first step", named(formulas.STATE_BYTES["adagrad"]) if asked == "adagrad" else "zero"),
        ("state of the optimizer", named(formulas.held_state_bytes(shapes, asked) / count)),
        ("mixed precision", compared(mixed, full)),
    ):
        yield {"name": name, "op": "==", "value": value, "unit": "choice", "source": SOURCE}


def run(params: dict[str, Any], emit: Emit) -> None:
    """Step each optimizer once, then AdamW under three recipes, and count what they hold."""
    shape, asked = shape_of(params), params["optimizer"]
    shapes = gpt.parameter_shapes(shape)
    torch.manual_seed(params["seed"])
    model = GPT(shape).to(device())
    count = sum(p.numel() for p in model.parameters())
    model(*batch_of(shape, params["seed"])).backward()

    before, after = {}, {}
    for name, make in OPTIMIZERS.items():
        optimizer = make(model.parameters())
        before[name] = state_bytes(optimizer)
        optimizer.step()
        after[name] = state_bytes(optimizer)
        per = after[name] / count
        emit.row("state", optimizer=name, before=before[name], after=after[name], state=per, total=8 + per)
        emit.measure(f"state, {name}", after[name], "B", "storages of optimizer.state")
    totals = recipes(model, count, emit)

    counter = "storages of optimizer.state"
    emit.measure("state before the first step", named(before[asked] / count), "choice", counter)
    emit.measure("state of the optimizer", named(after[asked] / count), "choice", counter)
    emit.measure("mixed precision", compared(totals["bf16 + fp32 master"], totals["fp32"]), "choice", "storages")

    # Adagrad alone fills its sums when it is made, since they may begin above zero.
    emit.claim("state before the first step, Adagrad left out", sum(before.values()) - before["adagrad"], "==", 0)
    for name, held in after.items():
        emit.claim(f"state, {name}", held, "==", formulas.held_state_bytes(shapes, name))
    for name, total in (("fp32", 16), ("bf16", 8), ("bf16 + fp32 master", 16)):
        emit.claim(f"AdamW, {name}", totals[name], "~", total, tolerance=0.001)


def recipes(model: nn.Module, count: int, emit: Emit) -> dict[str, float]:
    """Return bytes a parameter that AdamW training holds in fp32, in bf16, and in bf16 with an fp32 master copy."""
    totals = {}
    for name, low, master in (("fp32", False, False), ("bf16", True, False), ("bf16 + fp32 master", True, True)):
        weights = [p.detach().to(torch.bfloat16 if low else torch.float32) for p in model.parameters()]
        gradients = [torch.ones_like(w) for w in weights]
        updated = master_copy(weights) if master else weights
        for weight, gradient in zip(updated, gradients, strict=True):
            weight.grad = gradient.to(weight.dtype)
        optimizer = OPTIMIZERS["adamw"](updated)
        optimizer.step()
        held = sum(t.nbytes for t in (*weights, *gradients)) + state_bytes(optimizer)
        held += sum(t.nbytes for t in updated) if master else 0
        for weight in updated:
            weight.grad = None  # with a master copy: its fp32 gradients lived for this step alone
        totals[name] = held / count
        emit.row("recipes", recipe=name, total=totals[name])
        emit.measure(f"AdamW, {name}", totals[name], "B/param", "storages")
    return totals


def master_copy(weights: list[Tensor]) -> list[Tensor]:
    """Return fp32 copies of the weights: the optimizer updates these, and the bf16 weights are rounded from them."""
    return [weight.float() for weight in weights]


if __name__ == "__main__":
    main(__file__, predict, run)
