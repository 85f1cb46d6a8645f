"""Saved bytes against a count by hand, FLOPs against closed forms, the budget against a real allocation."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest
import torch
from torch import nn

from experiments.instruments import budget
from experiments.instruments.flops import NotCounted, count_flops
from experiments.instruments.saved import saved_for_backward
from experiments.models import GPT, batch_of
from experiments.recomputation.checkpoint import full_checkpoint
from tests.experiments.support import ROOT
from tutor.formulas import gpt, optimizer

SHAPES = (
    gpt.Shape(layers=3, width=64, heads=4, tokens=32, batch=2, vocabulary=128),
    gpt.Shape(layers=1, width=32, heads=1, tokens=64, batch=3, vocabulary=16),
    gpt.Shape(layers=5, width=48, heads=2, tokens=16, batch=2, vocabulary=300, mlp=2),
)
OTHER_SHAPES = (
    replace(SHAPES[0], attention="sdpa"),
    replace(SHAPES[1], attention="sdpa", mlp=8),
    replace(SHAPES[0], dropout=True),
    replace(SHAPES[0], dropout=True, attention="sdpa"),
)


def test_saved_bytes_of_a_chain_by_hand() -> None:
    """Linear, ReLU, Linear on 8 rows: the input and the ReLU's output are kept, the weights are not counted."""
    model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 5))
    x = torch.randn(8, 10)
    with saved_for_backward(model) as saved:
        out = model(x)

    assert out.shape == (8, 5)
    assert (saved.tensors, saved.bytes) == (2, 4 * 8 * (10 + 20))


def test_a_storage_counts_once() -> None:
    """x·x saves x twice and x again through a view: one storage, its bytes once."""
    x = torch.randn(100, requires_grad=True)
    with saved_for_backward(nn.Module()) as saved:
        out = x * x + x.view(10, 10).reshape(100) * x

    assert out.shape == (100,)
    assert (saved.tensors, saved.bytes) == (1, 400)


@pytest.mark.parametrize("shape", SHAPES + OTHER_SHAPES)
def test_saved_bytes_of_a_gpt_to_the_byte(shape: gpt.Shape) -> None:
    """The closed form is all but the batch's integers, the final norm's statistics, the positions and the loss's weight."""
    model = GPT(shape, dropout=0.1 if shape.dropout else 0.0)
    with saved_for_backward(model) as saved:
        loss = model(*batch_of(shape, seed=0))

    rest = 24 * shape.batch * shape.tokens + 8 * shape.tokens + 4
    assert loss.ndim == 0
    assert saved.bytes == gpt.saved_bytes(shape) + rest


@pytest.mark.parametrize("shape", SHAPES)
def test_flops_of_a_gpt_to_the_last(shape: gpt.Shape) -> None:
    """The counter and the closed form agree exactly, plain and checkpointed."""
    model, batch = GPT(shape), batch_of(shape, seed=0)

    assert count_flops(lambda: model(*batch).backward()) == gpt.step_flops(shape)
    assert count_flops(lambda: model(*batch, full_checkpoint).backward()) == gpt.step_flops(shape, checkpointed=True)


@pytest.mark.parametrize("shape", SHAPES)
def test_parameters_of_a_gpt(shape: gpt.Shape) -> None:
    """The model has the parameters that the closed form counts."""
    assert sum(p.numel() for p in GPT(shape).parameters()) == gpt.parameter_count(shape)


def test_flash_attention_is_not_taken_for_free() -> None:
    """An operation the counter sees as zero FLOPs raises instead of being counted as nothing."""
    q = torch.randn(1, 2, 64, 16)
    with pytest.raises(NotCounted, match="not counted"):
        count_flops(lambda: nn.functional.scaled_dot_product_attention(q, q, q, is_causal=True))


@pytest.mark.parametrize(
    ("make", "bytes_per_parameter"),
    [
        (lambda weights: torch.optim.SGD(weights, lr=0.1), 0),
        (lambda weights: torch.optim.SGD(weights, lr=0.1, momentum=0.9), 4),
        (lambda weights: torch.optim.AdamW(weights), 8),
        (lambda weights: torch.optim.AdamW(weights, amsgrad=True), 12),
    ],
)
def test_state_bytes_as_torch_holds_them(make: object, bytes_per_parameter: int) -> None:
    """After one step each optimizer holds the bytes a parameter that the formulas name, step counters aside."""
    model = nn.Linear(64, 32)
    engine = _stepped(model, make)

    held = [t for state in engine.state.values() for t in state.values() if torch.is_tensor(t) and t.numel() > 1]
    assert sum(t.nbytes for t in held) == bytes_per_parameter * sum(p.numel() for p in model.parameters())
    assert bytes_per_parameter in optimizer.STATE_BYTES.values()


def test_adafactor_state_as_torch_holds_it() -> None:
    """Adafactor holds a row and a column of a matrix, all of a vector, and a counter each."""
    model = nn.Linear(64, 32)
    engine = _stepped(model, lambda weights: torch.optim.Adafactor(weights))

    held = [t for state in engine.state.values() for t in state.values() if torch.is_tensor(t)]
    assert sum(t.nbytes for t in held) == optimizer.adafactor_state_bytes([(32, 64), (32,)])


ALLOCATING = """
import torch
from experiments.instruments import budget
size = 128 * 2**20 // 4
def work():
    torch.zeros(size)
print(budget.within_real_limit(64 * 2**20, work), budget.within_real_limit(256 * 2**20, work))
print(torch.zeros(size).numel() == size)
"""
"""In a process of its own: memory that earlier work has freed may still be mapped, and needs no allocation."""


@pytest.mark.skipif(not budget.real_limit_available(), reason="this system has no limit on a process's data")
def test_a_real_allocation_fails_and_the_process_goes_on() -> None:
    """Under a limit 64 MiB too low for a tensor the allocator itself fails; afterwards the same tensor is made."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", ALLOCATING], env=environment, capture_output=True, text=True, check=False
    )

    assert done.stdout.split() == ["False", "True", "True"], done.stderr


@pytest.mark.skipif(not budget.real_limit_available(), reason="this system has no limit on a process's data")
def test_another_error_is_not_taken_for_memory() -> None:
    """An error that is no failed allocation comes out of the limit as it is."""
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        budget.within_real_limit(2**28, lambda: torch.zeros(2, 3) @ torch.zeros(2, 3))  # type: ignore[arg-type,func-returns-value]


def _stepped(model: nn.Module, make: object) -> torch.optim.Optimizer:
    engine: torch.optim.Optimizer = make(model.parameters())  # type: ignore[operator]
    model(torch.ones(1, 64)).sum().backward()
    engine.step()
    return engine
