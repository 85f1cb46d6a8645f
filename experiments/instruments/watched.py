"""A training step under the ledger, measured from the ground it starts on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import nn

from experiments.instruments.ledger import Curve, Ledger

MIB = 2**20


@dataclass
class Watched:
    """A ledger, and the bytes that were alive before the step: parameters, buffers and gradients."""

    ledger: Ledger
    ground: int

    @property
    def above(self) -> int:
        """Bytes alive now, above the ground."""
        return self.ledger.live - self.ground

    @property
    def peak(self) -> int:
        """The most bytes that were alive at once, above the ground."""
        return self.ledger.peak - self.ground


def give_gradients(model: nn.Module) -> None:
    """Give each parameter a gradient of zeros: a step that only adds to gradients has a peak that is about activations."""
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)


@contextmanager
def watched(model: nn.Module, draw: Callable[[int, float, str], None], stretch: int) -> Iterator[Watched]:
    """Watch a step of `model`, whose gradients then exist already, until the block ends.

    `draw` takes the number of an operation, MiB above the ground and the phase, for the highest of each `stretch`
    operations.
    """
    give_gradients(model)
    curve = Curve(lambda point: draw(point[0], (point[1] - step.ground) / MIB, point[2]), stretch)
    ledger = Ledger(on_point=curve)
    ledger.register_training(model)
    step = Watched(ledger, ledger.live)
    with ledger:
        yield step
    curve.flush()
