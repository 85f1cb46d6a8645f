"""Two optimizers torch does not bring in a form that fake tensors can run, as short as they can be."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import nn


class Factored(torch.optim.Optimizer):
    """Adafactor's idea alone: of the squared gradients of a matrix keep a row of means and a column of means."""

    def __init__(self, parameters: Iterable[nn.Parameter], lr: float = 1e-3, beta: float = 0.99) -> None:
        super().__init__(parameters, {"lr": lr, "beta": beta})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:
        """Update each parameter by its gradient over the root of the estimated mean square."""
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self._update(parameter, parameter.grad, group["lr"], 1 - group["beta"])

    def _update(self, parameter: torch.Tensor, gradient: torch.Tensor, lr: float, new: float) -> None:
        square = gradient.square()
        means = [square] if square.ndim < 2 else [square.mean(-1, keepdim=True), square.mean(-2, keepdim=True)]
        state = self.state[parameter]
        if not state:
            state.update({f"mean {axis}": torch.zeros_like(mean) for axis, mean in enumerate(means)})
        for kept, mean in zip(state.values(), means, strict=True):
            kept.lerp_(mean, new)
        if len(means) == 1:
            torch.div(gradient, state["mean 0"].sqrt().add_(1e-8), out=square)
        else:
            rows, columns = state["mean 0"], state["mean 1"]
            torch.mul(rows / rows.mean(-2, keepdim=True).add_(1e-30), columns, out=square)
            square.sqrt_().add_(1e-8).reciprocal_().mul_(gradient)
        parameter.sub_(square, alpha=lr)


class MasterCopy:
    """Keeps an fp32 copy of bf16 weights: the inner optimizer updates the copy, and the weights are rounded from it."""

    def __init__(
        self, parameters: Iterable[nn.Parameter], inner: Callable[[list[nn.Parameter]], torch.optim.Optimizer]
    ) -> None:
        self.pairs = [(parameter, nn.Parameter(parameter.detach().float())) for parameter in parameters]
        self.inner = inner([master for _, master in self.pairs])

    @property
    def state(self) -> dict[torch.Tensor, dict[str, Any]]:
        """What is kept for each weight, its master copy included."""
        return {weight: {"master": master.data, **self.inner.state[master]} for weight, master in self.pairs}

    @torch.no_grad()
    def step(self) -> None:
        """Widen the gradients one by one, update the copy, round it."""
        for weight, master in self.pairs:
            if weight.grad is not None:
                master.grad, weight.grad = weight.grad.float(), None
        self.inner.step()
        self.inner.zero_grad(set_to_none=True)
        for weight, master in self.pairs:
            weight.copy_(master)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients."""
        for weight, _ in self.pairs:
            weight.grad = None
