"""A vision transformer for `tutor explain`: patches, torch's own encoder layers, AdamW by default."""

from __future__ import annotations

import torch
from torch import Tensor, nn

WIDTH, PATCH, SIDE = 128, 8, 64


class ViT(nn.Module):
    """Patches as tokens, six encoder layers, a head on their mean."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, WIDTH, PATCH, stride=PATCH)
        self.positions = nn.Parameter(torch.zeros(1, (SIDE // PATCH) ** 2, WIDTH))
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(WIDTH, 4, 4 * WIDTH, dropout=0.0, batch_first=True, norm_first=True)
            for _ in range(6)
        )
        self.head = nn.Linear(WIDTH, 100)

    def forward(self, images: Tensor) -> Tensor:
        x = self.patches(images).flatten(2).transpose(1, 2) + self.positions
        for layer in self.layers:
            x = layer(x)
        return self.head(x.mean(1))


def model() -> nn.Module:
    """Return the model."""
    return ViT()


def batch() -> tuple[Tensor, Tensor]:
    """Return images and their classes."""
    return torch.randn(16, 3, SIDE, SIDE), torch.randint(100, (16,))


def loss(output: Tensor, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Return the mean loss of an image."""
    return nn.functional.cross_entropy(output, batch[1])
