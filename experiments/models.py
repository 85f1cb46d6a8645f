"""The small model most experiments are about: a GPT whose attention materialises its scores or is fused.

Everything is plain fp32 and as short as it can be, so that each saved tensor can be counted by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from experiments.emit import Refused
from tutor.formulas.gpt import Shape, step_flops

Wrap = Callable[..., Tensor]
"""Calls a block: plainly, or through checkpointing."""


def device() -> torch.device:
    """Return CUDA where it is there (untested on CUDA), else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


LARGEST_STEP = 60e9
"""FLOPs of the largest step an experiment takes: a few seconds on a laptop's core, several times over."""


def shape_of(params: dict[str, Any]) -> Shape:
    """Return the dimensions of a GPT and its batch. Raises Refused where heads do not fit the width or a step is huge."""
    shape = Shape(*(params[name] for name in ("layers", "width", "heads", "tokens", "batch", "vocabulary")))
    if shape.width % shape.heads:
        raise Refused(
            f"width {shape.width} does not split into {shape.heads} heads; choose a multiple of {shape.heads}."
        )
    flops = step_flops(shape, checkpointed=True)
    if flops > LARGEST_STEP:
        raise Refused(
            f"A step of this size takes {flops / 1e9:.0f} GFLOP and a run is kept to {LARGEST_STEP / 1e9:.0f}; "
            "choose fewer layers or tokens, or a smaller width, batch or vocabulary."
        )
    return shape


def call(block: nn.Module, x: Tensor) -> Tensor:
    """Call a block plainly."""
    out: Tensor = block(x)
    return out


class Attention(nn.Module):
    """Causal attention that materialises its scores, T by T a head, or hands the work to the fused kernel."""

    def __init__(self, shape: Shape, dropout: float = 0.0) -> None:
        super().__init__()
        self.heads, self.fused, self.dropout = shape.heads, shape.attention == "sdpa", dropout
        self.qkv = nn.Linear(shape.width, 3 * shape.width)
        self.out = nn.Linear(shape.width, shape.width)
        if not self.fused:
            self.register_buffer("future", torch.ones(shape.tokens, shape.tokens, dtype=torch.bool).triu(1), False)

    def forward(self, x: Tensor) -> Tensor:
        batch, tokens, width = x.shape
        q, k, v = self.qkv(x).view(batch, tokens, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        dropout = self.dropout if self.training else 0.0
        if self.fused:
            mixed = nn.functional.scaled_dot_product_attention(q, k, v, dropout_p=dropout, is_causal=True)
        else:
            scores = q @ k.transpose(-2, -1) / math.sqrt(width // self.heads)  # (batch, heads, tokens, tokens)
            weights = scores.masked_fill(self.future[:tokens, :tokens], float("-inf")).softmax(-1)
            mixed = (nn.functional.dropout(weights, dropout) if dropout else weights) @ v
        return self.out(mixed.transpose(1, 2).reshape(batch, tokens, width))


class Block(nn.Module):
    """One transformer block; `calls` counts how often its forward ran, replays included."""

    def __init__(self, shape: Shape, dropout: float = 0.0) -> None:
        super().__init__()
        width, hidden = shape.width, shape.mlp * shape.width
        self.norm1, self.attention = nn.LayerNorm(width), Attention(shape, dropout)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, hidden), nn.GELU(), nn.Linear(hidden, width))
        if dropout:
            self.mlp.append(nn.Dropout(dropout))
        self.calls = 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    """Embeddings, blocks, a head, and the loss. Each block is called through `wrap`."""

    def __init__(self, shape: Shape, dropout: float = 0.0) -> None:
        super().__init__()
        self.token = nn.Embedding(shape.vocabulary, shape.width)
        self.position = nn.Embedding(shape.tokens, shape.width)
        self.blocks = nn.ModuleList(Block(shape, dropout) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(shape.width)
        self.head = nn.Linear(shape.width, shape.vocabulary, bias=False)

    def hidden(self, ids: Tensor, wrap: Wrap = call) -> Tensor:
        """Return the last hidden state, (batch, tokens, width), normed and ready for the head."""
        x = self.token(ids) + self.position(torch.arange(ids.shape[1], device=ids.device))
        for block in self.blocks:
            x = wrap(block, x)
        out: Tensor = self.norm(x)
        return out

    def forward(self, ids: Tensor, targets: Tensor, wrap: Wrap = call) -> Tensor:
        logits = self.head(self.hidden(ids, wrap))
        return nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())

    @property
    def calls(self) -> int:
        """How often any block's forward ran."""
        return sum(block.calls for block in self.blocks)


def batch_of(shape: Shape, seed: int) -> tuple[Tensor, Tensor]:
    """Return token ids and targets, (batch, tokens) each, the same for the same seed."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(shape.vocabulary, (shape.batch, shape.tokens + 1), generator=generator).to(device())
    return ids[:, :-1].contiguous(), ids[:, 1:].contiguous()
