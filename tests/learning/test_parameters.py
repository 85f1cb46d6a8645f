"""Parameter sets from elsewhere: upgraded, moved inside the bounds, or refused with the reason."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.learning.parameters import DEFAULT, LOWER, UPPER, accept

FSRS_45 = (0.4, 0.6, 2.4, 5.8, 4.93, 0.94, 0.86, 0.01, 1.49, 0.14, 0.94, 2.18, 0.05, 0.34, 1.26, 0.29, 2.61)
FSRS_5 = (
    0.40255, 1.18385, 3.173, 15.69105, 7.1949, 0.5345, 1.4604, 0.0046, 1.54575, 0.1192, 1.01925, 1.9395, 0.11, 0.29605, 2.2698,
    0.2315, 2.9898, 0.51655, 0.6621,
)  # fmt: skip
SEVENTEEN_UPGRADED = (
    0.4, 0.6, 2.4, 5.8, 6.81, 0.44675, 1.36, 0.01, 1.49, 0.14, 0.94, 2.18, 0.05, 0.34, 1.26, 0.29, 2.61, 0.0, 0.0, 0.0, 0.5,
)  # fmt: skip
"""What fsrs-rs 6.6.2 makes of the defaults of FSRS-4.5."""


def test_a_full_set_passes_unchanged() -> None:
    """The defaults are within their bounds."""
    assert accept(DEFAULT).weights == DEFAULT
    assert accept(DEFAULT).upgraded_from is None


def test_earlier_sets_are_upgraded() -> None:
    """17 and 19 weights become 21, as the reference implementation makes them."""
    assert accept(FSRS_45).weights == pytest.approx(SEVENTEEN_UPGRADED, abs=1e-4)
    assert accept(FSRS_45).upgraded_from == 17
    assert accept(FSRS_5).weights == (*FSRS_5, 0.0, 0.5)
    assert accept(FSRS_5).upgraded_from == 19


def test_outside_the_bounds_is_moved_onto_them() -> None:
    """The weights moved are named."""
    accepted = accept((200.0, *DEFAULT[1:20], 0.0))
    assert accepted.clamped == (0, 20)
    assert accepted.weights == (100.0, *DEFAULT[1:20], 0.1)


@given(st.sampled_from([17, 19, 21]).flatmap(lambda n: st.tuples(*[st.floats(-1e6, 1e6)] * n)))
def test_whatever_comes_ends_inside(weights: tuple[float, ...]) -> None:
    """Any finite numbers of a known length give a set that can be used."""
    used = accept(weights).weights
    assert all(low <= weight <= high for weight, low, high in zip(used, LOWER, UPPER, strict=True))


@pytest.mark.parametrize("weights", [(), DEFAULT[:20], (*DEFAULT, 1.0)])
def test_another_length_is_refused(weights: tuple[float, ...]) -> None:
    """The message names both lengths."""
    with pytest.raises(ValueError, match=f"{len(weights)} parameters; FSRS has 21"):
        accept(weights)


@pytest.mark.parametrize("odd", [math.nan, math.inf])
def test_what_is_no_number_is_refused(odd: float) -> None:
    """A fit that ran away never reaches a review."""
    with pytest.raises(ValueError, match="finite"):
        accept((odd, *DEFAULT[1:]))
