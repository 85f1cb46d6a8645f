"""Whole numbers of things that are counted, deaf to the noise of a division: 7 · 0.9 / 0.1 is 63 and no more."""

from __future__ import annotations

import math

_DIGITS = 9


def ceiling(value: float) -> int:
    """Return the least whole number that is not below `value`."""
    return math.ceil(round(value, _DIGITS))


def floor(value: float) -> int:
    """Return the largest whole number that is not above `value`."""
    return math.floor(round(value, _DIGITS))
