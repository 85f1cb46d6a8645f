"""What the warm worker loads before anybody asks: torch, and all that its first checkpoint and first optimizer pull in.

A first `checkpoint()` or `AdamW()` costs about a second and 80 MB of imports. Paid here, they neither delay a run nor
spoil what it measures.
"""

from __future__ import annotations

import importlib
from pathlib import Path

MODULES = (
    "torch",
    "torch._dynamo",
    "torch._subclasses.fake_tensor",
    "torch.optim",
    "torch.utils.checkpoint",
    "torch.utils.flop_counter",
)
_DRIVERS = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg")


def gpu_driver() -> bool:
    """Whether the machine has a GPU's driver. Looked up without torch: a process that has asked CUDA must not fork."""
    return any(Path(file).exists() for file in _DRIVERS)


def warm_up() -> None:
    """Import what experiments use and take one tiny training step. Raises ImportError where torch is missing."""
    for name in MODULES:
        importlib.import_module(name)
    import torch

    torch.set_num_threads(1)
    if not gpu_driver():  # backward would start autograd's threads for the devices, and those do not survive a fork
        _step()


def _step() -> None:
    import torch
    from torch.utils.checkpoint import checkpoint

    layer = torch.nn.Linear(4, 4)
    optimizer = torch.optim.AdamW(layer.parameters())
    checkpoint(layer, torch.ones(2, 4), use_reentrant=False).sum().backward()
    optimizer.step()
