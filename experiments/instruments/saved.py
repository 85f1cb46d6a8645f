"""What autograd keeps for backward: bytes of saved tensors, each storage once, parameters and buffers left out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn


@dataclass
class Saved:
    """The tally of one forward pass."""

    bytes: int = 0
    tensors: int = 0
    _seen: set[int] = field(default_factory=set)


@contextmanager
def saved_for_backward(model: nn.Module) -> Iterator[Saved]:
    """Count what is saved inside the block. Keep what the forward returns alive until the count is read."""
    saved = Saved()
    not_activations = {t.untyped_storage().data_ptr() for t in (*model.parameters(), *model.buffers())}

    def pack(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        place = storage.data_ptr()
        if place not in not_activations and place not in saved._seen:
            saved._seen.add(place)
            saved.bytes += storage.nbytes()
            saved.tensors += 1
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        yield saved
