"""A ResNet for `tutor explain`: convolutions, batch norms with buffers, SGD with momentum.

On the CPU a convolution's backward takes one more activation as scratch that never becomes a tensor: 2 of 142 MB here.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn

CHANNELS = 32


class Block(nn.Module):
    """Two convolutions and a residual."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = (nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1, bias=False) for _ in range(2))
        self.norm1, self.norm2 = nn.BatchNorm2d(CHANNELS), nn.BatchNorm2d(CHANNELS)

    def forward(self, x: Tensor) -> Tensor:
        y = self.norm1(self.first(x)).relu()
        return (x + self.norm2(self.second(y))).relu()


def model() -> nn.Module:
    """Return the model."""
    stem = nn.Conv2d(3, CHANNELS, 3, padding=1)
    blocks = (Block() for _ in range(16))
    return nn.Sequential(stem, *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(CHANNELS, 10))


def batch() -> tuple[Tensor, Tensor]:
    """Return images and their classes."""
    return torch.randn(16, 3, 32, 32), torch.randint(10, (16,))


def optimizer(parameters: Iterable[nn.Parameter]) -> torch.optim.Optimizer:
    """Return the optimizer."""
    return torch.optim.SGD(parameters, lr=0.1, momentum=0.9)


def loss(output: Tensor, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Return the mean loss of an image."""
    return nn.functional.cross_entropy(output, batch[1])
