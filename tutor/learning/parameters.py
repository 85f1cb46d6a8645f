"""FSRS-6 parameter sets. The numbers are py-fsrs's defaults and bounds, copied because importing the library costs more than
the first question may; a test compares the copy with the original."""

from __future__ import annotations

from dataclasses import dataclass

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
