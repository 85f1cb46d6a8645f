"""A mixture of experts for `tutor explain`: each expert takes a fixed number of tokens, those that fit it best.

With a fixed capacity every shape is known before any value is. Routing by `nonzero` or a boolean mask makes shapes out of values, which
fake tensors do not have.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

WIDTH, EXPERTS, CAPACITY = 128, 8, 128


class Mixture(nn.Module):
    """A router and its experts, with a residual."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.router = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, EXPERTS, bias=False)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH)) for _ in range(EXPERTS)
        )

    def forward(self, x: Tensor) -> Tensor:
        tokens = self.norm(x).flatten(0, 1)
        weights, chosen = self.router(tokens).softmax(-1).topk(CAPACITY, 0)  # (capacity, experts)
        mixed = torch.zeros_like(tokens)
        for number, expert in enumerate(self.experts):
            out = expert(tokens[chosen[:, number]]) * weights[:, number, None]
            mixed = mixed.index_add(0, chosen[:, number], out)
        return x + mixed.view_as(x)


def model() -> nn.Module:
    """Return the model."""
    return nn.Sequential(*(Mixture() for _ in range(4)))


def batch() -> Tensor:
    """Return the inputs; without loss() the mean of the squared output is what goes backward."""
    return torch.randn(4, 128, WIDTH)
