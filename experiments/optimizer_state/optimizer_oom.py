"""A job under a memory budget: which change saves it, and in which phase it dies without.

Run:  python -m experiments.optimizer_state.optimizer_oom --budget-mb 50

Look at the phases. The plain job dies in forward, of activations. Checkpointing cures that, and the job dies again: in
`optimizer.step`, where AdamW makes its two moments. Half the batch does not help, since the state is another kind of
memory; an optimizer with less state does. The table's `needs` shows that foreach asks for 4 bytes a parameter more. The
budget is a real limit of the operating system where there is one; elsewhere the ledger keeps it. Untested on CUDA.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import nn

from experiments.emit import Emit, main
from experiments.instruments.budget import real_limit_available, within_real_limit
from experiments.instruments.ledger import Curve, Ledger
from experiments.models import GPT, Wrap, batch_of, call, device, shape_of
from experiments.optimizer_state.bytes_per_parameter import OPTIMIZERS as MAKERS
from experiments.optimizer_state.bytes_per_parameter import state_bytes
from experiments.recomputation.checkpoint import full_checkpoint
from tutor.formulas import gpt
from tutor.formulas import optimizer as formulas

MIB = 2**20
SOURCE = "bytes a parameter (4 weights, 4 gradients, 8 moments) plus saved tensors (tutor.formulas)"
OPTIMIZERS = {
    **{name: MAKERS[name] for name in ("sgd", "momentum", "adamw", "adafactor", "8-bit-adam")},
    "adamw-foreach": lambda weights: torch.optim.AdamW(weights, lr=1e-3, foreach=True),  # what CUDA does when not asked
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
    Job("plain + AdamW", call, "adamw"),
    Job("checkpointed + momentum", full_checkpoint, "momentum"),
    Job("checkpointed + AdamW with foreach", full_checkpoint, "adamw-foreach"),
    Job("checkpointed + 8-bit Adam", full_checkpoint, "8-bit-adam"),
)
CLAIMS = (
    ("the plain job dies in", "plain + SGD", "forward"),
    ("checkpointed + SGD", "checkpointed + SGD", "fits"),
    ("checkpointed + AdamW dies in", "checkpointed + AdamW", "step"),
    ("half the batch, still", "checkpointed + AdamW, half the batch", "step"),
    ("checkpointed + Adafactor", "checkpointed + Adafactor", "fits"),
    ("checkpointed + momentum", "checkpointed + momentum", "fits"),
    ("with foreach, too", "checkpointed + AdamW with foreach", "step"),
    ("checkpointed + 8-bit Adam", "checkpointed + 8-bit Adam", "fits"),
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
        state = state_bytes(engine)

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
    with suppress(torch.OutOfMemoryError):
        work()
        return True
    return False


def phases_of(job: Job, shape: gpt.Shape) -> dict[str, float]:
    """Return the bytes that each phase of a job's one step needs, by the formulas."""
    shape = replace(shape, batch=max(1, shape.batch // job.divide_batch))
    optimizer, foreach = job.optimizer.removesuffix("-foreach"), job.optimizer.endswith("-foreach")
    count, checkpointed = gpt.parameter_count(shape), job.wrap is full_checkpoint
    return formulas.phase_needs(shape, count, optimizer, checkpointed, foreach=foreach)


def where_it_dies(job: Job, shape: gpt.Shape, budget: int) -> str:
    """Return the first phase that needs more bytes than the budget, or `fits`."""
    return formulas.first_over(phases_of(job, shape), budget).replace("never", "fits")


def what_fits(adamw: str, half_batch: str, sgd: str) -> str:
    """Return the first remedy after which nothing dies, as the bet names it."""
    remedies = {"checkpoint": adamw, "batch": half_batch, "sgd": sgd}
    return next((remedy for remedy, died in remedies.items() if died == "fits"), "nothing")


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield where each job should die, from the bytes it needs against the budget."""
    shape = shape_of(params)
    dies = {job.name: where_it_dies(job, shape, params["budget_mb"] * MIB) for job in JOBS}
    for name, value in (dies | answers(dies)).items():
        yield {"name": name, "op": "==", "value": value, "unit": "choice", "source": SOURCE}


def answers(dies: dict[str, str]) -> dict[str, str]:
    """Return what settles the bets, from where each job dies."""
    adamw, half = dies["checkpointed + AdamW"], dies["checkpointed + AdamW, half the batch"]
    fits = what_fits(adamw, half, dies["checkpointed + SGD"])
    return {"plain dies": dies["plain + SGD"], "where it dies": adamw, "what fits": fits}


def run(params: dict[str, Any], emit: Emit) -> None:
    """Try each job within the budget."""
    shape = shape_of(params)
    warm_up()
    keeper, instrument = "the ledger, which raises at the byte too many", "ledger budget"
    if keeps_real_limit(params):
        keeper, instrument = "the operating system, so that an allocation really fails", "RLIMIT_DATA"
    emit.note(f"The budget of {params['budget_mb']} MiB above the loaded process is kept by {keeper}.")
    outcomes: dict[str, Outcome] = {}
    for job in JOBS:
        outcome = outcomes[job.name] = attempt(job, shape, params, emit)
        needs = round(max(phases_of(job, shape).values()) / MIB)
        emit.row("jobs", job=job.name, needs=needs, dies=outcome.died, peak=round(outcome.peak / MIB))
        emit.measure(f"{job.name}: peak", outcome.peak / MIB, "MiB", "ledger")
        emit.measure(job.name, outcome.died, "choice", instrument)
    for name, value in answers({job.name: outcomes[job.name].died for job in JOBS}).items():
        emit.measure(name, value, "choice", instrument)

    for name, job, died in CLAIMS:
        emit.claim(name, outcomes[job].died, "==", died)
    states = {job.optimizer: outcomes[job.name].state for job in JOBS}
    for optimizer in ("sgd", "momentum", "adafactor", "8-bit-adam"):
        theory = formulas.held_state_bytes(gpt.parameter_shapes(shape), optimizer)
        emit.claim(f"state of {optimizer}, bytes", states[optimizer], "==", theory)


def warm_up() -> None:
    """Load what torch loads lazily, so that the budget pays for tensors alone."""
    model = nn.Linear(4, 4)
    for make in OPTIMIZERS.values():
        full_checkpoint(model, torch.ones(1, 4, requires_grad=True)).sum().backward()
        make(model.parameters()).step()


if __name__ == "__main__":
    main(__file__, predict, run)
