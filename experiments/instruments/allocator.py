"""The allocator's own events, from torch's profiler: every real allocation on the CPU, kernel scratch included.

A second truth beside the ledger. It reads a private part of the profiler, so claims about memory rest on the ledger wherever
the ledger can see.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch._C._profiler import _EventType


def allocation_sizes(step: Callable[[], object]) -> list[int]:
    """Return the bytes of each allocation (positive) and release (negative) of `step`, in order of time."""
    with torch.profiler.profile(profile_memory=True) as profile:
        step()
    assert profile.profiler is not None
    roots = profile.profiler.kineto_results.experimental_event_tree()
    events: list[tuple[int, int]] = []
    while roots:
        event = roots.pop()
        roots += event.children
        if event.tag == _EventType.Allocation:
            events.append((event.start_time_ns, event.extra_fields.alloc_size))
    return [size for _, size in sorted(events, key=lambda event: event[0])]


def allocator_peak(step: Callable[[], object]) -> int:
    """Return the highest live bytes of `step` above what was live before it."""
    live = peak = 0
    for size in allocation_sizes(step):
        live += size
        peak = max(peak, live)
    return peak


def allocator_held(step: Callable[[], object]) -> int:
    """Return the bytes that `step` allocated and did not release."""
    return sum(allocation_sizes(step))
