"""What an experiment says, line by line: the protocol's messages as values.

A child writes one JSON object a line, each with `v` (the protocol's version) and `type`. Lines that are no message are
counted and dropped by the supervisor: an experiment's stray print must not end a review.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tutor.frozen import dataclass

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


_FIELDS = {
    "meta": {"experiment", "version"},
    "prediction": {"name", "op", "value"},
    "series": {"name"},
    "point": {"series", "x", "y"},
    "measure": {"name", "value"},
    "claim": {"name", "left", "op", "right", "passed"},
    "event": {"text"},
    "note": {"text"},
    "done": {"seconds", "passed"},
    "started": {"pid"},
    "exit": {"code"},
}


def parse_line(line: bytes) -> dict[str, Any] | None:
    """Return a message, or None for a line that is none: a stray print must not end a review. NaN is read as a word."""
    try:
        value = json.loads(line, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    if (
        not isinstance(value, dict)
        or not isinstance(value.get("type"), str)
        or not _FIELDS.get(value["type"], set()) <= set(value)
    ):
        return None
    ours = value["type"] in ("ready", "missing", "started", "exit")
    return value if ours or (value["type"] in TYPES and value.get("v") == PROTOCOL) else None
