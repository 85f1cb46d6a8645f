"""What an experiment says, line by line: the protocol's messages as values.

A child writes one JSON object a line, each with `v` (the protocol's version) and `type`. Lines that are no message are
counted and dropped by the supervisor: an experiment's stray print must not end a review.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tutor.content.runs import Claim, Measure, Prediction, RunResult

__all__ = [
    "PROTOCOL",
    "TYPES",
    "Claim",
    "Measure",
    "Message",
    "Prediction",
    "RunResult",
    "parse_message",
    "parse_object",
]

PROTOCOL = 1
TYPES = ("meta", "prediction", "series", "point", "row", "event", "measure", "claim", "note", "done")

_TEXT, _NUMBER, _VALUE = (str,), (int, float), (int, float, str)
_REQUIRED: Mapping[str, Mapping[str, tuple[type, ...]]] = {
    "meta": {"experiment": _TEXT, "version": (int,), "torch": _TEXT, "device": _TEXT, "params": (dict,)},
    "prediction": {"name": _TEXT, "op": _TEXT, "value": _VALUE},
    "series": {"name": _TEXT},
    "point": {"series": _TEXT, "x": _NUMBER, "y": _NUMBER},
    "row": {"table": _TEXT},
    "event": {"kind": _TEXT, "text": _TEXT},
    "measure": {"name": _TEXT, "value": _VALUE},
    "claim": {"name": _TEXT, "left": _VALUE, "op": _TEXT, "right": _VALUE, "passed": (bool,)},
    "note": {"text": _TEXT},
    "done": {"seconds": _NUMBER, "passed": (bool,)},
}
"""For each type the fields a reader may rely on, with their kinds; all others are optional."""


@dataclass(frozen=True, slots=True)
class Message:
    """One line of a run: its type and its fields as sent."""

    type: str
    fields: Mapping[str, Any]

    def json(self) -> dict[str, Any]:
        """Return the line's object as it is printed by `tutor lab run --json`."""
        return {"v": PROTOCOL, "type": self.type, **self.fields}


def parse_object(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object a line holds, or None. A number that is not finite arrives as text: 'NaN'."""
    if not line.startswith(b"{"):
        return None
    try:
        found = json.loads(line, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def parse_message(found: Mapping[str, Any]) -> Message | None:
    """Return the message an object is, or None where its version, its type or a field it must have is not as agreed."""
    required = _REQUIRED.get(str(found.get("type")))
    if required is None or found.get("v") != PROTOCOL:
        return None
    if not all(_fits(found.get(name), kinds) for name, kinds in required.items()):
        return None
    return Message(found["type"], {name: value for name, value in found.items() if name not in ("v", "type")})


def _fits(value: object, kinds: tuple[type, ...]) -> bool:
    return isinstance(value, kinds) and (not isinstance(value, bool) or bool in kinds)
