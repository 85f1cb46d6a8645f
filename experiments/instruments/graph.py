"""Which operation keeps which tensor: a walk over autograd's graph, reading each node's `_saved_*` attributes.

Hooks on saved tensors give bytes without names; the graph gives the names. Keep the output alive until the walk is
over. Reading a saved tensor unpacks it, so the walk would replay a checkpointed region: it is for plain graphs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

LEAVES = ("parameter", "buffer")


@dataclass(frozen=True)
class Kept:
    """One tensor that one operation keeps for backward."""

    operation: str
    name: str
    shape: tuple[int, ...]
    dtype: str
    bytes: int
    tag: str
    """new; shared (an earlier row has its storage); parameter or buffer (there anyway); number (a Python scalar)."""

    @property
    def counted(self) -> int:
        """Return the bytes that exist for backward's sake: those of a new storage."""
        return self.bytes if self.tag == "new" else 0


def operations(output: Tensor) -> list[Any]:
    """Return the nodes behind `output` in the order of the forward pass, without those that collect gradients."""
    seen, waiting = set(), [output.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            waiting.extend(following for following, _ in node.next_functions)
    return sorted((n for n in seen if "AccumulateGrad" not in n.name()), key=lambda node: node._sequence_nr())


def operation_name(node: Any) -> str:
    """Return the name of the forward operation of a node: Addmm for AddmmBackward0."""
    return str(node.name()).split("Backward")[0]


def kept_for_backward(output: Tensor, model: nn.Module) -> list[Kept]:
    """Return what the graph behind `output` keeps, in the order of the forward pass."""
    tags = {t.untyped_storage().data_ptr(): "parameter" for t in model.parameters()}
    tags |= {t.untyped_storage().data_ptr(): "buffer" for t in model.buffers()}
    kept = []
    for node in operations(output):
        for name in sorted(attribute for attribute in dir(node) if attribute.startswith("_saved_")):
            tensor = getattr(node, name)
            if torch.is_tensor(tensor):
                storage = tensor.untyped_storage()
                number = not tensor.dim() and not tensor.is_floating_point() or tensor.dtype == torch.float64
                tag = "number" if number else tags.setdefault(storage.data_ptr(), "new")
                kind = str(tensor.dtype).removeprefix("torch.")
                row = Kept(operation_name(node), name[7:], tuple(tensor.shape), kind, storage.nbytes(), tag)
                kept.append(row)
                if tag == "new":
                    tags[storage.data_ptr()] = "shared"
    return kept


def kept_bytes(kept: list[Kept]) -> int:
    """Return the bytes kept for backward, each storage once, parameters and buffers left out."""
    return sum(row.counted for row in kept)
