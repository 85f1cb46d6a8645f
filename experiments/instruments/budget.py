"""A memory budget for a piece of work: a real limit of the operating system where there is one, else the ledger's.

The real limit is RLIMIT_DATA above what the warm process holds (Linux). Freed tensors must leave the address space at
once for it to mean anything, hence mallopt. On other systems, and if asked, the ledger raises at the byte too many.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable
from pathlib import Path

import torch

_M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD = -3, -1


def real_limit_available() -> bool:
    """Whether the operating system can bound this process's memory."""
    return sys.platform == "linux" and not torch.cuda.is_available()


def within_real_limit(budget: int, work: Callable[[], None]) -> bool:
    """Run `work` with `budget` bytes more than the process holds now; return whether it fitted.

    An allocation that fails is caught here; any other error is raised.
    """
    import resource

    libc = ctypes.CDLL(None)
    libc.mallopt(_M_MMAP_THRESHOLD, 1 << 16)
    libc.mallopt(_M_TRIM_THRESHOLD, 1 << 16)
    gc.collect()
    libc.malloc_trim(0)
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (_held() + budget, hard))
    try:
        work()
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
        return False
    except MemoryError:
        return False
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
    return True


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error is a failed allocation: the CPU allocator raises a plain RuntimeError, and so does C++ for small ones."""
    words = ("can't allocate memory", "bad_alloc")
    return isinstance(error, torch.OutOfMemoryError | MemoryError) or any(word in str(error) for word in words)


def _held() -> int:
    """Return the bytes of data this process has mapped."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) * 1024
    raise OSError("no VmData in /proc/self/status")
