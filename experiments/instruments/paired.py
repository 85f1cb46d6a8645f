"""Time of one piece of work over that of another, pair by pair, so that a machine that slows down slows both."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator


def paired_ratios(
    first: Callable[[], object],
    second: Callable[[], object],
    pairs: int,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[float]:
    """Yield time of `second` over time of `first` for each pair, after one of each that does not count.

    The two run one after the other, and the order turns around from pair to pair. Take the median of the ratios; two
    blocks of runs, one after the other, measure the machine's mood as well. On CUDA the work has to end with a
    synchronisation (untested on CUDA).
    """

    def seconds(work: Callable[[], object]) -> float:
        started = clock()
        work()
        return clock() - started

    first()
    second()
    for pair in range(pairs):
        if pair % 2:
            after = seconds(second)
            before = seconds(first)
        else:
            before = seconds(first)
            after = seconds(second)
        yield after / before
