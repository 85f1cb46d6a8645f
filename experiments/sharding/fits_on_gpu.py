"""Does a 7B model train on an 80 GB GPU? Asked of fake tensors: the true model, a true step, and no memory.

Run:  python -m experiments.sharding.fits_on_gpu --precision bf16 --checkpoint true --batch 4

Look at the row of the peak, by category, and at its phase: activations fill backward, but AdamW over all tensors at once
(foreach, what it picks on CUDA) peaks in its step, where no activation is left to save. With `--ranks` above 1 the peak of one rank under
FSDP is computed from the measured timeline. Counted are tensors alone: no allocator rounding, no fragmentation, no cuBLAS workspace,
no CUDA context. Untested on CUDA.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from experiments.emit import Emit, Refused, main
from experiments.instruments.fake import Job, estimate, sharded_peak
from experiments.instruments.ledger import Curve
from experiments.models import Wrap
from experiments.models_llama import Llama
from experiments.optimizers import Factored, MasterCopy
from tutor.formulas import llama

GB = 1e9
LARGEST_REPLAY = 36
"""Layers of the deepest model whose checkpointed step is still a short run."""
SOURCE = "weights, state, saved tensors and the step's buffers of a LLaMA, counted (tutor.formulas.llama)"


def keep_all(block: nn.Module, *inputs: Tensor) -> Tensor:
    """Call a block plainly."""
    out: Tensor = block(*inputs)
    return out


def keep_input(block: nn.Module, *inputs: Tensor) -> Tensor:
    """Call a block through checkpointing."""
    out: Tensor = checkpoint(block, *inputs, use_reentrant=False)
    return out


def optimizer_of(params: dict[str, Any]) -> Callable[[Iterable[nn.Parameter]], Any]:
    """Return what makes the optimizer; `foreach` is set, since left alone it is the loop here and all at once on CUDA."""
    kinds: dict[str, Callable[[Iterable[nn.Parameter]], torch.optim.Optimizer]] = {
        "adamw": lambda weights: torch.optim.AdamW(weights, foreach=params["foreach"]),
        "sgd": lambda weights: torch.optim.SGD(weights, lr=0.1, foreach=params["foreach"]),
        "factored": Factored,
    }
    inner = kinds[params["optimizer"]]
    return (lambda weights: MasterCopy(weights, inner)) if params["precision"] == "bf16-master" else inner


def batch_of(shape: llama.Shape) -> tuple[Tensor, Tensor]:
    """Return token ids and targets; their values do not matter."""
    ids = torch.zeros(shape.batch, shape.tokens, dtype=torch.long)
    return ids, ids.clone()


def job_of(shape: llama.Shape, params: dict[str, Any]) -> Job:
    """Return the training step: model, batch, loss and optimizer, none of them made yet."""
    wrap: Wrap = keep_input if params["checkpoint"] else keep_all

    return Job(
        lambda: Llama(shape),
        lambda: batch_of(shape),
        lambda model, two: model(*two, wrap),
        optimizer_of(params),
        settle=True,
    )


def sizes(params: dict[str, Any]) -> tuple[llama.Shape, llama.Recipe]:
    """Return the shape and the bytes a parameter. Raises Refused for a step that takes too long."""
    if params["checkpoint"] and params["layers"] > LARGEST_REPLAY:
        raise Refused(
            f"A replay of {params['layers']} layers is a long run; choose at most {LARGEST_REPLAY}, or no checkpointing."
        )
    shape = llama.Shape(layers=params["layers"], tokens=params["tokens"], batch=params["batch"])
    return shape, llama.recipe(params["precision"], params["optimizer"], params["foreach"])


def verdict(peak: float, budget: float) -> str:
    """Return whether a peak fits, as the bet names it."""
    return "room" if peak <= 0.75 * budget else "tight" if peak <= budget else "no"


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the peak, its phase and whether it fits, from closed forms."""
    shape, recipe = sizes(params)
    count, budget = llama.parameter_count(shape), params["budget_gb"] * GB
    alone = llama.peak_bytes(shape, recipe, params["checkpoint"])
    rank = llama.peak_bytes(shape, recipe, params["checkpoint"], params["ranks"])
    yield {"name": "parameters", "op": "==", "value": count, "unit": "", "source": "2Vd + L(4d² + 3dF) + (2L + 1)d"}
    for name, value, unit in (
        ("peak", alone, "B"),
        ("peak a rank", rank, "B"),
        ("peak over weights", alone / (recipe.weights * count), "x"),
        ("phase", llama.phase_of_peak(shape, recipe, params["checkpoint"]), "choice"),
        ("fits", verdict(rank, budget), "choice"),
    ):
        yield {"name": name, "op": "==" if unit == "choice" else "~", "value": value, "unit": unit, "source": SOURCE}


def run(params: dict[str, Any], emit: Emit) -> None:
    """Take the step with fake tensors and compare with the closed forms and the budget."""
    shape, recipe = sizes(params)
    emit.note(
        "Tensors alone are counted: no allocator rounding, fragmentation, cuBLAS workspace or CUDA context; untested on CUDA."
    )
    emit.series("live", "live GB of a step, by fake tensors", "operation", "GB", "GB")
    curve = Curve(lambda point: emit.point("live", point[0], point[1] / GB, point[2]), 2 * shape.layers)
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float32 if params["precision"] == "fp32" else torch.bfloat16)
    try:
        ledger = estimate(job_of(shape, params), curve)
    finally:
        torch.set_default_dtype(before)
    curve.flush()

    by_category = +ledger.peak_by_category
    for category, size in by_category.most_common(4):
        emit.row("at the peak", category=category, gigabytes=round(size / GB, 2))
    weights = by_category["parameter"]
    count, phase = weights // recipe.weights, ledger.peak_phase.removeprefix("optimizer.")
    rank = sharded_peak(ledger, params["ranks"], recipe.weights * llama.block_parameters(shape))
    fits = verdict(rank, params["budget_gb"] * GB)
    emit.measure("parameters", count, "", "fake tensors")
    emit.measure("peak", ledger.peak, "B", "ledger, fake tensors")
    emit.measure("peak a rank", rank, "B", "computed from the measured timeline")
    emit.measure("peak over weights", ledger.peak / weights, "x", "ledger, fake tensors")
    emit.measure("phase", phase, "choice", f"ledger, at {ledger.peak_operation}")
    emit.measure("fits", fits, "choice", f"against {params['budget_gb']} GB")

    emit.claim("parameters", count, "==", llama.parameter_count(shape))
    emit.claim("peak", ledger.peak, "~", llama.peak_bytes(shape, recipe, params["checkpoint"]), tolerance=0.03)
    expected = llama.peak_bytes(shape, recipe, params["checkpoint"], params["ranks"])
    emit.claim("peak a rank", rank, "~", expected, tolerance=0.05)
    emit.claim("phase", phase, "==", llama.phase_of_peak(shape, recipe, params["checkpoint"]))
    emit.claim("fits", fits, "==", verdict(expected, params["budget_gb"] * GB))


if __name__ == "__main__":
    main(__file__, predict, run)
