"""A LLaMA: RMSNorm, rotary positions, fused attention, SwiGLU, an untied head. Made for fake tensors as well as real ones."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from experiments.models import Wrap, call
from tutor.formulas.llama import Shape


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turn each pair of channels by an angle that grows with the position."""
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat((-second, first), -1) * sin


class Attention(nn.Module):
    """Causal fused attention with rotary positions, no biases."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.qkv = nn.ModuleList(nn.Linear(shape.width, shape.width, bias=False) for _ in range(3))
        self.out = nn.Linear(shape.width, shape.width, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        q, k, v = (linear(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for linear in self.qkv)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(mixed.transpose(1, 2).flatten(2))


class Block(nn.Module):
    """Attention, then a SwiGLU of three matrices."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.norm1, self.attention = nn.RMSNorm(shape.width), Attention(shape)
        self.norm2 = nn.RMSNorm(shape.width)
        self.gate, self.up = (nn.Linear(shape.width, shape.hidden, bias=False) for _ in range(2))
        self.down = nn.Linear(shape.hidden, shape.width, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        x = x + self.attention(self.norm1(x), cos, sin)
        y = self.norm2(x)
        return x + self.down(nn.functional.silu(self.gate(y)) * self.up(y))


class Llama(nn.Module):
    """Embedding, blocks, norm, head, and the loss in fp32. Each block is called through `wrap`."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.token = nn.Embedding(shape.vocabulary, shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = nn.RMSNorm(shape.width)
        self.head = nn.Linear(shape.width, shape.vocabulary, bias=False)
        channels = torch.arange(0, shape.width // shape.heads, 2)
        angles = torch.outer(torch.arange(shape.tokens), 10_000.0 ** (-channels * shape.heads / shape.width)).repeat(
            1, 2
        )
        self.register_buffer("cos", angles.cos().to(torch.get_default_dtype()), persistent=False)
        self.register_buffer("sin", angles.sin().to(torch.get_default_dtype()), persistent=False)

    def forward(self, ids: Tensor, targets: Tensor, wrap: Wrap = call) -> Tensor:
        x = self.token(ids)
        for block in self.blocks:
            x = wrap(block, x, self.cos, self.sin)
        logits = self.head(self.norm(x)).float()
        return nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
