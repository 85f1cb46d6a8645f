"""LoRA on a small GPT: what adapters shrink, what they leave, and what packing the frozen weights to 4 bits adds.

Run:  python -m experiments.optimizer_state.lora --rank 16

Look at `Adapted`: the weight is frozen, and two thin matrices beside it learn. Gradients and optimizer state shrink
with the trainable parameters. Activations stay: backward still runs through every block, and an adapter reads the very
input its Linear read. Then look at `Packed`: the weights are there as 4-bit codes and are spelled out for a moment only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from experiments.emit import Emit, Refused, main
from experiments.instruments.saved import saved_for_backward
from experiments.models import GPT, batch_of, device, shape_of
from tutor.formulas import gpt, lora

MODES = {
    "full": ("none", False),
    "all Linears": ("all", False),
    "qkv only": ("qkv", False),
    "all Linears, 4-bit": ("all", True),
}
"""The runs: the places of their adapters, and whether the Linears are packed."""
LINEARS = {"qkv": ("attention", "qkv"), "out": ("attention", "out"), "up": ("mlp", "0"), "down": ("mlp", "2")}
"""Where a block keeps its Linears."""


class Adapted(nn.Module):
    """The technique itself: W is frozen and B·A learns beside it. B begins at zero, so nothing changes at first."""

    def __init__(self, base: nn.Module, d_in: int, d_out: int, rank: int) -> None:
        super().__init__()
        self.base = base
        self.a = nn.Linear(d_in, rank, bias=False, device=device())
        self.b = nn.Linear(rank, d_out, bias=False, device=device())
        nn.init.zeros_(self.b.weight)

    def forward(self, x: Tensor) -> Tensor:
        return self.base(x) + self.b(self.a(x))


def pack(weight: Tensor, block: int) -> tuple[Tensor, Tensor]:
    """Return 4-bit codes, two to a byte, and one fp16 scale for each `block` of weights."""
    blocks = weight.detach().reshape(-1, block)
    scales = (blocks.abs().amax(1, keepdim=True) / 7).half()
    codes = ((blocks / scales.float()).round().clamp(-7, 7) + 8).to(torch.uint8).flatten()
    return codes[0::2] << 4 | codes[1::2], scales


def unpack(codes: Tensor, scales: Tensor, shape: torch.Size) -> Tensor:
    """Return the weights that the codes stand for, in fp32."""
    signed = torch.stack([codes >> 4, codes & 15], dim=1).float() - 8
    return (signed.view(scales.shape[0], -1) * scales.float()).view(shape)


class Multiply(torch.autograd.Function):
    """x·Wᵀ with packed W. Backward unpacks again: kept as a saved tensor, W would be back in fp32 all the while."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, codes: Tensor, scales: Tensor, shape: torch.Size) -> Tensor:
        ctx.save_for_backward(codes, scales)
        ctx.shape = shape
        return x @ unpack(codes, scales, shape).T

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, None, None]:
        """Return the gradient of x alone."""
        return grads[0] @ unpack(*ctx.saved_tensors, ctx.shape), None, None, None


def multiply(x: Tensor, codes: Tensor, scales: Tensor, shape: torch.Size) -> Tensor:
    """Return x·Wᵀ for packed W."""
    out: Tensor = Multiply.apply(x, codes, scales, shape)
    return out


class Packed(nn.Module):
    """A frozen Linear whose weight is packed; its bias stays as it is."""

    def __init__(self, linear: nn.Linear, block: int) -> None:
        super().__init__()
        codes, scales = pack(linear.weight, block)
        self.register_buffer("codes", codes)
        self.register_buffer("scales", scales)
        self.shape, self.bias = linear.weight.shape, linear.bias

    def forward(self, x: Tensor) -> Tensor:
        return multiply(x, self.codes, self.scales, self.shape) + self.bias


def freeze(model: nn.Module) -> None:
    """Take every parameter out of training."""
    model.requires_grad_(False)


def adapt(model: GPT, mode: str, rank: int, block: int) -> int:
    """Freeze a GPT, pack its blocks' Linears or not, put adapters in their places; return bytes of those Linears."""
    places, packed = MODES[mode]
    if places != "none":
        freeze(model)
    held = 0
    for layer in model.blocks:
        for name, (part, key) in LINEARS.items():
            parent = getattr(layer, part)
            linear = getattr(parent, key)
            base = Packed(linear, block) if packed else linear
            held += base.codes.nbytes + base.scales.nbytes if packed else base.weight.nbytes
            adapted = name in lora.PLACES[places]
            setattr(parent, key, Adapted(base, linear.in_features, linear.out_features, rank) if adapted else base)
    return held


def train_step(shape: gpt.Shape, params: dict[str, Any], mode: str) -> dict[str, float]:
    """Run one step with AdamW from the same seed; return what is held at its end, and the loss."""
    torch.manual_seed(params["seed"])
    model = GPT(shape).to(device())
    weights = adapt(model, mode, params["rank"], params["block"])
    learning = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(learning)
    with saved_for_backward(model) as saved:
        loss = model(*batch_of(shape, params["seed"]))
    loss.backward()
    optimizer.step()
    return {
        "trainable": sum(p.numel() for p in learning),
        "gradients": sum(p.grad.nbytes for p in learning if p.grad is not None),
        "optimizer state": sum(t.nbytes for state in optimizer.state.values() for t in state.values()),
        "saved": saved.bytes,
        "Linear weights": weights,
        "loss": loss.item(),
    }


def theory(params: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Return what each mode should hold. Raises Refused where weights do not fill whole blocks."""
    shape, block = shape_of(params), params["block"]
    if shape.width**2 % block:
        ask = f"{shape.width} × {shape.width} weights do not fill blocks of {block}"
        raise Refused(f"{ask}; choose a multiple of 16 as width and a power of two as block.")
    fused = replace(shape, attention="sdpa")
    return {
        mode: lora.held(fused, places, params["rank"], block if packed else 0)
        for mode, (places, packed) in MODES.items()
    }


def compared(held: dict[str, dict[str, float]]) -> Iterator[tuple[str, float | str, str, str]]:
    """Yield what follows from the bytes of all modes: name, value, unit, and from what."""
    full, every, qkv, packed = held.values()
    saved, state = every["saved"] / full["saved"], every["optimizer state"] / full["optimizer state"]
    shrink = ("everything" if saved < 0.5 else "state") if state < 0.5 else "activations" if saved < 0.5 else "nothing"
    part = qkv["saved"] / full["saved"]
    order = "all" if part > 0.9 else "part" if part > 0.4 else "few" if part > 0.001 else "none"
    yield "saved ratio, all Linears", saved, "x", "saved, all Linears over full"
    yield "saved ratio, qkv only", part, "x", "saved, qkv only over full"
    yield "packing ratio", full["Linear weights"] / packed["Linear weights"], "x", "Linear weights, fp32 over 4-bit"
    yield "what shrinks", shrink, "choice", "optimizer state and saved, all Linears over full"
    yield "saved order, qkv only", order, "choice", "saved, qkv only over full"


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says. Raises Refused for shapes that do not fit together."""
    expected = theory(params)
    for mode, held in expected.items():
        for kind, value in held.items():
            unit, op = "count" if kind == "trainable" else "B", "~" if kind == "saved" else "=="
            yield {"name": f"{kind}, {mode}", "op": op, "value": value, "unit": unit, "source": "tutor.formulas.lora"}
    for name, result, unit, source in compared(expected):
        yield {"name": name, "op": "~" if unit == "x" else "==", "value": result, "unit": unit, "source": source}


def run(params: dict[str, Any], emit: Emit) -> None:
    """Take one step in each mode and compare what is held."""
    shape = replace(shape_of(params), attention="sdpa")
    held = {}
    for mode, expected in theory(params).items():
        held[mode] = train_step(shape, params, mode)
        emit.row("held at the end of a step", mode=mode, **held[mode])
        for kind, value in expected.items():
            unit, loose = "count" if kind == "trainable" else "B", kind == "saved"
            emit.measure(f"{kind}, {mode}", held[mode][kind], unit, "saved_tensors_hooks" if loose else "storages")
            emit.claim(f"{kind}, {mode}", held[mode][kind], "~" if loose else "==", value, 0.01 if loose else 0.0)
    for comparison in compared(held):
        emit.measure(*comparison)
    emit.claim("qkv only saves less than all Linears", held["qkv only"]["saved"], "<", held["all Linears"]["saved"])
    emit.claim("first loss with adapters", held["all Linears"]["loss"], "==", held["full"]["loss"])


if __name__ == "__main__":
    main(__file__, predict, run)
