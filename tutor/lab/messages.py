"""What an experiment says, line by line: the protocol's messages as values.

A child writes one JSON object a line, each with `v` (the protocol's version) and `type`. Lines that are no message are
counted and dropped by the supervisor: an experiment's stray print must not end a review.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tutor.content.runs import Claim, Measure, Prediction, RunResult

__all__ = ["PROTOCOL", "TYPES", "Claim", "Measure", "Message", "Prediction", "RunResult"]

PROTOCOL = 1
TYPES = ("meta", "prediction", "series", "point", "row", "event", "measure", "claim", "note", "done")


@dataclass(frozen=True, slots=True)
class Message:
    """One line of a run: its type and its fields as sent."""

    type: str
    fields: Mapping[str, Any]

    def json(self) -> dict[str, Any]:
        """Return the line's object as it is printed by `tutor lab run --json`."""
        return {"v": PROTOCOL, "type": self.type, **self.fields}
