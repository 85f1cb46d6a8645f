"""What a rank holds, and how far its gradients are from those of one process: instruments of the sharding experiments."""

from __future__ import annotations

from collections.abc import Iterable

from torch import Tensor, nn
from torch.distributed._tools.mem_tracker import MemTracker
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.distributed.tensor import DTensor
from torch.optim import Optimizer


def held_bytes(tensors: Iterable[Tensor]) -> int:
    """Return bytes of the storages behind some tensors on this rank, each once; of a sharded tensor its own slice counts."""
    local = [t.to_local() if isinstance(t, DTensor) else t for t in tensors]
    return sum({t.untyped_storage().data_ptr(): t.untyped_storage().nbytes() for t in local}.values())


def at_rest(model: nn.Module, optimizer: Optimizer) -> tuple[int, ...]:
    """Return bytes of weights, gradients and moments after a step; the step counters, 4 bytes a tensor, are left out."""
    own = optimizer.optim if isinstance(optimizer, ZeroRedundancyOptimizer) else optimizer
    moments = (t for state in own.state.values() for t in state.values() if t.dim())
    gradients = (p.grad for p in model.parameters() if p.grad is not None)
    return held_bytes(model.parameters()), held_bytes(gradients), held_bytes(moments)


def distance(model: nn.Module, alone: nn.Module) -> float:
    """Return how far gradients are from those of one process, relative to each one's largest; 0 where that was not computed."""
    whole = [
        p.grad.full_tensor() if isinstance(p.grad, DTensor) else p.grad for p in model.parameters()
    ]  # all ranks gather
    pairs = [(mine, p.grad) for mine, p in zip(whole, alone.parameters(), strict=True) if p.grad is not None]
    return max((float((mine - one).abs().max() / one.abs().max()) for mine, one in pairs), default=0.0)


def by_category(tracker: MemTracker) -> dict[str, int]:
    """Return live bytes at the peak by category, as torch's own tracker names them."""
    (peak,) = tracker.get_tracker_snapshot("peak").values()
    return {getattr(category, "name", "total"): size for category, size in peak.items()}
