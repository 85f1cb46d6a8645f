"""The ledger: live bytes after every operation, by category and phase, from what the dispatcher sees.

It counts each storage once, from the first tensor that shows it until the storage is freed. Kernel scratch that never
becomes a tensor is not seen; on GPTs it agrees with the allocator's own events within half a percent (a test holds it).
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

Point = tuple[int, int, str]
"""(operation number, live bytes, phase)."""


class LedgerOutOfMemory(torch.OutOfMemoryError):
    """The budget was crossed; raised by the operation that allocated the byte too many."""


class Ledger(TorchDispatchMode):
    """Watches a training step. Register what is alive before it, then work inside `with ledger:`.

    `peak_operation` names the operation that reached the peak and `peak_tensor` the shape and dtype of its largest new tensor.
    `category_points[i]` holds the live bytes of each category at `points[i]`.
    """

    def __init__(self, budget: int | None = None, on_point: Callable[[Point], None] | None = None) -> None:
        super().__init__()
        self.live = 0
        self.peak = 0
        self.peak_phase = ""
        self.peak_operation = ""
        self.peak_tensor: tuple[tuple[int, ...], str] = ((), "")
        self.peak_by_category: Counter[str] = Counter()
        self.by_category: Counter[str] = Counter()
        self.phase = ""
        self.points: list[Point] = []
        self.category_points: list[dict[str, int]] = []
        self._budget = budget
        self._on_point = on_point
        self._category: dict[int, str] = {}
        self._operations = 0

    def register(self, tensors: Iterable[Tensor], category: str) -> None:
        """Count tensors that are alive already; one that was seen before changes its category."""
        for tensor in tensors:
            self._see(tensor, category)
            self._rename(tensor.untyped_storage(), category)
        self._mark_peak()

    def register_training(self, model: nn.Module, optimizer: torch.optim.Optimizer | None = None) -> None:
        """Count a model's parameters, buffers, gradients and optimizer state, and name gradients as they come."""
        self.register(model.parameters(), "parameter")
        self.register(model.buffers(), "buffer")
        self.register((p.grad for p in model.parameters() if p.grad is not None), "gradient")
        if optimizer is not None:
            held = (t for state in optimizer.state.values() for t in state.values() if torch.is_tensor(t))
            self.register(held, "optimizer state")
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter.register_post_accumulate_grad_hook(self._name_gradient)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        before = self.live
        made = [leaf for leaf in tree_leaves(out) if isinstance(leaf, Tensor)]
        for tensor in made:
            self._see(tensor, "optimizer state" if self.phase == "optimizer.step" else "activation")
        self._operations += 1
        point = (self._operations, self.live, self.phase)
        self.points.append(point)
        self.category_points.append(dict(self.by_category))
        if self._on_point is not None:
            self._on_point(point)
        if self.live > before:
            if self.live > self.peak:
                largest = max(made, key=lambda tensor: tensor.nbytes)
                self.peak_operation = str(func)
                self.peak_tensor = (tuple(largest.shape), str(largest.dtype).removeprefix("torch."))
            self._mark_peak()
            if self._budget is not None and self.live > self._budget:
                raise LedgerOutOfMemory(f"the ledger's budget of {self._budget:,} bytes is crossed in {self.phase}")
        return out

    def _mark_peak(self) -> None:
        if self.live > self.peak:
            self.peak, self.peak_phase, self.peak_by_category = self.live, self.phase, self.by_category.copy()

    def _see(self, tensor: Tensor, category: str) -> None:
        storage = tensor.untyped_storage()
        key, size = storage._cdata, storage.nbytes()
        if not size or key in self._category:
            return
        self._category[key] = category
        self.live += size
        self.by_category[category] += size
        weakref.finalize(storage, self._freed, key, size)

    def _freed(self, key: int, size: int) -> None:
        self.live -= size
        self.by_category[self._category.pop(key)] -= size

    def _name_gradient(self, parameter: Tensor) -> None:
        if parameter.grad is not None:
            self._rename(parameter.grad.untyped_storage(), "gradient")

    def _rename(self, storage: torch.UntypedStorage, category: str) -> None:
        old = self._category.get(storage._cdata)
        if old is not None:
            self._category[storage._cdata] = category
            self.by_category[old] -= storage.nbytes()
            self.by_category[category] += storage.nbytes()


class Curve:
    """Thins a run of points as they come: sends the highest of each stretch, so that the maximum always stays."""

    def __init__(self, send: Callable[[Point], None], stretch: int) -> None:
        self._send, self._stretch = send, stretch
        self._waiting: list[Point] = []

    def __call__(self, point: Point) -> None:
        """Take one point."""
        self._waiting.append(point)
        if len(self._waiting) == self._stretch:
            self.flush()

    def flush(self) -> None:
        """Send what waits; at the end of a run, or where it failed."""
        if self._waiting:
            self._send(max(self._waiting, key=lambda point: point[1]))
            self._waiting.clear()
