"""A training step without its memory: fake tensors know shape, dtype and device but hold no data.

The same code runs, forward, backward and `optimizer.step`, and the ledger counts what each tensor would take. What it counts is
tensors alone: no allocator rounding, no fragmentation, no cuBLAS workspace, no CUDA context. Kernels are chosen as on the CPU, but a
fused recurrent module (nn.LSTM) runs as single operations and its kernel's workspace is missed: 0.58 of the truth on a small one. A
convolution's scratch is missed too, about one activation. Untested on CUDA.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._pytree import tree_leaves

from experiments.instruments.ledger import Ledger, Point


@dataclass(frozen=True)
class Job:
    """What is trained: everything is made by calling, so that it can be made of fake tensors."""

    model: Callable[[], nn.Module]
    batch: Callable[[], Any]
    loss: Callable[[nn.Module, Any], Tensor]
    """Runs the model on a batch and returns one number to go backward from."""
    optimizer: Callable[[Iterable[nn.Parameter]], torch.optim.Optimizer]
    settle: bool = False
    """Whether the first step is the optimizer's alone, on gradients of nothing: half the work, and the same where every
    parameter has a gradient in every step."""


class FakeLedger(Ledger):
    """The ledger, deaf to the questions about devices that fake tensors ask themselves."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is torch.ops.prim.device.default:
            return func(*args, **(kwargs or {}))
        return super().__torch_dispatch__(func, types, args, kwargs)


def estimate(job: Job, on_point: Callable[[Point], None] | None = None) -> Ledger:
    """Return the ledger of one training step that allocated nothing."""
    ledger = FakeLedger(on_point=on_point)
    with FakeTensorMode():
        train(job, ledger)
    return ledger


def train(job: Job, ledger: Ledger | None = None) -> None:
    """Take two steps; the ledger watches the second, when the optimizer has its state already.

    Gradients are set to None between the steps, so that backward makes them anew.
    """
    model, batch = job.model(), job.batch()
    optimizer = job.optimizer(model.parameters())
    if job.settle:
        for parameter in model.parameters():
            parameter.grad = torch.empty_like(parameter)
        optimizer.step()
    else:
        _step(job, model, batch, optimizer, Ledger())
    optimizer.zero_grad(set_to_none=True)
    if ledger is None:
        return _step(job, model, batch, optimizer, Ledger())
    ledger.register_training(model, optimizer)
    ledger.register((leaf for leaf in tree_leaves(batch) if isinstance(leaf, Tensor)), "batch")
    with ledger:
        _step(job, model, batch, optimizer, ledger)


def _step(job: Job, model: nn.Module, batch: Any, optimizer: torch.optim.Optimizer, ledger: Ledger) -> None:
    """Take one step and tell the ledger its phases; one that does not watch is told in vain."""
    ledger.phase = "forward"
    loss = job.loss(model, batch)
    ledger.phase = "backward"
    loss.backward()
    del loss
    ledger.phase = "optimizer.step"
    optimizer.step()


SHARDED = ("parameter", "gradient", "optimizer state")


def sharded_peak(ledger: Ledger, ranks: int, unit: int) -> float:
    """Return the peak on one of `ranks` under FSDP, computed from a measured timeline: nothing is sent.

    Weights, gradients and optimizer state are 1/n; activations are each rank's own. Beside its shard a rank holds the weights of
    one unit (`unit` bytes) in forward and backward, and in backward that unit's gradients before they are reduced.
    """
    if ranks == 1:
        return ledger.peak
    gathered = {"forward": unit, "backward": 2 * unit}
    peak = 0.0
    for (_, live, phase), by_category in zip(ledger.points, ledger.category_points, strict=True):
        whole = sum(by_category.get(category, 0) for category in SHARDED)
        peak = max(peak, live - whole + whole / ranks + gathered.get(phase, 0))
    return peak
