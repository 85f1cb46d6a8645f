"""An LSTM language model for `tutor explain`: two layers of cells, a step at a time.

`nn.LSTM` would run as one fused kernel, whose workspace fake tensors do not see; of cells every operation is counted.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

WIDTH, TOKENS, VOCABULARY = 256, 12, 500


class LanguageModel(nn.Module):
    """Embedding, two layers of LSTM cells, a head; each cell keeps what it made at every step until backward."""

    def __init__(self) -> None:
        super().__init__()
        self.token = nn.Embedding(VOCABULARY, WIDTH)
        self.cells = nn.ModuleList(nn.LSTMCell(WIDTH, WIDTH) for _ in range(2))
        self.head = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, ids: Tensor) -> Tensor:
        steps = list(self.token(ids).unbind(1))
        for cell in self.cells:
            state = None
            for index, step in enumerate(steps):
                state = cell(step, state)
                steps[index] = state[0]
        return self.head(torch.stack(steps, 1))


def model() -> nn.Module:
    """Return the model."""
    return LanguageModel()


def batch() -> tuple[Tensor, Tensor]:
    """Return inputs and targets."""
    ids = torch.randint(VOCABULARY, (16, TOKENS + 1))
    return ids[:, :-1].contiguous(), ids[:, 1:].contiguous()


def loss(output: Tensor, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Return the mean loss of a token."""
    return nn.functional.cross_entropy(output.flatten(0, 1), batch[1].flatten())
