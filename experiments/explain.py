"""Where the memory of a learner's own training step goes, and what would lower its peak.

Run:  tutor explain FILE.py

The step runs with fake tensors as it stands, and again with one thing changed: repeated blocks checkpointed, everything made in bf16, plain
SGD. Those are runs. Sharding over ranks is computed from the timeline of the first. The contract of the file is in
`experiments.learner_file`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils.checkpoint import checkpoint

from experiments.emit import Emit, Refused
from experiments.instruments.fake import Job, estimate, sharded_peak
from experiments.instruments.ledger import Ledger
from experiments.learner_file import job_of, load, one_sentence

MIB = 2**20
POINTS = 120
CATEGORIES = ("parameter", "gradient", "optimizer state", "activation")
CONTAINERS = (nn.Sequential, nn.ModuleList, nn.ModuleDict)


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Predict nothing: there is no formula for a model nobody has seen. Raises Refused for a file that cannot be used."""
    load(params["file"])
    yield from ()


def run(params: dict[str, Any], emit: Emit) -> None:
    """Run the step and its variants; tell the timeline, the peak, and what each change leaves of it."""
    file, ranks = params["file"], params["ranks"]
    job = job_of(file, load(file))
    emit.note(
        "Tensors alone are counted: no allocator rounding, fragmentation, workspace or CUDA context; untested on CUDA."
    )
    ledger, every = first_run(file, job)
    again = replace(job, settle=every)  # where every parameter has a gradient, the variants need no whole first step
    draw(ledger, emit)
    by_category, phase = grouped(ledger.peak_by_category), ledger.peak_phase.removeprefix("optimizer.")
    shape, dtype = ledger.peak_tensor
    for category, size in by_category.most_common():
        emit.row("at the peak", category=category, bytes=size, share=round(size / ledger.peak, 3))
    emit.measure("peak", ledger.peak, "B", "ledger, fake tensors")
    emit.measure("phase", phase, "choice", "ledger, fake tensors")
    emit.measure("largest category", by_category.most_common(1)[0][0].replace(" ", "-"), "choice", "ledger")
    emit.measure("operation at the peak", ledger.peak_operation, "", "ledger")
    emit.measure("tensor at the peak", f"{' x '.join(map(str, shape)) or 'one number'} {dtype}", "", "ledger")

    unit, fused = sizes_of(job)
    if fused:
        emit.note(
            f"The fused kernel of nn.{fused} keeps a workspace that is not counted: the true peak may be far higher."
        )
    left = counterfactuals(file, again, emit, bool(unit))
    if ranks > 1:
        left["fsdp"] = sharded_peak(ledger, ranks, unit or by_category["parameter"])
    for change, peak in left.items():
        how = f"computed from the timeline, {ranks} ranks" if change == "fsdp" else "a run with fake tensors"
        emit.measure(f"peak, {change}", peak, "B", how)
        emit.row(
            "what changes would leave", change=change, bytes=round(peak), of_peak=round(peak / ledger.peak, 3), how=how
        )
    best = min(left, key=lambda change: left[change], default="none")
    emit.measure("saves most", best if left and left[best] < ledger.peak else "none", "choice", "all of the above")


def watched(file: str, job: Job) -> Ledger:
    """Run a job with fake tensors; what backward or the optimizer raises is told in one sentence too."""
    with one_sentence(file, "the step"):
        return estimate(job)


def first_run(file: str, job: Job) -> tuple[Ledger, bool]:
    """Return the ledger of the step as it stands, and whether every parameter had a gradient."""
    parameters: list[nn.Parameter] = []

    def optimizer(given: Iterable[nn.Parameter]) -> torch.optim.Optimizer:
        """Make the optimizer and keep what it was given."""
        parameters.extend(given)
        return job.optimizer(iter(parameters))

    ledger = watched(file, replace(job, optimizer=optimizer))
    return ledger, all(parameter.grad is not None for parameter in parameters)


def grouped(by_category: Counter[str]) -> Counter[str]:
    """Return the bytes of the four categories, and of all else as `other`."""
    groups: Counter[str] = Counter()
    for category, size in by_category.items():
        groups[category if category in CATEGORIES else "other"] += size
    return +groups


def draw(ledger: Ledger, emit: Emit) -> None:
    """Send a curve for each category: of each stretch of operations the one with the highest total."""
    for category in CATEGORIES:
        emit.series(category, f"live MiB, {category}", "operation", "MiB", "MiB")
    stretch = max(1, len(ledger.points) // POINTS)
    for start in range(0, len(ledger.points), stretch):
        place = max(range(start, min(start + stretch, len(ledger.points))), key=lambda index: ledger.points[index][1])
        number, _, phase = ledger.points[place]
        for category in CATEGORIES:
            emit.point(category, number, ledger.category_points[place].get(category, 0) / MIB, phase)


def counterfactuals(file: str, job: Job, emit: Emit, repeats: bool) -> dict[str, float]:
    """Return the peak of each change that could be run; say why another could not."""
    changes: dict[str, Job] = {"sgd": replace(job, optimizer=plain_sgd)}
    if repeats:
        changes["checkpointing"] = replace(job, model=lambda: checkpointed(job.model()))
    else:
        emit.note("checkpointing: the model repeats no submodule of its own, so there is nothing to wrap.")
    left = {}
    for change, changed in changes.items():
        left[change] = float(watched(file, changed).peak)
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.bfloat16)
    try:
        left["bf16"] = float(watched(file, job).peak)
    except Refused as refusal:
        emit.note(f"bf16 could not be run: {refusal}")
    finally:
        torch.set_default_dtype(before)
    return left


def plain_sgd(parameters: Any) -> torch.optim.Optimizer:
    """Return SGD without state."""
    return torch.optim.SGD(parameters, lr=0.1)


def repeated(model: nn.Module) -> list[nn.Module]:
    """Return the submodules of one class, not inside one another, that hold most parameters together."""
    by_class: dict[type[nn.Module], list[nn.Module]] = defaultdict(list)
    for module in model.modules():
        has_parts = next(module.children(), None) is not None or isinstance(module, nn.RNNCellBase)
        if has_parts and not isinstance(module, CONTAINERS):
            by_class[type(module)].append(module)
    groups = [group for group in by_class.values() if len(group) > 1]
    return max(groups, key=lambda group: sum(p.numel() for m in group for p in m.parameters()), default=[])


def checkpointed(model: nn.Module) -> nn.Module:
    """Call each repeated submodule through checkpointing: it keeps its inputs and runs again in backward."""
    for block in repeated(model):
        block.forward = partial(checkpoint, block.forward, use_reentrant=False)  # type: ignore[method-assign]
    return model


def sizes_of(job: Job) -> tuple[int, str]:
    """Return the bytes of one repeated submodule's weights, 0 where none repeats, and the name of a fused recurrent module.

    Fake tensors run a fused recurrent module as single operations, another path than the kernel's.
    """
    with FakeTensorMode():
        model = job.model()
        unit = max((sum(p.nbytes for p in block.parameters()) for block in repeated(model)), default=0)
        return unit, next((type(m).__name__ for m in model.modules() if isinstance(m, nn.RNNBase)), "")
