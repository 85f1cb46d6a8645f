"""Dropout inside a checkpoint: what happens when replay draws another mask.

Run:  python -m experiments.randomness.rng_replay --p 0.3

Look at the one argument, `preserve_rng_state`. With it, backward's replay draws the mask that forward drew and the
gradients equal the plain run's. Without it nothing complains: the loss was computed in forward and is the same, no
error is raised, and the gradients belong to a network with another mask. The stash that prevents it is small: one
state of the generator a checkpoint, whatever the size of the layer (on a CPU; untested on CUDA).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from experiments.emit import Emit, main
from experiments.models import device
from tutor.formulas.dropout import CPU_RNG_STATE_BYTES, mask_agreement, stash_bytes, visible_mask_agreement


class DropoutBlock(nn.Module):
    """Linear, ReLU, dropout, Linear; remembers what came out of the dropout each time it ran."""

    def __init__(self, width: int, p: float) -> None:
        super().__init__()
        self.first, self.second, self.p = nn.Linear(width, width), nn.Linear(width, width), p
        self.dropped: list[Tensor] = []
        self.zeros: list[float] = []

    def forward(self, x: Tensor) -> Tensor:
        active = self.first(x).relu()
        kept = nn.functional.dropout(active, self.p, self.training)
        self.dropped.append((kept != 0).detach())
        self.zeros.append(float((active == 0).float().mean()))
        return self.second(kept)


def replayed(block: nn.Module, x: Tensor) -> Tensor:
    """Checkpoint as it is by default: the RNG's state is stashed, and restored for the replay."""
    out: Tensor = checkpoint(block, x, use_reentrant=False, preserve_rng_state=True)
    return out


def not_replayed(block: nn.Module, x: Tensor) -> Tensor:
    """The same with the stash switched off: the replay draws whatever comes next."""
    out: Tensor = checkpoint(block, x, use_reentrant=False, preserve_rng_state=False)
    return out


def plain(block: nn.Module, x: Tensor) -> Tensor:
    """No checkpointing: the run that is right."""
    out: Tensor = block(x)
    return out


@dataclass
class Outcome:
    """One step: its loss, each block's gradients as one vector, and the share of masks that agree on replay."""

    loss: float
    gradients: list[Tensor]
    agreement: float
    zeros: float
    error: str


def step(params: dict[str, Any], wrap: Any) -> Outcome:
    """Run one training step from the same seed, every block called through `wrap`."""
    torch.manual_seed(params["seed"])
    blocks = nn.ModuleList(DropoutBlock(params["width"], params["p"]) for _ in range(params["blocks"])).to(device())
    x = torch.randn(params["batch"], params["width"], device=device())
    target = torch.randn(params["batch"], params["width"], device=device())
    error = ""
    loss = torch.zeros(())
    try:
        for block in blocks:
            x = wrap(block, x)
        loss = nn.functional.mse_loss(x, target)
        loss.backward()
    except RuntimeError as failure:
        error = str(failure)
    gradients = [torch.cat([gradient_of(weights).flatten() for weights in block.parameters()]) for block in blocks]
    pairs = [(b.dropped[0] == b.dropped[1]).float().mean().item() for b in blocks if len(b.dropped) == 2]
    zeros = sum(b.zeros[0] for b in blocks) / len(blocks)
    return Outcome(loss.item(), gradients, sum(pairs) / len(pairs) if pairs else 1.0, zeros, error)


def gradient_of(weights: Tensor) -> Tensor:
    """Return a parameter's gradient; zeros where backward broke off before it came."""
    return torch.zeros_like(weights) if weights.grad is None else weights.grad


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says."""
    masks = mask_agreement(params["p"])
    for name, op, value, unit, source in (
        ("what differs", "==", "gradients", "choice", "the loss belongs to forward, replay to backward"),
        ("loss difference", "==", 0.0, "", "the loss is computed before any replay"),
        ("gradient error, replayed", "==", 0.0, "", "the same masks give the same network"),
        ("gradient error, not replayed", ">", 0.0, "", "another mask is another network"),
        ("masks that agree", "~", masks, "fraction", "both drop or both keep: p² + (1-p)²"),
        ("RNG state", "==", CPU_RNG_STATE_BYTES, "B", "size of torch's CPU generator state"),
        ("checkpoints that stash", "==", params["blocks"], "calls", "one state a checkpoint"),
        ("RNG stash", "==", stash_bytes(params["blocks"]), "B", "state × checkpoints"),
    ):
        yield {"name": name, "op": op, "value": value, "unit": unit, "source": source}


def relative_error(got: Tensor, right: Tensor) -> float:
    """Return the norm of the difference over the norm of what is right."""
    return float((got - right).norm() / right.norm())


def run(params: dict[str, Any], emit: Emit) -> None:
    """Measure a plain step, one with the RNG replayed, one without."""
    right = step(params, plain)
    outcomes = {}
    for name, title, wrap in (
        ("replayed", "relative gradient error by block, RNG replayed", replayed),
        ("not replayed", "relative gradient error by block, not replayed", not_replayed),
    ):
        emit.series(name, title, "block", "relative error")
        outcomes[name] = step(params, wrap)
        for number, (got, wanted) in enumerate(zip(outcomes[name].gradients, right.gradients, strict=True), start=1):
            emit.point(name, number, relative_error(got, wanted))
    good, bad = outcomes["replayed"], outcomes["not replayed"]
    emit.event("error" if bad.error else "quiet", "backward", bad.error or "No error was raised in either run.")

    whole = torch.cat(right.gradients)
    error_good = relative_error(torch.cat(good.gradients), whole)
    error_bad = relative_error(torch.cat(bad.gradients), whole)
    loss_difference = abs(bad.loss - right.loss)
    masks = pure_mask_agreement(params)
    states = stashed_states(params)
    expected = visible_mask_agreement(params["p"], right.zeros)
    emit.measure("loss difference", loss_difference, "", "equality of two floats")
    emit.measure("gradient error, replayed", error_good, "", "norm ratio")
    emit.measure("gradient error, not replayed", error_bad, "", "norm ratio")
    emit.measure("masks that agree", masks, "fraction", "count over two draws")
    emit.measure("dropped outputs that agree", bad.agreement, "fraction", "count in the blocks")
    emit.measure("RNG state", max(states, default=0), "B", "nbytes of what checkpoint stashed")
    emit.measure("checkpoints that stash", len(states), "calls", "counter")
    emit.measure("RNG stash", sum(states), "B", "nbytes of what checkpoint stashed")
    emit.measure("what differs", what_differs(bad, loss_difference, error_bad), "choice", "all of the above")

    emit.claim("no error raised", bad.error or "none", "==", "none")
    emit.claim("loss difference", loss_difference, "==", 0.0)
    emit.claim("gradient error, replayed", error_good, "==", 0.0)
    emit.claim("gradient error, not replayed", error_bad, ">", 0.1)
    emit.claim("masks that agree", masks, "~", mask_agreement(params["p"]), tolerance=0.05)
    emit.claim("dropped outputs that agree", bad.agreement, "~", expected, tolerance=0.1)
    emit.claim("RNG stash", sum(states), "==", stash_bytes(params["blocks"]))


def pure_mask_agreement(params: dict[str, Any]) -> float:
    """Return how often two masks drawn one after the other agree, on a hundred thousand positions."""
    torch.manual_seed(params["seed"])
    ones = torch.ones(100_000, device=device())
    first, second = (nn.functional.dropout(ones, params["p"]) != 0 for _ in range(2))
    return float((first == second).float().mean())


def stashed_states(params: dict[str, Any]) -> list[int]:
    """Return the bytes of each generator state that checkpoints read and keep during one forward pass."""
    read, states = torch.get_rng_state, []

    def watched() -> Tensor:
        """Stand where checkpoint asks for the state, before it runs the block."""
        states.append(read())
        return states[-1]

    x = torch.randn(params["batch"], params["width"], device=device())
    with patch.object(torch, "get_rng_state", watched):
        for _ in range(params["blocks"]):
            x = checkpoint(DropoutBlock(params["width"], params["p"]).to(device()), x, use_reentrant=False)
    return [state.nbytes for state in states]


def what_differs(bad: Outcome, loss_difference: float, gradient_error: float) -> str:
    """Return the choice that came true."""
    if bad.error:
        return "error"
    if loss_difference > 0:
        return "loss"
    return "gradients" if gradient_error > 0 else "nothing"


if __name__ == "__main__":
    main(__file__, predict, run)
