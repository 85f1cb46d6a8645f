"""A large vocabulary: the peak stands at the loss, and a loss in chunks takes it down.

Run:  python -m experiments.saved_tensors.logits_peak --chunks 16

Look at `chunked_loss`: it hands the head and the loss a slice of the tokens at a time and checkpoints each slice, so that
the logits of one slice are alive at once. Watch the spike in the middle of the whole curve, after forward and before any
block's backward, and how low the chunked curve stays. More chunks help until the gradient of the head's weight rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from experiments.emit import Emit, Refused, main
from experiments.instruments.watched import watched
from experiments.models import GPT, batch_of, device, shape_of
from experiments.recomputation.checkpoint import full_checkpoint
from tutor.formulas import logits as formula
from tutor.formulas.gpt import Shape

MIB = 2**20
LARGEST_PEAK = 2**28
"""Bytes of activations a run is kept to."""
SOURCE = "hidden states and copies of the logits, counted (tutor.formulas.logits)"
ROUNDING = 1e-4
NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four"}


class Loss(Protocol):
    """Takes the head, the hidden states (rows, width) and the targets (rows), and returns the mean loss."""

    def __call__(self, head: nn.Module, hidden: Tensor, targets: Tensor) -> Tensor: ...


def summed_loss(head: nn.Module, hidden: Tensor, targets: Tensor) -> Tensor:
    """Return the loss summed over rows; the logits are alive in here alone."""
    return nn.functional.cross_entropy(head(hidden), targets, reduction="sum")


def whole_loss(head: nn.Module, hidden: Tensor, targets: Tensor) -> Tensor:
    """Return the loss of all rows at once."""
    return summed_loss(head, hidden, targets) / len(targets)


def named_loss(head: nn.Module, hidden: Tensor, targets: Tensor) -> Tensor:
    """Return the loss of all rows at once, with a name that keeps the logits as long as the loss lives."""
    logits = head(hidden)
    loss = nn.functional.cross_entropy(logits, targets)
    loss.logits = logits  # type: ignore[attr-defined]
    return loss


def chunked_loss(head: nn.Module, hidden: Tensor, targets: Tensor, chunks: int) -> Tensor:
    """The technique itself: the logits of a slice are made, used, forgotten, and made again in backward."""
    loss = hidden.new_zeros(())
    for rows, wanted in zip(hidden.chunk(chunks), targets.chunk(chunks), strict=True):
        loss = loss + checkpoint(summed_loss, head, rows, wanted, use_reentrant=False)
    return loss / len(targets)


@dataclass
class Step:
    """What one training step was seen to do."""

    peak: int
    phase: str
    operation: str
    tensor: tuple[int, ...]
    loss: float
    gradients: list[Tensor]


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says. Raises Refused for chunks of unequal size and for sizes that are too large."""
    shape, chunks = shape_of(params), params["chunks"]
    rows = shape.batch * shape.tokens
    if rows % chunks:
        raise Refused(f"{rows} tokens do not split into {chunks} equal chunks; choose a number that divides {rows}.")
    whole, chunked = peaks(params)
    if whole > LARGEST_PEAK:
        ask = f"These sizes ask for {whole / MIB:.0f} MiB of activations and a run is kept to {LARGEST_PEAK / MIB:.0f}"
        raise Refused(f"{ask}; choose a smaller vocabulary or batch, or fewer tokens.")
    for name, value, unit in (
        ("peak, whole", whole, "B"),
        ("peak, chunked", chunked, "B"),
        ("peak ratio", chunked / whole, "x"),
    ):
        yield {"name": name, "op": "~", "value": value, "unit": unit, "source": SOURCE}
    loss_rules = formula.loss_peak_bytes(shape, formula.COPIES + params["keep_logits"]) >= whole
    for name, choice in (
        ("where the peak is", "loss" if loss_rules else "block"),
        ("copies of the logits", copies_of(whole, shape)),
        ("left by chunks", left_of(chunked / whole)),
        ("gradients", "same"),
    ):
        yield {"name": name, "op": "==", "value": choice, "unit": "choice", "source": SOURCE}


def peaks(params: dict[str, Any]) -> tuple[float, float]:
    """Return the peaks by theory, whole and chunked: the loss or a block, whichever is larger."""
    shape = shape_of(params)
    named = int(params["keep_logits"])
    whole = max(
        formula.loss_peak_bytes(shape, formula.COPIES + named),
        formula.head_peak_bytes(shape, 1 + named),
        formula.block_peak_bytes(shape, named),
    )
    return whole, max(formula.chunked_loss_peak_bytes(shape, params["chunks"]), formula.block_peak_bytes(shape))


def copies_of(peak: float, shape: Shape) -> str:
    """Return how many sizes of the logits stand above the boundaries, as the bet names it."""
    return NUMBERS.get(round((peak - formula.boundaries_bytes(shape)) / formula.logits_bytes(shape)), "more")


def left_of(ratio: float) -> str:
    """Return how much of the peak is left, as the bet names it."""
    return "all" if ratio > 0.75 else "half" if ratio > 0.4 else "part" if ratio > 0.05 else "none"


def train_step(shape: Shape, seed: int, loss_of: Loss, name: str, emit: Emit) -> Step:
    """Run one step with checkpointed blocks and the given loss, under the ledger."""
    torch.manual_seed(seed)
    model = GPT(shape).to(device())
    ids, targets = batch_of(shape, seed)
    with watched(model, partial(emit.point, name), 2 * shape.layers + 1) as seen:
        seen.ledger.phase = "forward"
        loss = loss_of(model.head, model.hidden(ids, full_checkpoint).flatten(0, 1), targets.flatten())
        seen.ledger.phase = "backward"
        loss.backward()
    ledger = seen.ledger
    gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    operation, tensor = ledger.peak_operation.split(".")[1], ledger.peak_tensor[0]
    cells = {"operation": operation, "tensor": " x ".join(map(str, tensor)), "MiB": seen.peak / MIB}
    emit.row("peak", loss=name, phase=ledger.peak_phase, **cells)
    return Step(seen.peak, ledger.peak_phase, operation, tensor, loss.item(), gradients)


def run(params: dict[str, Any], emit: Emit) -> None:
    """Measure a step with the whole loss and one with the loss in chunks, and compare."""
    shape, seed, above = shape_of(params), params["seed"], "live MiB above parameters and gradients"
    emit.series("whole", f"{above}, whole loss", "operation", "MiB", "MiB")
    whole = train_step(shape, seed, named_loss if params["keep_logits"] else whole_loss, "whole", emit)
    emit.series("chunked", f"{above}, loss in {params['chunks']} chunks", "operation", "MiB", "MiB")
    chunked = train_step(shape, seed, partial(chunked_loss, chunks=params["chunks"]), "chunked", emit)

    emit.measure("peak, whole", whole.peak, "B", "ledger")
    emit.measure("peak, chunked", chunked.peak, "B", "ledger")
    ratio, copies = chunked.peak / whole.peak, copies_of(whole.peak, shape)
    emit.measure("peak ratio", ratio, "x", "ledger")
    emit.measure("where the peak is", place_of(whole, shape), "choice", "ledger")
    emit.measure("copies of the logits", copies, "choice", "ledger")
    emit.measure("left by chunks", left_of(ratio), "choice", "ledger")
    difference = max(relative_difference(a, b) for a, b in zip(whole.gradients, chunked.gradients, strict=True))
    emit.measure("relative difference of gradients", difference, "", "subtraction")
    emit.measure("gradients", "same" if difference < ROUNDING else "other", "choice", "subtraction")

    theory = {prediction["name"]: prediction["value"] for prediction in predict(params)}
    emit.claim("peak, whole", whole.peak, "~", theory["peak, whole"], tolerance=0.05)
    emit.claim("peak, chunked", chunked.peak, "~", theory["peak, chunked"], tolerance=0.05)
    emit.claim("where the peak is", place_of(whole, shape), "==", theory["where the peak is"])
    emit.claim("copies of the logits", copies, "==", theory["copies of the logits"])
    emit.claim("the loss moves by rounding alone", chunked.loss, "~", whole.loss, tolerance=ROUNDING)
    emit.claim("gradients move by rounding alone", difference, "<", ROUNDING)


def place_of(step: Step, shape: Shape) -> str:
    """Return where the peak was: in forward, at the loss (a tensor as wide as the vocabulary), or in a block's backward."""
    at_loss = "softmax_backward" in step.operation and step.tensor[-1] == shape.vocabulary
    return "forward" if step.phase == "forward" else "loss" if at_loss else "block"


def relative_difference(a: Tensor, b: Tensor) -> float:
    """Return the largest difference over the largest value."""
    return float((a - b).abs().max() / a.abs().max())


if __name__ == "__main__":
    main(__file__, predict, run)
