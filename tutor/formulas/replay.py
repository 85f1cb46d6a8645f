"""What a second run of a forward does to state that it writes: running statistics."""

from __future__ import annotations


def statistics_moved(momentum: float, updates: int) -> float:
    """Return how far running statistics that began at zero have moved towards a batch's own: 1 - (1-m)^n, a share.

    Source: the exponential average of BatchNorm, r ← (1-m)·r + m·batch, with the same batch `updates` times.
    """
    return 1 - (1 - momentum) ** updates


def double_move(momentum: float) -> float:
    """Return how much farther two updates with the same batch move the statistics than one: 2 - m, a factor."""
    return statistics_moved(momentum, 2) / statistics_moved(momentum, 1)
