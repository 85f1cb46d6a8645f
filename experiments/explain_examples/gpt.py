"""A GPT for `tutor explain`: fused attention, and the loss over the vocabulary."""

from __future__ import annotations

import torch
from torch import Tensor, nn

WIDTH, HEADS, TOKENS, VOCABULARY = 128, 4, 128, 1000


class Block(nn.Module):
    """Attention and MLP, each with its norm and residual."""

    def __init__(self) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x: Tensor) -> Tensor:
        batch, tokens, _ = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, tokens, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).flatten(2))
        return x + self.mlp(self.norm2(x))


def model() -> nn.Module:
    """Return the model."""
    blocks = (Block() for _ in range(6))
    return nn.Sequential(nn.Embedding(VOCABULARY, WIDTH), *blocks, nn.Linear(WIDTH, VOCABULARY))


def batch() -> tuple[Tensor, Tensor]:
    """Return inputs and targets: the targets are the tokens that follow."""
    ids = torch.randint(VOCABULARY, (8, TOKENS + 1))
    return ids[:, :-1].contiguous(), ids[:, 1:].contiguous()


def loss(output: Tensor, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Return the mean loss of a token."""
    return nn.functional.cross_entropy(output.flatten(0, 1), batch[1].flatten())
