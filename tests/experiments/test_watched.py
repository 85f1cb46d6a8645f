"""A step watched from its ground: what stood before it does not count, and the curve keeps the highest point."""

from __future__ import annotations

import torch
from torch import nn

from experiments.instruments.watched import watched

MIB = 2**20


def test_bytes_are_counted_above_parameters_and_gradients() -> None:
    """A Linear of 8 MiB with its gradient is the ground; 3 MiB beside it are the peak, and 1 MiB is left of them."""
    model, points = nn.Linear(2048, 1024, bias=False), []
    size = MIB // 4
    with watched(model, lambda *point: points.append(point), stretch=2) as seen:
        seen.ledger.phase = "work"
        kept = torch.zeros(size)
        passing = torch.zeros(2 * size)
        del passing
        assert seen.above == MIB

    assert seen.ground == 2 * 8 * MIB
    assert seen.peak == 3 * MIB
    assert (max(point[1] for point in points), points[-1][2]) == (3.0, "work")
    assert kept.nbytes == MIB


def test_a_gradient_that_exists_is_added_to() -> None:
    """Backward makes no second gradient that stays: after the step nothing is left above the ground."""
    model = nn.Linear(512, 512, bias=False)
    with watched(model, lambda *point: None, stretch=1) as seen:
        model(torch.ones(1, 512)).sum().backward()

    assert seen.above == 0
    assert model.weight.grad is not None and model.weight.grad.abs().sum() > 0
