"""How sure a rate is."""

from __future__ import annotations

import math

Z95 = 1.959964


def wilson(right: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927): honest for small n and near 0 and 1."""
    share, z2 = right / n, Z95 * Z95
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return max(0.0, middle - half), min(1.0, middle + half)
