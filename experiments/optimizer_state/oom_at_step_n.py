"""Four jobs that survive their first steps and then run out of memory, each for a reason of its own.

Run:  python -m experiments.optimizer_state.oom_at_step_n --budget-mb 17

Look at when and where each dies. AdamW's state comes at the end of step 1, so the forward of step 2 is the first with state
and activations together. The longest batch may come at any step. `keep_loss` keeps a graph with each validation loss, and
memory climbs until it is full. `evaluate` under `eval()` alone saves activations for a backward that never comes. Each is
run again with its cure. The ledger keeps the budget: it raises at the byte too many. Untested on CUDA.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from experiments.emit import Emit, Refused, main
from experiments.instruments.ledger import Curve, Ledger
from experiments.models import GPT, Wrap, batch_of, call, device, shape_of
from experiments.recomputation.checkpoint import full_checkpoint
from tutor.formulas import gpt
from tutor.formulas import optimizer as formulas

MIB = 2**20
SOURCE = "bytes a parameter plus saved tensors (tutor.formulas)"
CAUSES = ("state", "long batch", "kept losses", "evaluation")


@dataclass
class Job:
    """A model in training under a budget, and the ledger that keeps it."""

    shape: gpt.Shape
    seed: int
    ledger: Ledger

    def __post_init__(self) -> None:
        torch.manual_seed(self.seed)
        with self.ledger:
            self.model = GPT(self.shape).to(device())
            self.ledger.register_training(self.model)
        self.kept: list[Tensor | float] = []
        self.optimizer: torch.optim.Optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01, foreach=False)

    def batch(self, step: int, sequences: int, tokens: int) -> tuple[Tensor, Tensor]:
        """Return the batch of a step."""
        return batch_of(replace(self.shape, batch=sequences, tokens=tokens), self.seed + step)

    def train(self, step: int, sequences: int, tokens: int, wrap: Wrap = call) -> None:
        """Take one training step."""
        self.optimizer.zero_grad()
        self.ledger.phase = "forward"
        loss = self.model(*self.batch(step, sequences, tokens), wrap)
        self.ledger.phase = "backward"
        loss.backward()
        self.ledger.phase = "optimizer.step"
        self.optimizer.step()


def keep_loss(kept: list[Tensor | float], loss: Tensor) -> None:
    """The leak: a loss that had no backward brings its whole graph along, and all that is saved in it."""
    kept.append(loss)


def keep_number(kept: list[Tensor | float], loss: Tensor) -> None:
    """The cure: keep the number and let the graph go."""
    kept.append(loss.item())


def evaluate(model: GPT, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Evaluate in eval mode alone: dropout is off, and autograd saves as before."""
    loss: Tensor = model.eval()(*batch)
    return loss


@torch.no_grad()
def evaluate_without_graph(model: GPT, batch: tuple[Tensor, Tensor]) -> Tensor:
    """The cure: no graph, nothing saved."""
    return evaluate(model, batch)


def steps_of(cured: bool, params: dict[str, Any]) -> dict[str, Callable[[Job, int], None]]:
    """Return for each cause what a job does in step number n."""
    sequences, tokens, late = params["batch"], params["tokens"], params["late"]

    def state(job: Job, step: int) -> None:
        """AdamW's state meets the activations; cured by checkpointing, which leaves few activations to meet."""
        if step == 1:
            job.optimizer = torch.optim.AdamW(job.model.parameters(), foreach=False)
        job.train(step, sequences, tokens, full_checkpoint if cured else call)

    def long_batch(job: Job, step: int) -> None:
        """One batch is longer than all others; cured by cutting it."""
        job.train(step, sequences, tokens if cured or step != late else params["long_tokens"])

    def kept_losses(job: Job, step: int) -> None:
        """Validation on one sequence at a time, each loss kept for the mean; cured by keeping numbers."""
        job.ledger.phase = "validation"
        (keep_number if cured else keep_loss)(job.kept, job.model(*job.batch(step, 1, tokens)))

    def evaluation(job: Job, step: int) -> None:
        """A batch twice as large in evaluation, where no gradient is wanted; cured by recording no graph."""
        job.train(step, sequences, tokens)
        if step == late:
            job.optimizer.zero_grad()
            job.ledger.phase = "evaluation"
            (evaluate_without_graph if cured else evaluate)(job.model, job.batch(step, 2 * sequences, tokens))

    return {"state": state, "long batch": long_batch, "kept losses": kept_losses, "evaluation": evaluation}


def run_until_death(cause: str, cured: bool, params: dict[str, Any], emit: Emit) -> str:
    """Run a job until it dies; return phase and step, as `forward-2`, or `never`."""
    name = f"{cause}, cured" if cured else cause
    emit.series(name, f"live MiB, {name}", "operation", "MiB", "MiB")
    curve = Curve(lambda point: emit.point(name, point[0], point[1] / MIB, point[2]), 10 * params["layers"])
    ledger = Ledger(budget=params["budget_mb"] * MIB, on_point=curve)
    job, step, died = Job(model_shape(params), params["seed"], ledger), steps_of(cured, params)[cause], "never"
    for number in range(1, (params["validations"] if cause == "kept losses" else params["late"] + 1) + 1):
        try:
            with ledger:
                step(job, number)
        except torch.OutOfMemoryError:
            died = f"{ledger.phase.removeprefix('optimizer.')}-{number}"
            break
    curve.flush()
    emit.event("fits" if died == "never" else "oom", ledger.phase, f"{name}: {died}")
    emit.row("deaths", job=name, dies=died, peak=ledger.peak)
    return died


def model_shape(params: dict[str, Any]) -> gpt.Shape:
    """Return the model, with positions for the longest batch."""
    return replace(shape_of(params), tokens=max(params["tokens"], params["long_tokens"]))


def expected(params: dict[str, Any]) -> dict[str, str]:
    """Return when and where each job dies by the formulas."""
    shape, budget, late = shape_of(params), params["budget_mb"] * MIB, params["late"]
    count = gpt.parameter_count(model_shape(params))
    usual = formulas.phase_needs(shape, count, "sgd")
    longer = formulas.phase_needs(replace(shape, tokens=params["long_tokens"]), count, "sgd")
    number = formulas.step_of_death(budget, 4 * count, gpt.saved_bytes(replace(shape, batch=1)))
    doubled = 4 * count + gpt.saved_bytes(replace(shape, batch=2 * shape.batch))

    def with_state(checkpointed: bool) -> dict[str, float]:
        """Return what the first two steps of AdamW need."""
        first, later = (formulas.phase_needs(shape, count, "adamw", checkpointed, begun) for begun in (False, True))
        return {f"{phase}-1": need for phase, need in first.items()} | {f"{p}-2": need for p, need in later.items()}

    by_cause = {
        "state": formulas.first_over(with_state(False), budget),
        "state, cured": formulas.first_over(with_state(True), budget),
        "long batch": formulas.first_over({f"{phase}-{late}": need for phase, need in longer.items()}, budget),
        "kept losses": f"validation-{number}" if number <= params["validations"] else "never",
        "evaluation": formulas.first_over({f"evaluation-{late}": doubled}, budget),
    }
    if max(usual.values()) > budget:
        need = max(usual.values()) / MIB
        raise Refused(f"A first step needs {need:.0f} MiB; choose a larger budget, so that later steps are what fails.")
    return by_cause | {f"{cause}, cured": "never" for cause in CAUSES[1:]}


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield when and where each job dies. Raises Refused where a first step does not fit."""
    for name, value in expected(params).items():
        yield {"name": f"{name}: dies", "op": "==", "value": value, "unit": "choice", "source": SOURCE}


def run(params: dict[str, Any], emit: Emit) -> None:
    """Run the four jobs, each as it is and with its cure."""
    theory = expected(params)
    for cause in CAUSES:
        for cured in (False, True):
            name = f"{cause}, cured" if cured else cause
            died = run_until_death(cause, cured, params, emit)
            emit.measure(f"{name}: dies", died, "choice", "ledger budget")
            emit.claim(f"{name}: dies", died, "==", theory[name])


if __name__ == "__main__":
    main(__file__, predict, run)
