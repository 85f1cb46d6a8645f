"""A job under a memory budget: which change saves it, and in which phase it dies without.

Run:  python -m experiments.optimizer_state.optimizer_oom --budget-mb 55

Look at the phases. The plain job dies in forward, of activations. Checkpointing cures that, and the job dies again: in
`optimizer.step`, where AdamW makes its two moments. Half the batch does not help, since the state is another kind of
memory; another optimizer does. The budget is a real limit of the operating system where there is one, so the failure is
the allocator's own; elsewhere the ledger keeps it. Untested on CUDA.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import nn

from experiments.emit import Emit, main
from experiments.instruments.budget import is_out_of_memory, real_limit_available, within_real_limit
from experiments.instruments.ledger import Curve, Ledger
from experiments.models import GPT, Wrap, batch_of, call, device, shape_of
from experiments.recomputation.checkpoint import full_checkpoint
from tutor.formulas import gpt
from tutor.formulas.optimizer import STATE_BYTES

MIB = 2**20
SOURCE = "bytes a parameter (4 weights, 4 gradients, 8 moments) plus saved tensors (tutor.formulas)"
OPTIMIZERS: dict[str, Callable[[Any], torch.optim.Optimizer]] = {
    "sgd": lambda weights: torch.optim.SGD(weights, lr=0.01, foreach=False),
    "adamw": lambda weights: torch.optim.AdamW(weights, lr=1e-3, foreach=False),
    "adafactor": lambda weights: torch.optim.Adafactor(weights, lr=1e-2, foreach=False),
}


@dataclass(frozen=True)
class Job:
    """One training step: how blocks are called, which optimizer, and the share of the batch."""

    name: str
    wrap: Wrap
    optimizer: str
    divide_batch: int = 1


JOBS = (
    Job("plain + SGD", call, "sgd"),
    Job("checkpointed + SGD", full_checkpoint, "sgd"),
    Job("checkpointed + AdamW", full_checkpoint, "adamw"),
    Job("checkpointed + AdamW, half the batch", full_checkpoint, "adamw", 2),
    Job("checkpointed + Adafactor", full_checkpoint, "adafactor"),
)


@dataclass
class Outcome:
    """How one job went: the phase it died in, or `fits`; its highest live bytes; the optimizer state it held."""

    died: str
    peak: int
    state: int


def attempt(job: Job, shape: gpt.Shape, params: dict[str, Any], emit: Emit) -> Outcome:
    """Run one training step within the budget, with the ledger looking on."""
    budget, real = params["budget_mb"] * MIB, keeps_real_limit(params)
    shape = replace(shape, batch=max(1, shape.batch // job.divide_batch))
    emit.series(job.name, f"live MiB, {job.name}", "operation", "MiB", "MiB")
    curve = Curve(lambda point: emit.point(job.name, point[0], point[1] / MIB, point[2]), 2 * shape.layers + 1)
    ledger = Ledger(budget=None if real else budget, on_point=curve)
    state = 0

    def step() -> None:
        nonlocal state
        torch.manual_seed(params["seed"])
        ledger.phase = "forward"
        with ledger:
            model = GPT(shape).to(device())
            engine = OPTIMIZERS[job.optimizer](model.parameters())
            ids, targets = batch_of(shape, params["seed"])
            ledger.register_training(model)
            loss = model(ids, targets, job.wrap)
            ledger.phase = "backward"
            loss.backward()
            del loss
            ledger.phase = "optimizer.step"
            engine.step()
        state = held_state(engine)

    fits = within_real_limit(budget, step) if real else within_ledger(step)
    curve.flush()
    said = "fits" if fits else f"failed to allocate in {ledger.phase}"
    emit.event("fits" if fits else "oom", ledger.phase, f"{job.name}: {said}, {ledger.peak / MIB:.0f} MiB live at most")
    gc.collect()
    return Outcome("fits" if fits else ledger.phase.removeprefix("optimizer."), ledger.peak, state)


def keeps_real_limit(params: dict[str, Any]) -> bool:
    """Whether the operating system keeps the budget."""
    return params["limit"] == "real" and real_limit_available()


def within_ledger(work: Callable[[], None]) -> bool:
    """Run `work` under the ledger's budget; return whether it fitted."""
    try:
        work()
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
        return False
    return True


def held_state(engine: torch.optim.Optimizer) -> int:
    """Return the bytes of an optimizer's state."""
    tensors = (t for state in engine.state.values() for t in state.values() if torch.is_tensor(t))
    return sum(t.untyped_storage().nbytes() for t in tensors)


def where_it_dies(shape: gpt.Shape, checkpointed: bool, optimizer: str, budget: int) -> str:
    """Return the first phase that needs more bytes than the budget, or `fits`.

    The block whose backward comes last has every gradient beside it; at the loss there is none yet.
    """
    weights = 4 * gpt.parameter_count(shape)
    last_block = gpt.peak_bytes(replace(shape, layers=1, vocabulary=1), checkpointed)
    phases = {
        "forward": weights + gpt.saved_bytes(shape, checkpointed),
        "backward": weights + max(gpt.peak_bytes(shape, checkpointed), weights + last_block),
        "step": 2 * weights + STATE_BYTES[optimizer] * gpt.parameter_count(shape),
    }
    return next((phase for phase, need in phases.items() if need > budget), "fits")


def what_fits(adamw: str, half_batch: str, sgd: str) -> str:
    """Return the first remedy after which nothing dies, as the bet names it."""
    remedies = {"checkpoint": adamw, "batch": half_batch, "sgd": sgd}
    return next((remedy for remedy, died in remedies.items() if died == "fits"), "nothing")


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield where each job should die, from the bytes it needs against the budget."""
    shape, budget = shape_of(params), params["budget_mb"] * MIB
    half = replace(shape, batch=max(1, shape.batch // 2))
    adamw, sgd = (where_it_dies(shape, True, optimizer, budget) for optimizer in ("adamw", "sgd"))
    for name, value in (
        ("plain dies", where_it_dies(shape, False, "sgd", budget)),
        ("where it dies", adamw),
        ("what fits", what_fits(adamw, where_it_dies(half, True, "adamw", budget), sgd)),
    ):
        yield {"name": name, "op": "==", "value": value, "unit": "choice", "source": SOURCE}
    bytes_needed = 16 * gpt.parameter_count(shape)
    yield {"name": "weights, gradients, moments", "op": "==", "value": bytes_needed, "unit": "B", "source": SOURCE}


def run(params: dict[str, Any], emit: Emit) -> None:
    """Try five jobs within the budget."""
    shape = shape_of(params)
    warm_up()
    keeper, instrument = "the ledger, which raises at the byte too many", "ledger budget"
    if keeps_real_limit(params):
        keeper, instrument = "the operating system, so that an allocation really fails", "RLIMIT_DATA"
    emit.note(f"The budget of {params['budget_mb']} MiB above the loaded process is kept by {keeper}.")
    plain, sgd, adamw, half, adafactor = (attempt(job, shape, params, emit) for job in JOBS)
    for job, outcome in zip(JOBS, (plain, sgd, adamw, half, adafactor), strict=True):
        emit.measure(f"{job.name}: peak", outcome.peak, "B", "ledger")
        emit.measure(job.name, outcome.died, "choice", instrument)
    emit.measure("plain dies", plain.died, "choice", instrument)
    emit.measure("where it dies", adamw.died, "choice", instrument)
    emit.measure("what fits", what_fits(adamw.died, half.died, sgd.died), "choice", instrument)
    emit.claim("the plain job dies in", plain.died, "==", "forward")
    emit.claim("checkpointed + SGD", sgd.died, "==", "fits")
    emit.claim("checkpointed + AdamW dies in", adamw.died, "==", "step")
    emit.claim("half the batch, still", half.died, "==", "step")
    emit.claim("checkpointed + Adafactor", adafactor.died, "==", "fits")
    emit.claim("state of SGD, bytes", sgd.state, "==", 0)
    emit.claim("Adafactor keeps less than a byte a parameter", adafactor.state, "<", gpt.parameter_count(shape))


def warm_up() -> None:
    """Load what torch loads lazily, so that the budget pays for tensors alone."""
    model = nn.Linear(4, 4)
    for make in OPTIMIZERS.values():
        full_checkpoint(model, torch.ones(1, 4, requires_grad=True)).sum().backward()
        make(model.parameters()).step()
    gc.freeze()  # collecting between the jobs need not look at all of torch again


if __name__ == "__main__":
    main(__file__, predict, run)
