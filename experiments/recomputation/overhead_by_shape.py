"""What checkpointing costs on four models: the same line of code, four overheads.

Run:  python -m experiments.recomputation.overhead_by_shape --pairs 9

Look at the FLOPs ratio of each model first: it follows from what the blocks compute, since the head is not replayed
and neither is a block's last Linear. Then look at the time ratio beside it, taken in pairs. It is this machine's, at
this moment, and for the tiny model it has little to do with FLOPs: there each operation costs more to start than to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from experiments.emit import Emit, Refused, main
from experiments.instruments.flops import count_flops
from experiments.instruments.paired import paired_ratios
from experiments.models import GPT, Wrap, batch_of, call, device
from tutor.formulas import gpt

LARGEST_RUN = 200e9
"""FLOPs of all steps of a run: some seconds on one core."""


def full_checkpoint(block: nn.Module, x: Tensor) -> Tensor:
    """The technique itself: keep the input of the block, run the block again in backward."""
    out: Tensor = checkpoint(block, x, use_reentrant=False)
    return out


def shapes(params: dict[str, Any]) -> dict[str, gpt.Shape]:
    """Return the four models, each with another part that dominates."""
    return {
        "tiny": gpt.Shape(8, width=32, heads=2, tokens=16, batch=1, vocabulary=64),
        "attention": gpt.Shape(2, width=64, heads=8, tokens=params["tokens"], batch=1, vocabulary=64, mlp=1),
        "MLP": gpt.Shape(2, width=256, heads=4, tokens=64, batch=2, vocabulary=64, mlp=8),
        "vocabulary": gpt.Shape(2, width=128, heads=4, tokens=64, batch=2, vocabulary=params["vocabulary"]),
    }


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says of the FLOPs; of the time it says nothing. Raises Refused for runs that would take long."""
    models = shapes(params)
    # Each pair has a plain step and a checkpointed one; one pair warms up, one is under the FLOP counter.
    total = sum(gpt.step_flops(s) + gpt.step_flops(s, checkpointed=True) for s in models.values()) * (
        params["pairs"] + 2
    )
    if total > LARGEST_RUN:
        ask = f"This run takes {total / 1e9:.0f} GFLOP and a run is kept to {LARGEST_RUN / 1e9:.0f}"
        raise Refused(f"{ask}; choose fewer pairs or tokens, or a smaller vocabulary.")
    ratios = {model: gpt.flops_ratio(shape) for model, shape in models.items()}
    counted = "neither the head nor a block's last Linear is replayed (tutor.formulas.gpt)"
    for model, ratio in ratios.items():
        yield {"name": f"FLOPs ratio, {model}", "op": "==", "value": ratio, "unit": "x", "source": counted}
    for name, choice in (("grows most", most(ratios)), ("grows least", least(ratios))):
        yield {"name": name, "op": "==", "value": choice, "unit": "choice", "source": counted}


def most(ratios: dict[str, float]) -> str:
    """Return the model whose FLOPs grow by the largest factor."""
    return max(ratios, key=lambda model: ratios[model])


def least(ratios: dict[str, float]) -> str:
    """Return the model whose FLOPs grow by the smallest factor."""
    return min(ratios, key=lambda model: ratios[model])


def training_step(shape: gpt.Shape, seed: int) -> Callable[[Wrap], None]:
    """Return one training step of a model, to be called with a way to call its blocks."""
    torch.manual_seed(seed)
    model, (ids, targets) = GPT(shape).to(device()), batch_of(shape, seed)

    def step(wrap: Wrap) -> None:
        model.zero_grad()
        model(ids, targets, wrap).backward()

    return step


def run(params: dict[str, Any], emit: Emit) -> None:
    """Measure the four models, and name the two extremes."""
    ratios = {model: overhead(model, shape, params, emit) for model, shape in shapes(params).items()}
    emit.note("The times are this machine's, at this moment; nothing is claimed of them.")
    emit.measure("grows most", most(ratios), "choice", "FlopCounterMode")
    emit.measure("grows least", least(ratios), "choice", "FlopCounterMode")
    emit.claim("largest FLOPs ratio", max(ratios.values()), "<", 4 / 3)
    emit.claim("largest FLOPs ratio less the smallest", max(ratios.values()) - min(ratios.values()), ">", 0.05)


def overhead(model: str, shape: gpt.Shape, params: dict[str, Any], emit: Emit) -> float:
    """Time a model's step in pairs, plain and checkpointed, then count the FLOPs of both; return their ratio."""
    step = training_step(shape, params["seed"])
    emit.series(model, f"time, checkpointed over plain: {model}", "pair", "x", "x")
    times = []
    for ratio in paired_ratios(lambda: step(call), lambda: step(full_checkpoint), params["pairs"]):
        times.append(ratio)
        emit.point(model, len(times), ratio)
    plain, kept = count_flops(lambda: step(call)), count_flops(lambda: step(full_checkpoint))
    emit.row("overhead", model=model, FLOPs=round(kept / plain, 3), time=round(median(times), 2))
    emit.measure(f"FLOPs, {model}, plain", plain, "FLOP", "FlopCounterMode")
    emit.measure(f"FLOPs, {model}, checkpointed", kept, "FLOP", "FlopCounterMode")
    emit.measure(f"FLOPs ratio, {model}", kept / plain, "x", "FlopCounterMode")
    emit.measure(f"time ratio, {model}", median(times), "x", f"clock, median of {len(times)} pairs")
    again = gpt.step_flops(shape, checkpointed=True) - gpt.step_flops(shape)
    emit.claim(f"FLOPs replayed, {model}", kept - plain, "==", again)
    return kept / plain


if __name__ == "__main__":
    main(__file__, predict, run)
