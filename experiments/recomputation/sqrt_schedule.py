"""How many checkpoints, and where: the peak of memory over the number of segments.

Run:  python -m experiments.recomputation.sqrt_schedule --layers 64

Look at `segmented`: each segment keeps its input alone and is run again when backward arrives at it. Few segments mean
few boundaries and much to rebuild at once; many mean the reverse. A chain whose layers save one tensor each has its
bottom at the square root. A transformer block saves some sixteen, and there the square root is far too few.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from experiments.emit import Emit, Refused, main
from experiments.instruments.ledger import Ledger
from experiments.instruments.saved import saved_for_backward
from experiments.instruments.watched import give_gradients
from experiments.models import Block, device
from tutor.formulas import segments as law
from tutor.formulas.gpt import Shape, block_saved_units

WIDTH, ROWS = 64, 256  # of the chain: width of a layer, rows of its batch
WIDE, LAYERS_OF_CUTS = 256, 16
CUTS = {"narrow": (0, 5, 9, 13), "wide": (0, 4, 8, 12)}
"""Layers that begin a segment. Layers alternate between two widths: an odd one has the narrow input."""


def segmented(layers: nn.Sequential, x: Tensor, starts: Sequence[int]) -> Tensor:
    """The technique: checkpoint runs of layers. `starts` are the layers whose input is kept."""
    for first, after in zip(starts, (*starts[1:], len(layers)), strict=True):
        x = checkpoint(layers[first:after], x, use_reentrant=False)
    return x


def even(layers: int, segments: int) -> list[int]:
    """Return where segments of equal length start, to within one layer."""
    return [number * layers // segments for number in range(segments)]


class Layer(nn.Module):
    """Linear and ReLU: one tensor saved, the ReLU's output, which is also the next layer's input. Counts its calls."""

    def __init__(self, before: int, after: int) -> None:
        super().__init__()
        self.linear, self.calls = nn.Linear(before, after), 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        return self.linear(x).relu()


def peak_of(layers: nn.Sequential, x: Tensor, starts: Sequence[int]) -> int:
    """Return the peak above parameters and gradients, in bytes, the input included. No starts: no checkpointing."""
    give_gradients(layers)
    ledger = Ledger()
    ledger.register_training(layers)
    base = ledger.live
    ledger.register([x], "activation")
    with ledger:
        (segmented(layers, x, starts) if starts else layers(x)).sum().backward()
    return ledger.peak - base


def chain_segments(layers: int) -> list[int]:
    """Return the numbers of segments to try for a chain: both ends, and a few about the square root."""
    root = math.isqrt(layers)
    return sorted({1, 2, (root + 1) // 2, root - 1, root, root + 1, 2 * root, layers // 2, layers})


def block_segments(blocks: int) -> list[int]:
    """Return the numbers of segments to try for blocks: one, the square root, then three, two and one block each."""
    return sorted({1, math.isqrt(blocks), *(math.ceil(blocks / each) for each in (3, 2, 1))})


def shape_of_blocks(blocks: int) -> Shape:
    """Return the dimensions of the GPT blocks: fused attention, 16 tensors saved a block."""
    return Shape(blocks, width=64, heads=4, tokens=32, batch=4, vocabulary=0, attention="sdpa")


def blocks_law(shape: Shape, segments: int) -> float:
    """Return what theory says of blocks in so many segments, in units of one hidden state."""
    gradients = shape.mlp * (1 + shape.width / (shape.batch * shape.tokens))
    return law.blocks_peak(shape.layers, segments, block_saved_units(shape), gradients)


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says. Raises Refused where the chain's bottom would lie between two whole numbers."""
    layers, blocks = params["layers"], params["blocks"]
    root, shape = math.isqrt(layers), shape_of_blocks(blocks)
    if root * root != layers:
        raise Refused(f"{layers} has no whole square root as its bottom; choose {root**2} or {(root + 1) ** 2} layers.")
    chain = [law.chain_peak(layers, k, WIDTH / ROWS) for k in (1, root)]
    best = law.best_segments(blocks, block_saved_units(shape), block_segments(blocks))
    kept = [law.boundary_bytes(ROWS, (WIDE, *3 * [width])) for width in (params["narrow"], WIDE)]
    of_chain, of_blocks = "k + N/k, one tensor a layer (Chen et al. 2016)", "k + ceil(L/k)·b, b tensors a block"
    of_cuts = "rows times the width at each cut"
    for name, op, value, unit, source in (
        ("peak of the chain, one segment", "~", chain[0], "units", of_chain),
        ("peak of the chain, root of N", "~", chain[1], "units", of_chain),
        ("best segments, chain", "==", root, "segments", of_chain),
        ("one segment", "==", "same", "choice", "replaying it makes all of it alive at once"),
        ("best segments, blocks", "==", best, "segments", of_blocks),
        ("peak of the blocks, root of L", "~", blocks_law(shape, math.isqrt(blocks)), "units", of_blocks),
        ("peak of the blocks, best", "~", blocks_law(shape, best), "units", of_blocks),
        ("best for blocks", "==", spacing(blocks, best), "choice", of_blocks),
        ("saved, narrow cuts", "==", kept[0], "B", of_cuts),
        ("saved, wide cuts", "==", kept[1], "B", of_cuts),
        ("lower peak", "==", "narrow", "choice", of_cuts),
    ):
        yield {"name": name, "op": op, "value": value, "unit": unit, "source": source}


def spacing(blocks: int, segments: int) -> str:
    """Return the choice a number of segments stands for."""
    if math.ceil(blocks / segments) <= 2:
        return "one-or-two"
    return {1: "one", math.isqrt(blocks): "root"}.get(segments, "third")


def run(params: dict[str, Any], emit: Emit) -> None:
    """Measure the chain over its segments, then blocks, then the same number of cuts in two places."""
    torch.manual_seed(params["seed"])
    sweep_chain(params["layers"], emit)
    sweep_blocks(params["blocks"], emit)
    compare_cuts(params["narrow"], emit)


def sweep_chain(layers: int, emit: Emit) -> None:
    """Draw the U of a chain: its bottom at the square root, its ends as high as no checkpointing at all."""
    chain = nn.Sequential(*(Layer(WIDTH, WIDTH) for _ in range(layers))).to(device())
    x, unit, root = torch.randn(ROWS, WIDTH, device=device()), 4 * ROWS * WIDTH, math.isqrt(layers)
    emit.series("chain", "peak of a chain, in activations", "segments", "units", "units")
    peaks = {}
    for k in chain_segments(layers):
        peaks[k] = peak_of(chain, x, even(layers, k)) / unit
        emit.point("chain", k, peaks[k])
        emit.claim(f"chain in {k} segments", peaks[k], "~", law.chain_peak(layers, k, WIDTH / ROWS), tolerance=0.01)
    plain, best = peak_of(chain, x, ()) / unit, min(peaks, key=lambda k: peaks[k])
    share = peaks[1] / plain
    emit.measure("peak of the chain, plain", plain, "units", "ledger")
    emit.measure("peak of the chain, one segment", peaks[1], "units", "ledger")
    emit.measure("peak of the chain, root of N", peaks[root], "units", "ledger")
    emit.measure("best segments, chain", best, "segments", "ledger")
    choice = (
        "same" if 0.95 < share < 1.05 else "lowest" if peaks[1] == peaks[best] else "half" if share < 1 else "double"
    )
    emit.measure("one segment", choice, "choice", "ledger")
    emit.claim("one segment against no checkpointing", peaks[1], "~", plain, tolerance=0.01)
    emit.claim("best segments, chain", best, "==", root)


def sweep_blocks(blocks: int, emit: Emit) -> None:
    """Draw the same curve for GPT blocks: the bottom moves to segments of one or two."""
    shape = shape_of_blocks(blocks)
    stack = nn.Sequential(*(Block(shape) for _ in range(blocks))).to(device())
    x = torch.randn(shape.batch, shape.tokens, shape.width, device=device())
    emit.series("blocks", "peak of GPT blocks, in hidden states", "segments", "units", "units")
    peaks = {}
    for k in block_segments(blocks):
        peaks[k] = peak_of(stack, x, even(blocks, k)) / x.nbytes
        emit.point("blocks", k, peaks[k])
        emit.claim(f"blocks in {k} segments", peaks[k], "~", blocks_law(shape, k), tolerance=0.02)
    best = min(peaks, key=lambda k: peaks[k])
    emit.measure("peak of the blocks, root of L", peaks[math.isqrt(blocks)], "units", "ledger")
    emit.measure("peak of the blocks, best", peaks[best], "units", "ledger")
    emit.measure("best segments, blocks", best, "segments", "ledger")
    emit.measure("best for blocks", spacing(blocks, best), "choice", "ledger")
    emit.claim("root of L against the best", peaks[math.isqrt(blocks)], ">", 1.2 * peaks[best])


def compare_cuts(narrow: int, emit: Emit) -> None:
    """Cut a chain of alternating widths in four, once where it is narrow and once where it is wide."""
    widths = [WIDE if number % 2 == 0 else narrow for number in range(LAYERS_OF_CUTS + 1)]
    x, saved, peaks, calls = torch.randn(ROWS, WIDE, device=device()), {}, {}, {}
    for name, starts in CUTS.items():
        chain = nn.Sequential(*(Layer(widths[i], widths[i + 1]) for i in range(LAYERS_OF_CUTS))).to(device())
        peaks[name] = peak_of(chain, x, starts)
        calls[name] = sum(layer.calls for layer in chain)  # type: ignore[misc]
        with saved_for_backward(chain) as tally:
            out = segmented(chain, x, starts)
        saved[name] = tally.bytes
        del out
        emit.row("cuts", cuts=name, saved=saved[name], peak=peaks[name], layer_calls=calls[name])
        emit.measure(f"saved, {name} cuts", saved[name], "B", "saved_tensors_hooks")
        emit.claim(f"saved, {name} cuts", saved[name], "==", law.boundary_bytes(ROWS, [widths[i] for i in starts]))
    order = (peaks["narrow"] > peaks["wide"]) - (peaks["narrow"] < peaks["wide"])
    emit.measure("lower peak", {-1: "narrow", 0: "equal", 1: "wide"}[order], "choice", "ledger")
    emit.claim("peak, narrow cuts against wide", peaks["narrow"], "<", peaks["wide"])
    emit.claim("layer calls, narrow cuts and wide", calls["narrow"], "==", calls["wide"])


if __name__ == "__main__":
    main(__file__, predict, run)
