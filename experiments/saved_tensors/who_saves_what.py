"""Which operation keeps which tensor for backward: autograd's graph, read node by node.

Run:  python -m experiments.saved_tensors.who_saves_what --block mlp --activation gelu

Look at the table: an operation keeps what its derivative needs. Two rows with the same storage number keep the same
bytes, and those are paid once. Then look at the activation: ReLU and tanh keep their output, which the next layer keeps
anyway; GELU and SiLU need their input, a tensor that nobody else wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from experiments.emit import Emit, Refused, main
from experiments.instruments.graph import Kept, kept_bytes, kept_for_backward, operation_name, operations
from experiments.instruments.saved import saved_for_backward
from experiments.models import Attention, device
from tutor.formulas.gpt import Shape
from tutor.formulas.saved_tensors import FORGETS_INPUT, block_elements

F32 = 4
MIB = 2**20
LARGEST = 256 * MIB
"""Bytes of saved tensors a run is kept to."""


def activation(name: str) -> nn.Module:
    """Return the activation: the one line that decides whether a hidden tensor is kept twice or once."""
    return {"relu": nn.ReLU, "tanh": nn.Tanh, "gelu": nn.GELU, "silu": nn.SiLU}[name]()


class Residual(nn.Module):
    """x + f(x)."""

    def __init__(self, *layers: nn.Module) -> None:
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.layers(x)


def build(params: dict[str, Any], name: str) -> nn.Module:
    """Return the block, with residual additions, and activation `name` where it has one."""
    width, hidden = params["width"], 4 * params["width"]
    attention = Attention(Shape(1, width, params["heads"], params["tokens"], params["batch"], 1))
    mlp = [nn.Linear(width, hidden), activation(name), nn.Linear(hidden, width)]
    match params["block"]:
        case "mlp":
            return Residual(*mlp)
        case "attention":
            return Residual(attention)
        case "conv":
            first, second = (nn.Conv1d(width, width, 3, padding=1) for _ in range(2))
            return Residual(first, nn.BatchNorm1d(width), activation(name), second)
    return nn.Sequential(Residual(nn.LayerNorm(width), attention), Residual(nn.LayerNorm(width), *mlp))


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says, before anything runs. Raises Refused where heads do not fit or too much would be kept."""
    if params["width"] % params["heads"]:
        ask = f"width {params['width']} does not split into {params['heads']} heads"
        raise Refused(f"{ask}; choose a multiple of {params['heads']}.")
    if theory_bytes(params, "gelu") > LARGEST:
        ask = f"This block would keep {theory_bytes(params, 'gelu') / MIB:.0f} MiB and a run stops at {LARGEST // MIB}"
        raise Refused(f"{ask}; choose fewer tokens or a smaller batch.")
    counted = "one term for each derivative (tutor.formulas.saved_tensors)"
    for name, op, value, unit in (
        ("saved", "==", theory_bytes(params, params["activation"]), "B"),
        ("saved with GELU / with ReLU", "~", theory_bytes(params, "gelu") / theory_bytes(params, "relu"), "x"),
        ("what the activation adds", "==", theory_adds(params), "choice"),
        ("residual additions keep", "==", "nothing", "choice"),
    ):
        yield {"name": name, "op": op, "value": value, "unit": unit, "source": counted}


def theory_bytes(params: dict[str, Any], name: str) -> int:
    """Return the bytes the block keeps with activation `name`, by the closed form."""
    rows = params["batch"] * params["tokens"]
    return F32 * block_elements(params["block"], rows, params["width"], params["heads"], params["tokens"], name)


def theory_adds(params: dict[str, Any]) -> str:
    """Return what theory says the activation adds; attention has softmax in its place, whose output is enough."""
    return "nothing" if params["block"] == "attention" or params["activation"] in FORGETS_INPUT else "input"


def what_it_adds(kept: list[Kept], operation: str) -> str:
    """Return what `operation` adds to what is kept: its input, its output, or nothing that no other operation keeps."""
    row = next(row for row in kept if row.operation == operation)
    if any(other.storage == row.storage for other in kept if other is not row):
        return "nothing"
    return "input" if row.name == "self" else "output"


def what_additions_keep(kept: list[Kept]) -> str:
    """Return what the residual additions keep, from their rows."""
    rows = [row for row in kept if row.operation == "Add"]
    return {0: "nothing", 1: "sum", 2: "inputs"}.get(len({row.name for row in rows}), "inputs")


def examine(params: dict[str, Any], name: str) -> tuple[list[Kept], int, list[str]]:
    """Run the block forward; return what its graph keeps, the bytes that hooks count, and the operations in order."""
    torch.manual_seed(params["seed"])
    shape = (params["batch"], params["tokens"], params["width"])
    if params["block"] == "conv":
        shape = (params["batch"], params["width"], params["tokens"])
    block = build(params, name).to(device())
    x = torch.randn(shape, device=device(), requires_grad=True)
    with saved_for_backward(block) as saved:
        out = block(x)
    return kept_for_backward(out, block), saved.bytes, [operation_name(node) for node in operations(out)]


def run(params: dict[str, Any], emit: Emit) -> None:
    """List what the chosen block keeps, then compare the same block with GELU and with ReLU."""
    name = params["activation"]
    emit.note("Addmm is a Linear and Bmm a batched matmul; #7 is the seventh storage, and a shared one is paid once.")
    kept, hooked, order = examine(params, name)
    for row in kept:
        size = "x".join(str(n) for n in row.shape)
        keeps, cells = f"{row.name} {size}", {"storage": f"#{row.storage} {row.tag}", "dtype": row.dtype}
        emit.row("kept for backward", operation=row.operation, keeps=keeps, **cells, bytes=row.counted)
    for _ in range(order.count("Add")):
        emit.row("kept for backward", operation="Add", keeps="nothing", storage="", dtype="", bytes=0)

    operation = {"relu": "Relu", "tanh": "Tanh", "gelu": "Gelu", "silu": "Silu"}[name]
    adds = what_it_adds(kept, "Softmax" if params["block"] == "attention" else operation)
    with_gelu, with_relu = (kept_bytes(examine(params, other)[0]) for other in ("gelu", "relu"))
    emit.measure("saved", kept_bytes(kept), "B", "graph")
    emit.measure("saved, by hooks", hooked, "B", "saved_tensors_hooks")
    emit.measure("operations in the graph", len(order), "calls", "graph")
    emit.measure("saved with GELU / with ReLU", with_gelu / with_relu, "x", "graph")
    emit.measure("what the activation adds", adds, "choice", "graph")
    emit.measure("residual additions keep", what_additions_keep(kept), "choice", "graph")

    emit.claim("saved", kept_bytes(kept), "==", theory_bytes(params, name))
    emit.claim("saved, by hooks", hooked, "==", kept_bytes(kept))
    emit.claim("saved with GELU", with_gelu, "==", theory_bytes(params, "gelu"))
    emit.claim("saved with ReLU", with_relu, "==", theory_bytes(params, "relu"))
    emit.claim("what the activation adds", adds, "==", theory_adds(params))
    emit.claim("residual additions keep", what_additions_keep(kept), "==", "nothing")


if __name__ == "__main__":
    main(__file__, predict, run)
