"""What a second run of a forward does to state that it writes: running statistics."""

from __future__ import annotations

from tutor.formulas.quantities import Factor, Number, Share, formula


@formula
def statistics_moved(momentum: Share, updates: Number) -> Share:
    """Return how far running statistics that began at zero have moved towards a batch's own: 1 - (1-m)^n, a share.

    momentum: weight of the new batch, such as 0.1
    updates: times the same batch passes, such as 2
    Source: the exponential average of BatchNorm, r ← (1-m)·r + m·batch, with the same batch `updates` times.
    """
    return 1 - (1 - momentum) ** updates


@formula
def double_move(momentum: Share) -> Factor:
    """Return how much farther two updates with the same batch move the statistics than one: 2 - m, a factor.

    momentum: weight of the new batch, such as 0.1
    Source: (1 - (1-m)²)/m; measured with a BatchNorm in a checkpointed region (torch 2.13).
    """
    return statistics_moved(momentum, 2) / statistics_moved(momentum, 1)
