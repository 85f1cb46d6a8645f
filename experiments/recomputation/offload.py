"""Offloading activations: saved tensors wait on the disk instead of in memory, and are read back in backward.

Run:  python -m experiments.recomputation.offload --layers 12

Look at `Disk`: autograd calls `pack` for each tensor it saves and `unpack` when backward needs it. Nothing is computed again;
every byte that is not kept is moved, twice. Watch how flat the curve with the disk is in forward, then compare its peak with
checkpointing and the disk together: that moves a tenth of the bytes, yet a block that runs again needs room for all it saves.
How fast a disk is differs too much to be claimed; the bytes do not. The run stays on the CPU; untested on CUDA.
"""

from __future__ import annotations

import ctypes
import tempfile
import weakref
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from io import FileIO
from typing import Any

import torch
from torch import Tensor, nn

from experiments.emit import Emit, Refused, main
from experiments.instruments.watched import watched
from experiments.models import GPT, Wrap, batch_of, call, shape_of
from experiments.recomputation.checkpoint import full_checkpoint
from tutor.formulas import gpt, offload

MIB = 2**20
SMALLEST = 64 * 1024  # bytes of a storage that is worth a write
LARGEST = 2**27  # bytes a step may save
SOURCE = "saved tensors of a GPT, counted (tutor.formulas.offload and gpt)"
# How blocks are called, and whether saved tensors go to the disk.
WAYS: dict[str, tuple[Wrap, bool]] = {
    "plain": (call, False),
    "checkpointed": (full_checkpoint, False),
    "offloaded": (call, True),
    "both": (full_checkpoint, True),
}


class Disk:
    """The technique itself: writes what autograd saves to a file and reads it back when backward asks.

    What two operations save is written once and read for each.
    """

    def __init__(self, file: FileIO, model: nn.Module) -> None:
        self.written, self.read, self._file = 0, 0, file
        self._places: dict[int, int] = {}
        self._stay = {tensor.untyped_storage()._cdata for tensor in (*model.parameters(), *model.buffers())}

    def pack(self, tensor: Tensor) -> Tensor | Callable[[], Tensor]:
        """Write the tensor's storage; return what autograd is to keep in its place."""
        storage = tensor.untyped_storage()
        key, size = storage._cdata, storage.nbytes()
        if size < SMALLEST or key in self._stay:
            return tensor
        if key not in self._places:
            self._file.seek(self.written)
            self._file.write(bytes_of(tensor))
            self._places[key] = self.written
            weakref.finalize(storage, self._places.pop, key)  # the address may serve another storage then
            self.written += size
        look = tensor.size(), tensor.stride(), int(tensor.storage_offset())
        return partial(self.fetch, self._places[key], size, tensor.dtype, look)

    def unpack(self, kept: Tensor | Callable[[], Tensor]) -> Tensor:
        """Return the tensor again: as it was kept, or fetched."""
        return kept if isinstance(kept, Tensor) else kept()

    def fetch(self, place: int, size: int, dtype: torch.dtype, look: tuple[Any, ...]) -> Tensor:
        """Read a storage from the file into new memory, and look at it as the saved tensor did."""
        raw = torch.empty(size, dtype=torch.uint8)
        self._file.seek(place)
        self._file.readinto(bytes_of(raw))
        self.read += size
        return raw.view(dtype).as_strided(*look)


def bytes_of(tensor: Tensor) -> Any:
    """Return the memory of a tensor's storage as a buffer, without a copy."""
    storage = tensor.untyped_storage()
    return (ctypes.c_char * storage.nbytes()).from_address(storage.data_ptr())


@dataclass
class Step:
    """What one training step was seen to do."""

    held: int
    peak: int
    written: int
    read: int
    gradients: list[Tensor]


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says. Raises Refused where tensors are too small to be written, or too many for a run."""
    shape = shape_of(params)
    rows = 4 * shape.batch * shape.tokens
    if rows * min(shape.width, shape.heads * shape.tokens, shape.vocabulary) < SMALLEST:
        raise Refused("Tensors below 64 KiB stay in memory; choose a larger batch or vocabulary, or more tokens.")
    saved = gpt.saved_bytes(shape)
    if saved > LARGEST:
        ask = f"This step saves {saved / MIB:.0f} MiB and a run is kept to {LARGEST / MIB:.0f}"
        raise Refused(f"{ask}; choose fewer layers or tokens, or a smaller batch or vocabulary.")
    peaks = {way: (offload if disk else gpt).peak_bytes(shape, wrap is not call) for way, (wrap, disk) in WAYS.items()}
    for name, peak in peaks.items():
        yield {"name": f"peak, {name}", "op": "~", "value": peak, "unit": "B", "source": SOURCE}
    written, fewer = offload.written_bytes(shape), offload.written_bytes(shape, checkpointed=True)
    for name, value in (
        ("written, offloaded", written),
        ("written, both", fewer),
        ("read, offloaded", offload.read_bytes(shape)),
        ("read, both", offload.read_bytes(shape, checkpointed=True)),
    ):
        yield {"name": name, "op": "==", "value": value, "unit": "B", "source": SOURCE}
    yield {"name": "written ratio", "op": "~", "value": fewer / written, "unit": "x", "source": SOURCE}
    for name, choice in (
        ("left in memory", share(1 - written / saved)),
        ("written with checkpointing", share(fewer / written)),
        ("lowest peak", min(peaks, key=lambda way: peaks[way])),
        ("gradients", "equal"),
    ):
        yield {"name": name, "op": "==", "value": choice, "unit": "choice", "source": SOURCE}


def share(ratio: float) -> str:
    """Return the order of magnitude of a share, as the bets name it."""
    return "all" if ratio > 0.75 else "half" if ratio > 0.25 else "tenth" if ratio > 0.02 else "none"


def train_step(name: str, params: dict[str, Any], emit: Emit) -> Step:
    """Run one step in one of the four ways, with the ledger looking on."""
    (wrap, on_disk), shape = WAYS[name], shape_of(params)
    torch.manual_seed(params["seed"])
    model = GPT(shape)
    ids, targets = (tensor.cpu() for tensor in batch_of(shape, params["seed"]))
    emit.series(name, f"live MiB above parameters and gradients, {name}", "operation", "MiB", "MiB")
    watching = watched(model, partial(emit.point, name), 3 * shape.layers + 1)
    # The system forgets a temporary file with the process that opened it: a run that is stopped leaves nothing behind.
    with tempfile.TemporaryFile(buffering=0) as file, watching as seen:
        disk = Disk(file, model)
        seen.ledger.phase = "forward"
        with torch.autograd.graph.saved_tensors_hooks(disk.pack, disk.unpack) if on_disk else nullcontext():
            loss = model(ids, targets, wrap)
        held = seen.above
        seen.ledger.phase = "backward"
        loss.backward()
    moved = {"written_MiB": disk.written / MIB, "read_MiB": disk.read / MIB}
    emit.row("steps", way=name, held_MiB=held / MIB, peak_MiB=seen.peak / MIB, **moved)
    gradients = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    return Step(held, seen.peak, disk.written, disk.read, gradients)


def run(params: dict[str, Any], emit: Emit) -> None:
    """Take the step in all four ways and compare."""
    theory = {prediction["name"]: prediction["value"] for prediction in predict(params)}
    steps = {name: train_step(name, params, emit) for name in WAYS}
    plain, offloaded, both = steps["plain"], steps["offloaded"], steps["both"]
    measured = {f"peak, {name}": step.peak for name, step in steps.items()}
    measured |= {f"held after forward, {name}": step.held for name, step in steps.items()}
    for name in ("offloaded", "both"):
        measured |= {f"written, {name}": steps[name].written, f"read, {name}": steps[name].read}
    for name, value in measured.items():
        emit.measure(name, value, "B", "counter of bytes" if name.startswith(("written", "read")) else "ledger")
    ratio = both.written / offloaded.written if offloaded.written else 0.0
    emit.measure("written ratio", ratio, "x", "counter of bytes")
    equal = all(all(map(torch.equal, plain.gradients, step.gradients)) for step in steps.values())
    choices = {
        "left in memory": share(offloaded.held / plain.held),
        "written with checkpointing": share(ratio),
        "lowest peak": min(steps, key=lambda name: steps[name].peak),
        "gradients": "equal" if equal else "different",
    }
    for name, choice in choices.items():
        emit.measure(name, choice, "choice", "ledger, counter and comparison")

    for name, predicted in theory.items():
        if name in choices:
            emit.claim(name, choices[name], "==", predicted)
        elif name.startswith("peak"):
            emit.claim(name, measured[name], "~", predicted, tolerance=0.05)
        elif name in measured:
            emit.claim(name, measured[name], "==", predicted)


if __name__ == "__main__":
    main(__file__, predict, run)
