"""DDP keeps gradients twice unless you ask it not to: once in `p.grad`, once in the buckets that it reduces.

Run:  python -m experiments.sharding.ddp_buckets --bucket-mb 25

Look at `as_views`: one keyword, and each gradient becomes a view into the bucket it is reduced in. The sum over `p.grad`
looks the same either way, since the buckets belong to DDP; a communication hook shows them. Each rank is a real process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from torch.multiprocessing.reductions import StorageWeakRef
from torch.nn.parallel import DistributedDataParallel

from experiments.emit import Emit, Refused, main
from experiments.sharding.ranks import on_ranks, require_ranks
from tutor.formulas import sharding

LARGEST_MODEL = 2**26
"""Bytes of weights a run is kept to: every rank holds five times that."""

Wrap = Callable[[nn.Module, int], DistributedDataParallel]


def by_default(model: nn.Module, bucket_mb: int) -> DistributedDataParallel:
    """Replicate a model: each gradient is copied into a bucket, averaged there, and copied back."""
    return DistributedDataParallel(model, bucket_cap_mb=bucket_mb, init_sync=False)


def as_views(model: nn.Module, bucket_mb: int) -> DistributedDataParallel:
    """The technique itself: the gradients live in the buckets."""
    return DistributedDataParallel(model, bucket_cap_mb=bucket_mb, init_sync=False, gradient_as_bucket_view=True)


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says, before anything runs. Raises Refused where ranks cannot start or the model is too large."""
    require_ranks()
    count = parameter_count(params)
    if 4 * count > LARGEST_MODEL:
        raise Refused(f"{4 * count / 2**20:.0f} MiB of weights a rank are too many; choose fewer or narrower layers.")
    source = "each gradient once in p.grad, once in a bucket (tutor.formulas.sharding)"
    for which, views in (("default", False), ("views", True)):
        held = sharding.ddp_gradient_bytes(count, views)
        yield {"name": f"gradients held, {which}", "op": "==", "value": held, "unit": "B", "source": source}
        per = held / count
        yield {"name": f"gradients a parameter, {which}", "op": "==", "value": per, "unit": "B/param", "source": source}
    ratio = sharding.ddp_state_bytes(count, True) / sharding.ddp_state_bytes(count, False)
    yield {"name": "state ratio", "op": "==", "value": ratio, "unit": "x", "source": source}
    yield {"name": "default holds", "op": "==", "value": "eight", "unit": "choice", "source": source}


def parameter_count(params: dict[str, Any]) -> int:
    """Return the parameters of the stack of Linears: width² weights and width biases a layer."""
    return int(params["layers"] * (params["width"] ** 2 + params["width"]))


def storages(tensors: Iterable[Tensor]) -> dict[int, int]:
    """Return the bytes of each storage behind some tensors, by its address: views of one storage count once."""
    return {t.untyped_storage().data_ptr(): t.untyped_storage().nbytes() for t in tensors}


def gradients_of(model: nn.Module) -> dict[int, int]:
    """Return the storages behind the gradients that exist."""
    return storages(p.grad for p in model.parameters() if p.grad is not None)


def on_a_rank(rank: int, ranks: int, params: dict[str, Any], wrap: Wrap) -> Iterator[dict[str, Any]]:
    """Train two steps on one rank, looking at each bucket as it is reduced, and yield what is held after them."""
    torch.manual_seed(params["seed"])
    model = nn.Sequential(*(nn.Linear(params["width"], params["width"]) for _ in range(params["layers"])))
    x = torch.randn(ranks, 8, params["width"])[rank]  # every rank draws the same numbers and takes its part
    buckets: list[tuple[StorageWeakRef, dict[int, int]]] = []
    growth: list[int] = []

    def reduce(group, bucket):  # type: ignore[no-untyped-def]  # DDP would compare an annotation with the class itself
        """Note the bucket, then reduce it as DDP does."""
        buffer = bucket.buffer()
        buckets.append((StorageWeakRef(buffer.untyped_storage()), storages([buffer])))
        growth.append(sum((alive(buckets) | gradients_of(model)).values()))
        return allreduce_hook(group, bucket)

    replica = wrap(model, params["bucket_mb"])
    replica.register_comm_hook(None, reduce)
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(2):  # after its first backward DDP lays out the buckets anew, in the order gradients came
        optimizer.zero_grad()
        buckets.clear()
        growth.clear()
        replica(x).square().mean().backward()
        optimizer.step()
    in_grad, in_buckets = gradients_of(model), alive(buckets)
    moments = storages(t for state in optimizer.state.values() for t in state.values() if t.dim())
    yield {
        "growth": growth,
        "in p.grad": sum(in_grad.values()),
        "in buckets alone": sum(size for place, size in in_buckets.items() if place not in in_grad),
        "gradients": sum((in_buckets | in_grad).values()),
        "state": sum((in_buckets | in_grad | moments | storages(model.parameters())).values()),
    }


def alive(buckets: list[tuple[StorageWeakRef, dict[int, int]]]) -> dict[int, int]:
    """Return the storages of those buckets that have not been freed."""
    return {place: size for freed, at in buckets if not freed.expired() for place, size in at.items()}


def run(params: dict[str, Any], emit: Emit) -> None:
    """Measure what a rank holds with the default and with views, and compare."""
    count = parameter_count(params)
    seen = {}
    for which, wrap in (("default", by_default), ("views", as_views)):
        emit.series(which, f"gradients and buckets of rank 0, {which}", "buckets reduced", "B/param", "B/param")
        [(held, *_)] = on_ranks(params["ranks"], on_a_rank, params, wrap)
        for number, size in enumerate(held["growth"], start=1):
            emit.point(which, number, size / count, "backward")
        parts = ("in p.grad", "in buckets alone", "gradients", "state")
        emit.row("bytes a parameter, rank 0", DDP=which, **{part: round(held[part] / count, 2) for part in parts})
        emit.measure(f"gradients held, {which}", held["gradients"], "B", "storages, buckets by a hook")
        emit.measure(f"gradients a parameter, {which}", held["gradients"] / count, "B/param", "storages")
        expected = sharding.ddp_gradient_bytes(count, which == "views")
        emit.claim(f"gradients held, {which}", held["gradients"], "==", expected)
        emit.claim(f"in p.grad, {which}", held["in p.grad"], "==", 4 * count)
        seen[which] = held
    ratio = seen["views"]["state"] / seen["default"]["state"]
    emit.measure("state ratio", ratio, "x", "storages")
    emit.measure("default holds", bytes_held(seen["default"]["gradients"] / count), "choice", "storages")
    theory = sharding.ddp_state_bytes(count, True) / sharding.ddp_state_bytes(count, False)
    emit.claim("state ratio", ratio, "==", theory)
    emit.note("Summing p.grad shows 4 bytes a parameter either way: the other copy is in DDP's buckets.")


def bytes_held(per_parameter: float) -> str:
    """Return the choice that came true: what a rank holds of gradients, in bytes a parameter."""
    return {2: "two", 4: "four", 8: "eight"}.get(round(per_parameter), "more")


if __name__ == "__main__":
    main(__file__, predict, run)
