"""What a run showed: its predictions, measures and claims, and how it ended.

The lab makes these values from the protocol's lines; the session, the store and the screens read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from tutor.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """One comparison an experiment makes about what happened on this machine."""

    name: str
    left: float | str
    op: str
    right: float | str
    passed: bool


@dataclass(frozen=True, slots=True)
class Measure:
    """One measured value with its unit and the instrument that read it."""

    name: str
    value: float | str
    unit: str = ""
    instrument: str = ""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What theory says about a measure: `op` and `value`, with the source of the formula."""

    name: str
    op: str
    value: float | str
    unit: str = ""
    source: str = ""


@dataclass(frozen=True)
class RunResult:
    """How a run ended and what it showed."""

    ending: str
    """passed | failed (a claim did not hold) | crashed | killed | timeout | cancelled | memory | flooded | unavailable | refused"""
    sentence: str
    """One sentence for the learner about the ending; empty when every claim held."""
    seconds: float
    version: int = 0
    torch: str = ""
    device: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    predictions: tuple[Prediction, ...] = ()
    measures: tuple[Measure, ...] = ()
    claims: tuple[Claim, ...] = ()

    @property
    def completed(self) -> bool:
        """Whether the run reached its end, whatever its claims say."""
        return self.ending in ("passed", "failed")

    def measured(self, name: str) -> float | str | None:
        """Return the value of the measure `name`, or None where it was not measured."""
        return next((m.value for m in self.measures if m.name == name), None)

    def theory(self, name: str) -> Prediction | None:
        """Return what theory says about the measure `name`."""
        return next((p for p in self.predictions if p.name == name), None)
