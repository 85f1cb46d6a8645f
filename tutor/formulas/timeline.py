"""The moments of one training step of a small GPT that can be its peak, and what each holds, in bytes.

Gradients are None at the start, as after `zero_grad`. Derived from the list of operations and checked against measured digits
(torch 2.13, CPU).
"""

from __future__ import annotations

from dataclasses import dataclass

from tutor.formulas.gpt import F32, Shape, block_saved_units, parameter_count
from tutor.formulas.optimizer import STATE_BYTES

OPTIMIZERS = {"sgd": "sgd", "adamw": "adamw", "adamw-foreach": "adamw"}
"""How the optimizers of a timeline are called in `STATE_BYTES`."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment: its phase, the kind of tensor that arrives, and the live bytes by category."""

    phase: str
    tensor: str
    parameters: float
    gradients: float
    state: float
    activations: float

    @property
    def total(self) -> float:
        """Live bytes in all."""
        return self.parameters + self.gradients + self.state + self.activations

    @property
    def largest(self) -> list[tuple[float, str]]:
        """Categories with their bytes, the largest first."""
        named = {"parameters": self.parameters, "gradients": self.gradients, "optimizer-state": self.state}
        return sorted(((held, name) for name, held in {**named, "activations": self.activations}.items()), reverse=True)


def block_parameters(s: Shape) -> int:
    """Return the parameters of one block: (4 + 2f)d² + (9 + f)d."""
    return (4 + 2 * s.mlp) * s.width**2 + (9 + s.mlp) * s.width


def forward_units(s: Shape, checkpointed: bool) -> list[tuple[str, float]]:
    """Return activations of the forward's moments, in units of B·T·d elements.

    At the loss: what the blocks kept, two inputs, the logits and the log-probabilities. In the last block: the MLP's two wide
    tensors, its input, output and the sum before it; or the normed input, queries, keys and values, and scores three times.
    """
    block, scores = block_saved_units(s), s.heads * s.tokens / s.width
    kept = s.layers if checkpointed else s.layers * block
    before = s.layers if checkpointed else (s.layers - 1) * block + 1
    return [
        ("logits", kept + 2 + 2 * s.vocabulary / s.width),
        ("hidden", before + 3 + 2 * s.mlp if checkpointed else kept),
        ("scores", before + 4 + max(3 * scores, 2 + 2 * scores)),
    ]


def backward_units(s: Shape, checkpointed: bool) -> list[tuple[str, float, float]]:
    """Return activations of the backward's moments in units of B·T·d elements, and the gradients' elements that exist.

    At the loss: three times the logits, no gradient yet. In block i: what blocks 1 to i kept (their inputs and block i's own
    if checkpointed), and at the MLP the gradient of its wide tensor, at the softmax two times the scores less the MLP's. In the
    embedding: all gradients, and one hidden state's.
    """
    block, scores, wide = block_saved_units(s), s.heads * s.tokens / s.width, s.vocabulary / s.width
    kept = s.layers if checkpointed else s.layers * block
    head, mlp = s.vocabulary * s.width, s.mlp * s.width**2
    found: list[tuple[str, float, float]] = [("logits", kept + 2 + 3 * wide, 0), ("weight", kept + 3 + wide, head)]
    for i in {1, s.layers}:
        held = i + block if checkpointed else i * block + 1
        done = head + (s.layers - i) * block_parameters(s)
        found.append(("hidden", held + s.mlp, done + mlp))
        found.append(("scores", held - (1 + 2 * s.mlp) + 2 * scores, done + 2 * mlp))
    return [*found, ("weight", 1, parameter_count(s))]


def step_temporaries(s: Shape, optimizer: str) -> float:
    """Return elements that the optimizer's step holds beside its state, at the root of the second moment.

    The loop of AdamW holds two of the largest parameter, foreach one of every parameter, SGD none.
    """
    largest = max(s.vocabulary * s.width, s.mlp * s.width**2, s.tokens * s.width)
    return {"sgd": 0, "adamw": 2 * largest, "adamw-foreach": parameter_count(s)}[optimizer]


def moments(s: Shape, checkpointed: bool, optimizer: str, first: bool = False) -> list[Moment]:
    """Return the moments of a step; in a first step the optimizer's state comes with its own phase.

    The causal masks of materialised attention, a byte a place, are counted beside the parameters.
    """
    count, unit = parameter_count(s), F32 * s.batch * s.tokens * s.width
    weights, state = F32 * count, STATE_BYTES[OPTIMIZERS[optimizer]] * count
    masks = s.layers * s.tokens**2 if s.attention == "scores" else 0
    before = 0 if first else state
    found = [
        Moment("forward", tensor, weights + masks, 0, before, units * unit)
        for tensor, units in forward_units(s, checkpointed)
    ]
    found += [
        Moment("backward", tensor, weights + masks, F32 * gradients, before, units * unit)
        for tensor, units, gradients in backward_units(s, checkpointed)
    ]
    at_root = state + F32 * step_temporaries(s, optimizer)
    return [*found, Moment("step", "weight", weights + masks, weights, at_root, 0)]


def phase_peaks(of: list[Moment]) -> dict[str, float]:
    """Return the largest total of each phase, the highest phase first."""
    peaks: dict[str, float] = {}
    for moment in of:
        peaks[moment.phase] = max(peaks.get(moment.phase, 0), moment.total)
    return dict(sorted(peaks.items(), key=lambda item: -item[1]))
