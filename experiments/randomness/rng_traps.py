"""Three traps that activation checkpointing leaves open, RNG stash and determinism check included.

Run:  python -m experiments.randomness.rng_traps --p 0.2

Each region below is checkpointed as it is by default. Look at what backward's replay does to it:
1. a mask from a `torch.Generator` of its own: the stash holds the default stream, so the replay draws another mask;
2. BatchNorm: the replay is a second forward, so the running statistics move twice;
3. the determinism check: it compares shape, dtype and device of what is rebuilt, never the values.
The stash of a CUDA device's stream is untested on CUDA.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import CheckpointError, checkpoint

from experiments.emit import Emit, main
from experiments.models import call, device
from tutor.formulas.dropout import mask_agreement
from tutor.formulas.replay import double_move

Region = Callable[..., Tensor]


def checkpointed(region: Region, x: Tensor) -> Tensor:
    """Checkpoint as it is by default: RNG state preserved, determinism check on."""
    out: Tensor = checkpoint(region, x, use_reentrant=False)
    return out


class OwnStream(nn.Module):
    """Linear, dropout with a mask from `generator` (None is torch's default stream), Linear."""

    def __init__(self, width: int, p: float, generator: torch.Generator | None) -> None:
        super().__init__()
        self.first, self.second, self.p, self.generator = nn.Linear(width, width), nn.Linear(width, width), p, generator
        self.masks: list[Tensor] = []

    def forward(self, x: Tensor) -> Tensor:
        hidden = self.first(x)
        mask = torch.rand(hidden.shape, generator=self.generator, device=hidden.device) >= self.p
        self.masks.append(mask)
        return self.second(hidden * mask / (1 - self.p))


class ChangedOnReplay(nn.Module):
    """A sine whose input is `change`d when it runs for the second time, as a replay that went astray."""

    def __init__(self, change: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.change, self.runs = change, 0

    def forward(self, x: Tensor) -> Tensor:
        self.runs += 1
        return (self.change(x * 1) if self.runs > 1 else x * 1).sin()


CHANGES: dict[str, Callable[[Tensor], Tensor]] = {
    "values": lambda x: x + torch.randn_like(x),
    "shape": lambda x: x[1:],
    "dtype": lambda x: x.double(),
}
"""What is wrong in the replay. The region itself is the same."""


def gradients(module: nn.Module, x: Tensor, wrap: Region) -> tuple[float, Tensor]:
    """Return the loss and all gradients, as one vector, of a step through `wrap`."""
    module.zero_grad()
    loss = wrap(module, x).square().mean()
    loss.backward()
    return loss.item(), torch.cat([p.grad.flatten() for p in module.parameters() if p.grad is not None])


def own_stream(params: dict[str, Any], own: bool) -> tuple[float, float, float]:
    """Return the share of mask positions that the replay repeats, the loss difference, and the gradients' error."""
    x = torch.randn(params["batch"], params["width"], device=device())
    steps = []
    for wrap in (call, checkpointed):
        torch.manual_seed(params["seed"])
        generator = torch.Generator(device()).manual_seed(params["seed"]) if own else None
        module = OwnStream(params["width"], params["p"], generator).to(device())
        steps.append((*gradients(module, x, wrap), module.masks))
    (right_loss, right, _), (loss, got, masks) = steps
    agree = (masks[0] == masks[-1]).float().mean().item()
    return agree, abs(loss - right_loss), float((got - right).norm() / right.norm())


def batch_norm(params: dict[str, Any], wrap: Region) -> tuple[int, float, Tensor]:
    """Return the updates BatchNorm counted in one step, how far its running mean moved, and the gradients."""
    torch.manual_seed(params["seed"])
    width = params["width"]
    norm = nn.BatchNorm1d(width, momentum=params["momentum"])
    module = nn.Sequential(nn.Linear(width, width), norm, nn.ReLU(), nn.Linear(width, width)).to(device())
    _, got = gradients(module, torch.randn(params["batch"], width, device=device()), wrap)
    assert norm.num_batches_tracked is not None and norm.running_mean is not None
    return int(norm.num_batches_tracked), float(norm.running_mean.norm()), got


def checked(params: dict[str, Any], change: Callable[[Tensor], Tensor]) -> str:
    """Return "error" where the determinism check stops a replay with this change, else "silent"."""
    x = torch.randn(params["batch"], params["width"], device=device(), requires_grad=True)
    try:
        checkpointed(ChangedOnReplay(change), x).sum().backward()
    except CheckpointError:
        return "error"
    return "silent"


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says."""
    two_draws, twice = "two independent draws: p² + (1-p)²", "backward runs the forward again"
    metadata = "shape, dtype and device are compared, values are not"
    for name, op, value, unit, source in (
        ("masks that agree, default stream", "==", 1.0, "fraction", "the stash holds the default stream"),
        ("masks that agree, own generator", "~", mask_agreement(params["p"]), "fraction", two_draws),
        ("gradient error, default stream", "==", 0.0, "", "the same mask is the same network"),
        ("gradient error, own generator", ">", 0.0, "", "another mask is another network"),
        ("own generator", "==", "silent", "choice", "the stash does not know of it"),
        ("BatchNorm updates, plain", "==", 1, "calls", "one forward"),
        ("BatchNorm updates, checkpointed", "==", 2, "calls", twice),
        ("running mean moved", "~", double_move(params["momentum"]), "x", "r ← (1-m)·r + m·batch, twice: 2 - m"),
        ("BatchNorm", "==", "twice", "choice", twice),
        ("what the check sees", "==", "metadata", "choice", metadata),
    ):
        yield {"name": name, "op": op, "value": value, "unit": unit, "source": source}


def run(params: dict[str, Any], emit: Emit) -> None:
    """Walk into the three traps, one after the other."""
    torch.manual_seed(params["seed"])
    fell = {"default stream": own_stream(params, own=False), "own generator": own_stream(params, own=True)}
    for name, (agree, loss_difference, error) in fell.items():
        emit.row("masks", stream=name, masks_agree=agree, loss_difference=loss_difference, gradient_error=error)
        emit.measure(f"masks that agree, {name}", agree, "fraction", "masks kept in the block")
        emit.measure(f"gradient error, {name}", error, "", "norm ratio")
    agree, loss_difference, error = fell["own generator"]
    emit.measure(
        "own generator",
        "loss" if loss_difference else "silent" if error else "replayed",
        "choice",
        "loss and gradients",
    )
    emit.claim("masks that agree, default stream", fell["default stream"][0], "==", 1.0)
    emit.claim("masks that agree, own generator", agree, "~", mask_agreement(params["p"]), tolerance=0.06)
    emit.claim("loss difference, own generator", loss_difference, "==", 0.0)
    emit.claim("gradient error, default stream", fell["default stream"][2], "==", 0.0)
    emit.claim("gradient error, own generator", error, ">", 0.1)

    (once, moved, right), (updates, moved_again, got) = (batch_norm(params, wrap) for wrap in (call, checkpointed))
    for name, count in (("plain", once), ("checkpointed", updates)):
        emit.measure(f"BatchNorm updates, {name}", count, "calls", "num_batches_tracked")
    emit.measure("running mean moved", moved_again / moved, "x", "norm ratio, checkpointed over plain")
    emit.measure("BatchNorm", {1: "once", 2: "twice"}.get(updates, "never"), "choice", "num_batches_tracked")
    emit.claim("BatchNorm updates, checkpointed", updates, "==", 2 * once)
    emit.claim("running mean moved", moved_again / moved, "~", double_move(params["momentum"]), tolerance=0.001)
    emit.claim("gradients with BatchNorm equal", str(torch.equal(right, got)).lower(), "==", "true")

    verdicts = {}
    for what, change in CHANGES.items():
        verdicts[what] = checked(params, change)
        emit.row("determinism check", replay_with_other=what, backward=verdicts[what])
        emit.claim(f"check, other {what}", verdicts[what], "==", "silent" if what == "values" else "error")
    emit.measure("what the check sees", sees(verdicts), "choice", "errors raised")


def sees(verdicts: dict[str, str]) -> str:
    """Return what the determinism check was seen to compare."""
    values, metadata = verdicts["values"] == "error", verdicts["shape"] == verdicts["dtype"] == "error"
    return "all" if values and metadata else "values" if values else "metadata" if metadata else "nothing"


if __name__ == "__main__":
    main(__file__, predict, run)
