"""Matmul FLOPs of a piece of work, with a guard for the kernel the counter does not count."""

from __future__ import annotations

from collections.abc import Callable

from torch.utils.flop_counter import FlopCounterMode


class NotCounted(RuntimeError):
    """An operation ran whose FLOPs the counter takes for zero."""


def count_flops(work: Callable[[], object]) -> int:
    """Return the FLOPs of `work`, two a multiply-add. Raises NotCounted where flash attention ran: it counts as 0."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class Guard(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
            if "flash_attention_for_cpu" in str(func):
                raise NotCounted("CPU flash attention is not counted; use materialised attention.")
            return func(*args, **(kwargs or {}))

    counter = FlopCounterMode(display=False)
    with counter, Guard():
        work()
    return int(counter.get_total_flops())
