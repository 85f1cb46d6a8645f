"""Four ways to run a forward pass: train, eval, no_grad, inference_mode. Which of them keep activations?

Run:  python -m experiments.saved_tensors.eval_vs_no_grad --dropout 0.1

Look at the curves: under train and eval live memory climbs with every block and stays, under no_grad each block's
tensors go as soon as the next one runs. `eval()` changes what dropout computes and nothing that autograd keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

import torch

from experiments.emit import Emit, Refused, main
from experiments.instruments.ledger import Curve, Ledger
from experiments.instruments.saved import saved_for_backward
from experiments.models import GPT, batch_of, device, shape_of
from tutor.formulas import gpt
from tutor.formulas.saved_tensors import forward_peak_bytes

MIB = 2**20
LARGEST = 256 * MIB
"""Bytes of activations a run is kept to."""
LOSS = 4
"""Bytes of the loss, the only tensor that a name holds after the forward pass."""


@dataclass(frozen=True)
class Mode:
    """How a forward pass is run."""

    name: str
    training: bool
    around: Callable[[], AbstractContextManager[Any]]


def without_graph() -> AbstractContextManager[Any]:
    """The technique itself: no graph is recorded, so no operation keeps anything for backward."""
    return torch.no_grad()


def modes() -> list[Mode]:
    """Return the four modes; only the last two are without a graph."""
    return [
        Mode("train", True, nullcontext),
        Mode("eval", False, nullcontext),
        Mode("no_grad", True, without_graph),
        Mode("inference_mode", False, torch.inference_mode),
    ]


@dataclass
class Forward:
    """What one forward pass was seen to do."""

    saved: int
    held: int
    peak: int


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says, before anything runs. Raises Refused for sizes that are too large for a run."""
    train, evaluated = shapes(params)
    if theory(train) > LARGEST:
        ask = f"These sizes keep {theory(train) / MIB:.0f} MiB of activations and a run stops at {LARGEST // MIB}"
        raise Refused(f"{ask}; choose fewer layers or tokens, or a smaller batch or vocabulary.")
    ratio = theory(evaluated) / theory(train)
    counted = "saved tensors of a GPT, counted (tutor.formulas.gpt)"
    none = "nothing is recorded, so nothing is kept"
    for name, op, value, unit, source in (
        ("saved, train", "~", theory(train), "B", counted),
        ("saved, eval", "~", theory(evaluated), "B", counted),
        ("saved, no_grad", "==", 0, "B", none),
        ("saved, inference_mode", "==", 0, "B", none),
        ("held, no_grad", "==", LOSS, "B", none),
        ("held, inference_mode", "==", LOSS, "B", none),
        ("peak, no_grad", "~", forward_peak_bytes(train), "B", "one block or the loss (tutor.formulas.saved_tensors)"),
        ("eval / train", "~", ratio, "x", counted),
        ("what eval keeps", "==", kept_share(ratio), "choice", counted),
        ("what no_grad keeps", "==", "nothing", "choice", none),
    ):
        yield {"name": name, "op": op, "value": value, "unit": unit, "source": source}


def shapes(params: dict[str, Any]) -> tuple[gpt.Shape, gpt.Shape]:
    """Return the shape in training, with dropout, and in evaluation, where dropout does nothing."""
    plain = shape_of(params)
    return replace(plain, dropout=params["dropout"] > 0), plain


def theory(shape: gpt.Shape) -> float:
    """Return the bytes a forward pass keeps: the closed form, and a token's 16 of ids and 8 of the last norm's statistics."""
    return gpt.saved_bytes(shape) + 24 * shape.batch * shape.tokens


def kept_share(ratio: float) -> str:
    """Return how much is kept beside training, as the bets name it."""
    return "nothing" if ratio < 0.001 else "same" if 0.999 < ratio < 1.001 else "less"


def forward(shape: gpt.Shape, params: dict[str, Any], mode: Mode, emit: Emit) -> Forward:
    """Run a forward pass twice: under the ledger for its memory, then for what autograd keeps. The loss stays alive."""
    torch.manual_seed(params["seed"])
    model = GPT(shape, params["dropout"]).to(device()).train(mode.training)
    ids, targets = batch_of(shape, params["seed"])
    # A block is about thirty operations: this draws three or four points a block.
    curve = Curve(lambda point: emit.point(mode.name, point[0], (point[1] - base) / MIB, point[2]), 10)
    ledger = Ledger(on_point=curve)
    ledger.register_training(model)
    ledger.register((ids, targets), "batch")
    base, ledger.phase = ledger.live, "forward"
    with ledger, mode.around():
        loss = model(ids, targets)
    curve.flush()
    held = ledger.live - base
    del loss  # the name that held the graph, and with it all that autograd kept
    with saved_for_backward(model) as saved, mode.around():
        model(ids, targets)
    return Forward(saved.bytes, held, ledger.peak - base)


def run(params: dict[str, Any], emit: Emit) -> None:
    """Run the forward pass in each mode, and compare what is left of it."""
    train, evaluated = shapes(params)
    seen: dict[str, Forward] = {}
    for mode in modes():
        emit.series(mode.name, f"live MiB above parameters, {mode.name}", "operation", "MiB", "MiB")
        seen[mode.name] = one = forward(evaluated, params, mode, emit)
        emit.measure(f"saved, {mode.name}", one.saved, "B", "saved_tensors_hooks")
        emit.measure(f"held, {mode.name}", one.held, "B", "ledger")
        if mode.name != "inference_mode":  # there the dispatcher shows cross-entropy whole, and not what it allocates
            emit.measure(f"peak, {mode.name}", one.peak, "B", "ledger")
    ratio, left = (seen[name].saved / seen["train"].saved for name in ("eval", "no_grad"))
    emit.measure("eval / train", ratio, "x", "saved_tensors_hooks")
    emit.measure("what eval keeps", kept_share(ratio), "choice", "saved_tensors_hooks")
    emit.measure("what no_grad keeps", kept_share(left), "choice", "saved_tensors_hooks")

    emit.claim("saved, train", seen["train"].saved, "~", theory(train), tolerance=0.01)
    emit.claim("saved, eval", seen["eval"].saved, "~", theory(evaluated), tolerance=0.01)
    emit.claim("held, eval", seen["eval"].held, "~", seen["eval"].saved, tolerance=0.01)
    emit.claim("saved, no_grad", seen["no_grad"].saved, "==", 0)
    emit.claim("held, no_grad", seen["no_grad"].held, "==", LOSS)
    emit.claim("held, inference_mode", seen["inference_mode"].held, "==", LOSS)
    emit.claim("peak, no_grad", seen["no_grad"].peak, "~", forward_peak_bytes(train), tolerance=0.01)


if __name__ == "__main__":
    main(__file__, predict, run)
