"""What ZeRO and FSDP divide among ranks, and what they leave whole: real processes, one small GPT, one AdamW step.

Run:  python -m experiments.sharding.zero_shards --ranks 4

Look at `shard_state` and `shard_everything`: the first keeps a part of AdamW's moments on each rank (ZeRO-1), the second
a part of weights, gradients and moments (FSDP2). Watch the bytes a rank holds at rest, then the peak of a step: the
activations of a rank's own batch are divided by neither. bf16 and checkpointing, stacked on top, attack those.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import torch
from torch import nn
from torch.distributed._tools.fsdp2_mem_tracker import FSDPMemTracker
from torch.distributed._tools.mem_tracker import MemTracker
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel
from torch.optim import AdamW, Optimizer

from experiments.emit import Emit, Refused, main
from experiments.instruments.watched import give_gradients
from experiments.models import GPT, batch_of, call, shape_of
from experiments.recomputation.checkpoint import full_checkpoint
from experiments.sharding.held import at_rest, by_category, distance
from experiments.sharding.ranks import on_ranks, require_ranks
from tutor.formulas import gpt, sharding

KINDS = ("DDP", "ZeRO-1", "FSDP2")
PARTS = ("weights", "gradients", "moments")
FP32, BF16 = MixedPrecisionPolicy(), MixedPrecisionPolicy(torch.bfloat16, reduce_dtype=torch.float32)
STACK = (("FSDP2", FP32, call), ("FSDP2 + bf16", BF16, call), ("FSDP2 + bf16 + checkpointing", BF16, full_checkpoint))
LARGEST_STEP = 4e9  # FLOPs of a rank's step: all ranks share this machine's cores


def shard_state(model: nn.Module) -> Optimizer:
    """ZeRO-1: each rank keeps the moments of its share of the parameters, updates those, and sends them to the others."""
    return ZeroRedundancyOptimizer(model.parameters(), AdamW)


def shard_everything(model: GPT, ranks: int, precision: MixedPrecisionPolicy) -> Optimizer:
    """FSDP2: each rank keeps a slice of every parameter; a block is gathered when it runs and freed after."""
    mesh = init_device_mesh("cpu", (ranks,))
    for unit in (*model.blocks, model):
        fully_shard(unit, mesh=mesh, mp_policy=precision)
    return AdamW(model.parameters(), fused=True)  # one operation for all slices


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says, before anything runs. Raises Refused where ranks cannot start or would take long."""
    require_ranks()
    shape, ranks = shape_of(params), params["ranks"]
    if gpt.step_flops(shape) > LARGEST_STEP:
        raise Refused("Every rank takes such a step on this machine; choose fewer layers, tokens or sequences.")
    source = "what each rank keeps (tutor.formulas.sharding)"
    held = {kind: sharding.rank_bytes(sharding.gpt_shapes(shape), ranks, kind) for kind in KINDS}
    for kind, parts in held.items():
        for part, value in zip(PARTS, parts, strict=True):
            yield {"name": f"{part}, {kind}", "op": "==", "value": value, "unit": "B", "source": source}
    for kind in KINDS[1:]:
        share = sum(held[kind]) / sum(held["DDP"])
        yield {"name": f"share, {kind}", "op": "==", "value": share, "unit": "x", "source": source}
    factor = sharding.peak_factor(sum(held["DDP"]), gpt.saved_bytes(shape), ranks)
    for name, value in (("what ZeRO-1 divides", what_is_divided(held)), ("peak falls", how_far(factor, ranks))):
        yield {"name": name, "op": "==", "value": value, "unit": "choice", "source": source}


def what_is_divided(held: Mapping[str, tuple[int, ...]]) -> str:
    """Return the choice that came true: which parts a rank of ZeRO-1 holds less of than one of DDP."""
    less = [part for part, mine, whole in zip(PARTS, held["ZeRO-1"], held["DDP"], strict=True) if mine < whole]
    keys = {"moments": "moments", "gradients moments": "moments-and-gradients", "weights gradients moments": "all"}
    return keys.get(" ".join(less), "nothing")


def how_far(factor: float, ranks: int) -> str:
    """Return the choice that came true: how far a step's peak fell."""
    return "not" if factor < 1.05 else "less" if factor < 0.85 * ranks else "ranks"


def one_process(rank: int, ranks: int, params: dict[str, Any]) -> Iterator[Any]:
    """Yield what one process holds at rest, and its peak, activations included."""
    shape = shape_of(params)
    torch.manual_seed(params["seed"])
    model = GPT(shape)
    optimizer = AdamW(model.parameters())
    ids, targets = batch_of(shape, params["seed"])
    model(ids, targets).backward()
    optimizer.step()
    yield at_rest(model, optimizer)
    optimizer.zero_grad()
    tracker = MemTracker()
    tracker.track_external(model, optimizer, ids, targets)
    with tracker:
        model(ids, targets).backward()
        optimizer.step()
    yield by_category(tracker)


def on_a_rank(rank: int, ranks: int, params: dict[str, Any], stack: bool) -> Iterator[Any]:
    """Take one step with each kind; yield bytes at rest and how far gradients are from one process's on the whole batch."""
    shape, seed = shape_of(params), params["seed"]
    ids, targets = batch_of(dataclasses.replace(shape, batch=ranks * shape.batch), seed)
    own = slice(rank * shape.batch, (rank + 1) * shape.batch)
    torch.manual_seed(seed)
    alone = GPT(shape)
    start = copy.deepcopy(alone)
    if rank == 0:
        alone(ids, targets).backward()
    for kind in KINDS:
        model: Any = copy.deepcopy(start)
        if kind == "FSDP2":
            optimizer, replica = shard_everything(model, ranks, FP32), model
        else:
            replica = DistributedDataParallel(model, gradient_as_bucket_view=True)
            optimizer = shard_state(model) if kind == "ZeRO-1" else AdamW(model.parameters())
        replica(ids[own], targets[own]).backward()
        far = distance(model, alone)
        optimizer.step()
        yield at_rest(model, optimizer), far
    if stack:
        yield from stacked(rank, ranks, params)


def stacked(rank: int, ranks: int, params: dict[str, Any]) -> Iterator[Any]:
    """Yield the peak of a step, by category, of FSDP2 alone, with bf16, and with checkpointing as well."""
    shape = shape_of(params)
    ids, targets = batch_of(shape, params["seed"] + rank)
    for _, precision, wrap in STACK:
        torch.manual_seed(params["seed"])
        model = GPT(shape)
        optimizer = shard_everything(model, ranks, precision)
        if rank > 0:  # these are there to be gathered from
            model(ids, targets, wrap).backward()
            yield None
            continue
        give_gradients(model)
        optimizer.step()  # the moments exist from here on
        optimizer.zero_grad()
        tracker = FSDPMemTracker(model, optimizer)
        tracker.track_inputs((ids, targets))
        with tracker:
            model(ids, targets, wrap).backward()
            optimizer.step()
        yield by_category(tracker)


def run(params: dict[str, Any], emit: Emit) -> None:
    """Measure one process, then two ranks and as many as asked for with each kind, then the peaks of the stack."""
    count, ranks = gpt.parameter_count(shape_of(params)), params["ranks"]
    alone, peak = (result[0] for result in on_ranks(1, one_process, params))
    held: dict[str, tuple[int, ...]] = {}
    for kind in KINDS:
        emit.series(kind, f"bytes a parameter at rest on a rank, {kind}", "ranks", "B/param", "B/param")
        emit.point(kind, 1, sum(alone) / count, "at rest")
    emit.row("peak of a step, bytes", what="one process", total=peak["total"], activations=peak["ACT"])
    for world in sorted({2, ranks}):
        results = on_ranks(world, on_a_rank, params, world == ranks)
        for kind, result in zip(KINDS, results, strict=False):
            held[kind] = tuple(max(sizes) for sizes in zip(*(rest for rest, _ in result), strict=True))
            emit.point(kind, world, sum(held[kind]) / count, "at rest")
            each = {part: round(size / count, 3) for part, size in zip(PARTS, held[kind], strict=True)}
            emit.row("bytes a parameter at rest, fullest rank", ranks=world, kind=kind, **each)
            emit.claim(f"gradients far from one process, {kind}, {world} ranks", result[0][1], "<", 1e-4)
        peaks = {what: result[0] for (what, _, _), result in zip(STACK, results, strict=False)}
        for what, parts in peaks.items():
            emit.row("peak of a step, bytes", what=what, total=parts["total"], activations=parts["ACT"])
    report(params, emit, held, {"one process": peak} | peaks)


def report(params: dict[str, Any], emit: Emit, held: dict[str, tuple[int, ...]], peaks: dict[str, Any]) -> None:
    """State what was measured on the largest number of ranks, and hold it against theory."""
    shapes, ranks = sharding.gpt_shapes(shape_of(params)), params["ranks"]
    for kind in KINDS:
        for part, size, theory in zip(PARTS, held[kind], sharding.rank_bytes(shapes, ranks, kind), strict=True):
            emit.measure(f"{part}, {kind}", size, "B", "storages of the fullest rank")
            emit.claim(f"{part}, {kind}", size, "==", theory)
    for kind in KINDS[1:]:
        emit.measure(f"share, {kind}", sum(held[kind]) / sum(held["DDP"]), "x", "storages of the fullest rank")
    tracked = "torch's memory tracker, rank 0"
    for what, parts in peaks.items():
        emit.measure(f"peak, {what}", parts["total"], "B", tracked)
    for (before, above), (what, below) in pairwise(peaks.items()):
        emit.claim(f"peak, {what} below {before}", below["total"], "<", above["total"])
    whole, sharded = peaks["one process"], peaks["FSDP2"]
    emit.measure("peak ratio, FSDP2", sharded["total"] / whole["total"], "x", tracked)
    emit.measure("what ZeRO-1 divides", what_is_divided(held), "choice", "storages of the fullest rank")
    emit.measure("peak falls", how_far(whole["total"] / sharded["total"], ranks), "choice", tracked)
    emit.claim("activations at the peak stay", sharded["ACT"] / whole["ACT"], ">", 0.75)


if __name__ == "__main__":
    main(__file__, predict, run)
