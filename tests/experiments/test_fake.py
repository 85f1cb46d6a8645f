"""Fake tensors against real ones: the same ledger, and the allocator's own events within two percent."""

from __future__ import annotations

import resource
from collections.abc import Callable

import pytest
import torch
from torch import nn

from experiments.instruments.allocator import allocator_peak
from experiments.instruments.fake import Job, estimate, train
from experiments.instruments.ledger import Ledger
from experiments.models import GPT, Wrap, batch_of, call
from experiments.recomputation.checkpoint import full_checkpoint
from tutor.formulas.gpt import Shape

SHAPE = Shape(layers=3, width=64, heads=4, tokens=64, batch=4, vocabulary=128)


def gpt(optimizer: type[torch.optim.Optimizer], wrap: Wrap = call, shape: Shape = SHAPE, **options: object) -> Job:
    """A GPT as a job."""
    return Job(
        lambda: GPT(shape),
        lambda: batch_of(shape, seed=0),
        lambda model, batch: model(*batch, wrap),
        lambda parameters: optimizer(parameters, lr=1e-3, **options),
    )


def mlp() -> Job:
    """A tall stack with weights larger than its activations."""
    return Job(
        lambda: nn.Sequential(*(layer for _ in range(4) for layer in (nn.Linear(128, 128), nn.ReLU()))),
        lambda: torch.ones(8, 128),
        lambda model, batch: model(batch).square().mean(),
        lambda parameters: torch.optim.SGD(parameters, lr=0.1, momentum=0.9),
    )


def convolutions() -> Job:
    """Convolutions with batch norm, whose running statistics are buffers."""

    def layer(channels: int, out: int) -> nn.Module:
        return nn.Sequential(nn.Conv2d(channels, out, 3, padding=1), nn.BatchNorm2d(out), nn.ReLU())

    return Job(
        lambda: nn.Sequential(layer(3, 16), layer(16, 16), layer(16, 32), nn.AdaptiveAvgPool2d(1), nn.Flatten()),
        lambda: torch.ones(8, 3, 32, 32),
        lambda model, batch: model(batch).square().mean(),
        lambda parameters: torch.optim.RMSprop(parameters),
    )


JOBS: dict[str, Callable[[], Job]] = {
    "gpt, AdamW": lambda: gpt(torch.optim.AdamW),
    "gpt, AdamW foreach": lambda: gpt(torch.optim.AdamW, foreach=True),
    "gpt, SGD, checkpointed": lambda: gpt(torch.optim.SGD, full_checkpoint),
    "gpt, Adagrad": lambda: gpt(torch.optim.Adagrad),
    "fused attention, AdamW": lambda: gpt(
        torch.optim.AdamW, shape=Shape(3, 64, 4, 64, 4, 128, attention="sdpa"), foreach=False
    ),
    "mlp, momentum": mlp,
    "convolutions, RMSprop": convolutions,
}


@pytest.mark.parametrize("name", JOBS)
def test_fake_equals_real(name: str) -> None:
    """The same operations, the same peak to the byte, in the same phase, by the same categories; the allocator within 2 %."""
    real, fake = Ledger(), estimate(JOBS[name]())
    train(JOBS[name](), real)

    assert fake.peak == real.peak
    assert (fake.peak_phase, fake.peak_operation) == (real.peak_phase, real.peak_operation)
    assert +fake.peak_by_category == +real.peak_by_category
    assert fake.peak_tensor == real.peak_tensor
    assert fake.points == real.points
    assert fake.peak == pytest.approx(allocator_peak(lambda: train(JOBS[name]())), rel=0.02)


def test_nothing_is_allocated() -> None:
    """Twelve gigabytes of weights and moments, and the process grows by less than a hundred megabytes."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    large = Job(
        lambda: nn.Sequential(*(nn.Linear(16_384, 16_384, bias=False) for _ in range(3))),
        lambda: torch.ones(1024, 16_384),
        lambda model, batch: model(batch).square().mean(),
        lambda parameters: torch.optim.AdamW(parameters, foreach=False),
    )

    assert estimate(large).peak > 12e9
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000
