"""A training step without its memory: fake tensors know shape, dtype and device but hold no data.

The same code runs, forward, backward and `optimizer.step`, and the ledger counts what each tensor would take. What it counts is
tensors alone: no allocator rounding, no fragmentation, no cuBLAS workspace, no CUDA context. Kernels are chosen as on the CPU.
Untested on CUDA.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
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
    for watched in (False, True):
        watch = ledger if watched else None
        if watch is not None:
            watch.register_training(model, optimizer)
            watch.register((leaf for leaf in tree_leaves(batch) if isinstance(leaf, Tensor)), "batch")
        with watch or nullcontext():
            _enter(watch, "forward")
            loss = job.loss(model, batch)
            _enter(watch, "backward")
            loss.backward()
            del loss
            _enter(watch, "optimizer.step")
            optimizer.step()
        optimizer.zero_grad(set_to_none=True)


def _enter(ledger: Ledger | None, phase: str) -> None:
    if ledger is not None:
        ledger.phase = phase
