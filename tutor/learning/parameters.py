"""FSRS-6 parameter sets. The numbers are py-fsrs's defaults and bounds, copied because importing the library costs more than
the first question may; a test compares the copy with the original."""

from __future__ import annotations

import math
from collections.abc import Iterable

from tutor.frozen import dataclass

# fmt: off
DEFAULT = (
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796,
    1.4835, 0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
)
LOWER = (
    0.001, 0.001, 0.001, 0.001, 1.0, 0.001, 0.001, 0.001, 0.0, 0.0, 0.001,
    0.001, 0.001, 0.001, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.1,
)
UPPER = (
    100.0, 100.0, 100.0, 100.0, 10.0, 4.0, 4.0, 0.75, 4.5, 0.8, 3.5,
    5.0, 0.25, 0.9, 4.0, 1.0, 6.0, 2.0, 2.0, 0.8, 0.8,
)
# fmt: on


@dataclass(frozen=True, slots=True)
class Parameters:
    """One set of weights with the rules that belong to it."""

    id: str
    weights: tuple[float, ...]
    """w0 to w20 of FSRS-6."""
    threshold_days: float = 0.15
    """Below this many elapsed days an answer counts as same-day."""
    step_version: int = 1
    """Version of the memory step these weights are for."""


def default_parameters() -> Parameters:
    """Return the library's defaults, for a learner whose log is too short to fit."""
    return Parameters("fsrs6-default", DEFAULT)


EARLIER = (17, 19)
"""Lengths of the parameter sets of FSRS-4.5 and FSRS-5."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A parameter set as it may be used, and what had to be done to it."""

    weights: tuple[float, ...]
    upgraded_from: int | None = None
    """Length of the earlier version's set this one was made from; None for one of 21."""
    clamped: tuple[int, ...] = ()
    """Indices of the weights that lay outside their bounds and were moved onto them."""


def accept(weights: Iterable[float]) -> Accepted:
    """Return 17, 19 or 21 weights as a set of FSRS-6 within its bounds; ValueError for any other length or a number that is none.

    Earlier sets are upgraded as the reference implementation does (fsrs-rs, `check_and_fill_parameters`).
    """
    given = [float(weight) for weight in weights]
    if len(given) != len(DEFAULT) and len(given) not in EARLIER:
        raise ValueError(f"{len(given)} parameters; FSRS has 21 (17 or 19 in earlier versions)")
    if not all(math.isfinite(weight) for weight in given):
        raise ValueError("a parameter is not a finite number")
    full = _upgrade(given)
    moved = tuple(min(max(w, low), high) for w, low, high in zip(full, LOWER, UPPER, strict=True))
    clamped = tuple(j for j, (before, after) in enumerate(zip(full, moved, strict=True)) if before != after)
    return Accepted(moved, len(given) if len(given) in EARLIER else None, clamped)


def _upgrade(weights: list[float]) -> list[float]:
    if len(weights) == 17:  # FSRS-4.5: difficulty linear in the rating, no same-day step
        difficulty, slope, change = weights[4:7]
        curved = math.log(max(3 * slope + 1, 1.0)) / 3
        weights = [*weights[:4], difficulty + 2 * slope, curved, change + 0.5, *weights[7:], 0.0, 0.0]
    if len(weights) == 19:  # FSRS-5: same-day step without S, and a curve of fixed decay
        weights = [*weights, 0.0, 0.5]
    return weights
