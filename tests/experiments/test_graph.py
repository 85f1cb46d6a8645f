"""The walk over autograd's graph, against what hooks count and what a hand counts."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from experiments.instruments.graph import kept_bytes, kept_for_backward, operation_name, operations
from experiments.instruments.saved import saved_for_backward
from experiments.models import GPT, batch_of
from tutor.formulas.gpt import Shape


def test_rows_of_a_relu_mlp_by_hand() -> None:
    """Two Linears keep inputs and weights; the ReLU's result is the second one's input, one storage under two names."""
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8))
    kept = kept_for_backward(model(torch.randn(4, 8)), model)

    assert [(row.operation, row.name, row.shape, row.tag) for row in kept] == [
        ("Addmm", "mat1", (4, 8), "new"),
        ("Relu", "result", (4, 16), "new"),
        ("Addmm", "mat1", (4, 16), "shared"),
        ("Addmm", "mat2", (16, 8), "parameter"),
    ]
    assert kept[1].storage == kept[2].storage
    assert kept_bytes(kept) == 4 * (4 * 8 + 4 * 16)


def test_numbers_and_additions_keep_nothing() -> None:
    """Scaling by a Python number and adding keep no tensor, although the node of the division shows its number."""
    x = torch.randn(3, requires_grad=True)
    out = x / 8 + x

    assert kept_for_backward(out, nn.Identity()) == []
    assert [operation_name(node) for node in operations(out)] == ["Div", "Add"]


@pytest.mark.parametrize("attention", ["scores", "sdpa"])
@pytest.mark.parametrize("dropout", [0.0, 0.1])
def test_graph_and_hooks_agree_to_the_byte(attention: str, dropout: float) -> None:
    """On a GPT with its loss, what the walk adds up is what hooks on saved tensors add up."""
    shape = Shape(2, 32, 4, 16, 2, 64, attention=attention, dropout=bool(dropout))
    model = GPT(shape, dropout)
    with saved_for_backward(model) as saved:
        loss = model(*batch_of(shape, 0))

    assert kept_bytes(kept_for_backward(loss, model)) == saved.bytes
