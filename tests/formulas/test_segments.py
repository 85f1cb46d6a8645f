"""Laws of segments, against sums by hand and against a search over all k."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.formulas import segments


def test_chain_by_hand() -> None:
    """36 layers: 6 boundaries, 6 in the segment, a gradient; one segment has them all alive, as no segment has."""
    assert segments.chain_peak(36, 6) == 6 + 6 + 1
    assert segments.chain_peak(36, 1, 0.25) == 38.25
    assert segments.chain_peak(36, 36, 0.25) == 38.25


@given(st.integers(2, 12))
def test_a_chain_is_best_at_its_root(root: int) -> None:
    """Of all numbers of segments the root of N has the least peak, 2·sqrt(N)."""
    layers = root * root

    assert segments.best_segments(layers, 1, range(1, layers + 1)) == root
    assert segments.segments_peak(layers, root) == 2 * root


@pytest.mark.parametrize(("k", "units"), [(1, 613), (6, 108), (18, 52), (36, 53)])
def test_blocks_that_save_seventeen(k: int, units: int) -> None:
    """36 fp16 GPT blocks of 17 tensors: six segments are twice as bad as eighteen."""
    assert segments.segments_peak(36, k, 17) == units
    assert segments.blocks_peak(36, k, 17) == units - 1


@given(st.integers(9, 100), st.floats(2, 40))
def test_blocks_are_best_near_the_root_of_layers_times_saved(layers: int, saved: float) -> None:
    """The best k has a peak no worse than the whole k just above sqrt(L·b)."""
    best = segments.best_segments(layers, saved, range(1, layers + 1))
    near = min(layers, math.ceil(math.sqrt(layers * saved)))

    assert segments.segments_peak(layers, best, saved) <= segments.segments_peak(layers, near, saved)


def test_boundaries_by_hand() -> None:
    """Ten rows at widths 256 and 32, four bytes an element."""
    assert segments.boundary_bytes(10, [256, 32]) == 11_520
