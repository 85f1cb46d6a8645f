"""Paired times against work whose duration is known, on a clock of the test's own."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from statistics import median

import pytest

from experiments.instruments.paired import paired_ratios


class Machine:
    """A machine whose every second of work takes longer than the one before: its clock is what is measured."""

    def __init__(self, drift: float) -> None:
        self.now, self.slowness, self.drift = 0.0, 1.0, drift
        self.done: list[float] = []

    def work(self, seconds: float) -> Callable[[], None]:
        def run() -> None:
            self.now += seconds * self.slowness
            self.slowness += self.drift * seconds
            self.done.append(seconds)

        return run

    def clock(self) -> float:
        return self.now


def test_a_steady_machine_gives_the_true_ratio_each_time() -> None:
    """Three seconds over two, five times."""
    machine = Machine(drift=0)

    assert list(paired_ratios(machine.work(2), machine.work(3), 5, machine.clock)) == pytest.approx([1.5] * 5)


def test_a_machine_that_slows_down_gives_the_ratio_all_the_same() -> None:
    """Equal work on a machine that becomes four times as slow: the median of pairs says 1, blocks one after the other do not."""
    machine = Machine(drift=0.2)
    ratios = list(paired_ratios(machine.work(1), machine.work(1), 8, machine.clock))

    blocks = Machine(drift=0.2)
    times = []
    for _ in range(2):
        started = blocks.clock()
        for _ in range(8):
            blocks.work(1)()
        times.append(blocks.clock() - started)
    assert median(ratios) == pytest.approx(1, abs=0.02)
    assert times[1] / times[0] > 1.5


def test_warm_up_is_not_counted_and_the_order_turns() -> None:
    """One of each before the pairs; then first-second, second-first, and so on."""
    machine = Machine(drift=0)
    list(paired_ratios(machine.work(1), machine.work(2), 3, machine.clock))

    assert machine.done == [1, 2, 1, 2, 2, 1, 1, 2]
    assert [a + b for a, b in pairwise(machine.done)][::2] == [3, 3, 3, 3]
