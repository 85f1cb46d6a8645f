"""A job under a memory budget: which change saves it, and in which phase it dies without.

Run:  python -m experiments.optimizer_state.optimizer_oom --budget-mb 145

Look at the phases. The plain job dies in forward, of activations. Checkpointing cures that, and the job dies again: in
`optimizer.step`, where AdamW makes its two moments. The state is another kind of memory, so what helps is another optimizer.
The budget is a real limit of the operating system where there is one, so the failure is the allocator's own; else the ledger's.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from experiments.emit import Emit, Refused, main
from experiments.instruments.budget import is_out_of_memory, real_limit_available, within_real_limit
from experiments.instruments.ledger import Ledger, thinned
from experiments.models import GPT, Wrap, batch_of, call, device
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


@dataclass
class Attempt:
    """How one job went: the phase it died in, or `fits`, and what it held at most."""

    died: str
    peak: int
    state: int


def attempt(name: str, wrap: Wrap, optimizer: str, params: dict[str, Any], emit: Emit) -> Attempt:
    """Run one training step within the budget, with the ledger looking on."""
    budget = params["budget_mb"] * MIB
    real = real_limit_available() and params["limit"] == "real"
    emit.series(name, f"live MiB, {name}", "operation", "MiB", "MiB")
    ledger = Ledger(budget=None if real else budget)
    state = 0

    def work() -> None:
        nonlocal state
        torch.manual_seed(params["seed"])
        ledger.phase = "forward"
        model = GPT(params["layers"], params["width"], params["heads"], params["tokens"], params["vocabulary"]).to(device())
        engine = OPTIMIZERS[optimizer](model.parameters())
        ids, targets = batch_of(params["batch"], params["tokens"], params["vocabulary"], params["seed"])
        ledger.register_training(model)
        with ledger:
            loss = model(ids, targets, wrap)
            ledger.phase = "backward"
            loss.backward()
            del loss
            ledger.phase = "optimizer.step"
            engine.step()
        state = held_state(engine)

    fits = within_real_limit(budget, work) if real else within_ledger(work)
    died = "fits" if fits else {"optimizer.step": "step"}.get(ledger.phase, ledger.phase)
    for operation, live, phase in thinned(ledger.points, 60):
        emit.point(name, operation, live / MIB, phase)
    word = "fits" if fits else f"failed to allocate in {ledger.phase}"
    emit.event("fits" if fits else "oom", ledger.phase, f"{name}: {word}, {ledger.peak / MIB:.0f} MiB live at most")
    gc.collect()
    return Attempt(died, ledger.peak, state)


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


def needs(params: dict[str, Any]) -> dict[str, float]:
    """Return the bytes that theory asks for: of the plain forward, and of a checkpointed step with SGD and with AdamW."""
    shape = gpt.Shape(params["layers"], params["width"], params["heads"], params["tokens"], params["batch"], params["vocabulary"])
    count = gpt.parameter_count(shape)
    block = gpt.F32 * shape.batch * shape.tokens * shape.width * (gpt.block_saved_units(shape) + 4)
    checkpointed = 8 * count + gpt.saved_bytes(shape, checkpointed=True) + block
    return {
        "forward": 4 * count + gpt.saved_bytes(shape),
        "sgd": checkpointed,
        "adamw": max(checkpointed, (8 + STATE_BYTES["adamw"]) * count),
    }


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield where each job should die, from the bytes it needs against the budget."""
    budget, need = params["budget_mb"] * MIB, needs(params)
    plain = "forward" if need["forward"] > budget else "fits"
    adamw = "step" if need["adamw"] > budget >= need["sgd"] else "fits" if need["adamw"] <= budget else "backward"
    fits = "sgd" if need["sgd"] <= budget < need["adamw"] else "checkpoint" if need["adamw"] <= budget else "nothing"
    for name, value in (("plain dies", plain), ("where it dies", adamw), ("what fits", fits)):
        yield {"name": name, "op": "==", "value": value, "unit": "choice", "source": SOURCE}
    yield {"name": "bytes needed, checkpointed + AdamW", "op": ">=", "value": need["adamw"], "unit": "B", "source": SOURCE}


def run(params: dict[str, Any], emit: Emit) -> None:
    """Try four jobs within the budget."""
    if params["width"] % params["heads"]:
        raise Refused(f"width {params['width']} is not a multiple of {params['heads']} heads; choose one that is.")
    warm_up()
    real = real_limit_available() and params["limit"] == "real"
    how = "a limit of the operating system: the allocation really fails" if real else "the ledger's budget: it raises at the byte too many"
    emit.note(f"Budget {params['budget_mb']} MiB, kept by {how}.")
    jobs = {
        "plain + SGD": attempt("plain + SGD", call, "sgd", params, emit),
        "checkpointed + SGD": attempt("checkpointed + SGD", full_checkpoint, "sgd", params, emit),
        "checkpointed + AdamW": attempt("checkpointed + AdamW", full_checkpoint, "adamw", params, emit),
        "checkpointed + Adafactor": attempt("checkpointed + Adafactor", full_checkpoint, "adafactor", params, emit),
    }
    instrument = "rlimit and ledger" if real else "ledger budget"
    for name, job in jobs.items():
        emit.measure(f"{name}: peak", job.peak, "B", "ledger")
        emit.measure(name, job.died, "choice", instrument)
    sgd, adamw = jobs["checkpointed + SGD"], jobs["checkpointed + AdamW"]
    emit.measure("plain dies", jobs["plain + SGD"].died, "choice", instrument)
    emit.measure("where it dies", adamw.died, "choice", instrument)
    emit.measure("what fits", "checkpoint" if adamw.died == "fits" else "sgd" if sgd.died == "fits" else "nothing", "choice", instrument)
    emit.claim("plain job dies in", jobs["plain + SGD"].died, "==", "forward")
    emit.claim("checkpointed + SGD", sgd.died, "==", "fits")
    emit.claim("checkpointed + AdamW dies in", adamw.died, "==", "step")
    emit.claim("checkpointed + Adafactor", jobs["checkpointed + Adafactor"].died, "==", "fits")
    emit.claim("state of SGD, bytes", sgd.state, "==", 0)


def warm_up() -> None:
    """Load what torch loads lazily, so that the budget pays for tensors alone."""
    model = nn.Linear(4, 4)
    for make in OPTIMIZERS.values():
        full_checkpoint(model, torch.ones(1, 4, requires_grad=True)).sum().backward()
        make(model.parameters()).step()


if __name__ == "__main__":
    main(__file__, predict, run)
