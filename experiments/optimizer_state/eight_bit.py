"""Adam with 8-bit state: both moments as one byte a number, with a scale for each block of 256 numbers.

Look at `compress`: a block keeps its largest magnitude in fp32, and each number becomes a count of that over 127 or 255.
A step unpacks one parameter's moments, updates them in fp32 as Adam does, and packs them again. Production kernels use a
non-linear code in place of evenly spaced counts. Untested on CUDA.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import pad

from tutor.formulas.optimizer import BLOCK


def compress(values: Tensor, levels: int) -> tuple[Tensor, Tensor]:
    """Return codes of one byte a number and a scale a block. 127 levels keep the sign, 255 are for values of one sign.

    Magnitudes round up: a small second moment that became zero would blow its step up.
    """
    flat = values.flatten()
    blocks = pad(flat, (0, -len(flat) % BLOCK)).view(-1, BLOCK)
    scale = blocks.abs().amax(1, keepdim=True).clamp_min(1e-30) / levels
    counts = blocks / scale
    counts = counts.round() if levels == 127 else counts.ceil().clamp_max(levels)
    codes = counts.to(torch.int8 if levels == 127 else torch.uint8).flatten()[: len(flat)]
    return codes.clone(), scale


def expand(codes: Tensor, scale: Tensor, shape: torch.Size) -> Tensor:
    """Return the numbers that codes and scales stand for, in fp32."""
    blocks = pad(codes, (0, -len(codes) % BLOCK)).view(-1, BLOCK)
    return (blocks * scale).flatten()[: len(codes)].view(shape)


class EightBitAdam(torch.optim.Optimizer):
    """Adam whose state is 2 bytes a parameter and two scales a block. The root of the second moment is what is packed."""

    def __init__(self, weights: object, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999)) -> None:
        super().__init__(weights, {"lr": lr, "betas": betas})  # type: ignore[arg-type]
        self.steps = 0

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        self.steps += 1
        for group in self.param_groups:
            first, second = group["betas"]
            for weight in (w for w in group["params"] if w.grad is not None):
                state = self.state[weight]
                mean, root = torch.zeros_like(weight), torch.zeros_like(weight)
                if state:
                    mean = expand(state["mean"], state["mean scale"], weight.shape)
                    root = expand(state["root"], state["root scale"], weight.shape)
                mean.lerp_(weight.grad, 1 - first)
                root = root.square_().mul_(second).addcmul_(weight.grad, weight.grad, value=1 - second).sqrt_()
                unbiased = root / (1 - second**self.steps) ** 0.5 + 1e-8
                weight.addcdiv_(mean, unbiased, value=-group["lr"] / (1 - first**self.steps))
                state["mean"], state["mean scale"] = compress(mean, 127)
                state["root"], state["root scale"] = compress(root, 255)
