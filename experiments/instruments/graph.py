"""Which operation keeps which tensor: a walk over autograd's graph, reading each node's `_saved_*` attributes.

Hooks on saved tensors give bytes without names; the graph gives the names. Keep the output alive until the walk is
over. Reading a saved tensor unpacks it, which would replay a checkpointed region: this is for plain graphs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Kept:
    """One tensor that one operation keeps for backward."""

    operation: str
    name: str
    shape: tuple[int, ...]
    dtype: str
    bytes: int
    storage: int
    """Number of the storage: two rows with one number keep the same bytes."""
    tag: str
    """new | shared: an earlier row has this storage | parameter, buffer: there anyway"""

    @property
    def counted(self) -> int:
        """Return the bytes that are there for backward alone: those of a new storage."""
        return self.bytes if self.tag == "new" else 0


def operations(output: Tensor) -> list[Any]:
    """Return the nodes behind `output` in the order of the forward pass, without those that collect gradients."""
    seen: set[Any] = set()
    waiting: list[Any] = [output.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            waiting.extend(earlier for earlier, _ in node.next_functions)
    return sorted((n for n in seen if "AccumulateGrad" not in n.name()), key=lambda node: node._sequence_nr())


def operation_name(node: Any) -> str:
    """Return the name of the forward operation: Addmm for AddmmBackward0."""
    return str(node.name()).split("Backward")[0].removeprefix("Native")


def kept_for_backward(output: Tensor, model: nn.Module) -> list[Kept]:
    """Return what the graph behind `output` keeps, in the order of the forward pass."""
    numbers: dict[int, int] = {}
    tags = {t.untyped_storage().data_ptr(): "parameter" for t in model.parameters()}
    tags |= {t.untyped_storage().data_ptr(): "buffer" for t in model.buffers()}
    kept = []
    for node in operations(output):
        for name, tensor in _saved_by(node):
            storage = tensor.untyped_storage()
            place = storage.data_ptr()
            tag, number = tags.get(place, "new"), numbers.setdefault(place, len(numbers) + 1)
            if tag == "new":
                tags[place] = "shared"
            dtype = str(tensor.dtype).removeprefix("torch.")
            shape = tuple(tensor.shape)
            kept.append(Kept(operation_name(node), name, shape, dtype, storage.nbytes(), number, tag))
    return kept


def kept_bytes(kept: list[Kept]) -> int:
    """Return the bytes kept for backward, each storage once, parameters and buffers left out."""
    return sum(row.counted for row in kept)


def _saved_by(node: Any) -> Iterator[tuple[str, Tensor]]:
    """Yield the tensors of one node. A Python number that an operation met (x / 8) shows as a 0-d tensor: left out."""
    for attribute in sorted(name for name in dir(node) if name.startswith("_saved_")):
        value = getattr(node, attribute)
        if torch.is_tensor(value) and (value.dim() or value.dtype not in (torch.float64, torch.int64)):
            yield attribute.removeprefix("_saved_"), value
