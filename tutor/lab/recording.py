"""What a run has said so far, gathered for whoever draws it or writes it down: curves, tables, notes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tutor.lab.messages import Message

POINTS_KEPT = 4_000
"""Points kept a curve: an experiment sends a few hundred, and a screen has fewer columns."""
ROWS_KEPT = 400


@dataclass
class RecordedSeries:
    """One curve as it came."""

    title: str
    x: str = ""
    """What the axis counts."""
    y: str = ""
    unit: str = ""
    xs: list[float] = field(default_factory=list)
    ys: list[float] = field(default_factory=list)
    phases: list[str] = field(default_factory=list)


@dataclass
class Recording:
    """Curves by name, tables by name, and notes in the order they came."""

    curves: dict[str, RecordedSeries] = field(default_factory=dict)
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def hear(self, message: Message) -> None:
        """Take in one message; what is no curve, row or note passes by."""
        fields = message.fields
        match message.type:
            case "series":
                name = str(fields["name"])
                title = str(fields.get("title") or name)
                x, y, unit = (str(fields.get(key, "")) for key in ("x", "y", "unit"))
                self.curves.setdefault(name, RecordedSeries(title, x, y, unit))
            case "point":
                curve = self.curves.setdefault(str(fields["series"]), RecordedSeries(str(fields["series"])))
                if len(curve.xs) < POINTS_KEPT:
                    curve.xs.append(float(fields["x"]))
                    curve.ys.append(float(fields["y"]))
                    curve.phases.append(str(fields.get("phase", "")))
            case "row":
                rows = self.tables.setdefault(str(fields.get("table", "")), [])
                if len(rows) < ROWS_KEPT:
                    rows.append({key: value for key, value in fields.items() if key != "table"})
            case "note" | "event" if fields.get("text"):
                self.notes.append(str(fields["text"]))


def recorded(messages: Iterable[Message]) -> Recording:
    """Return the recording of a whole run."""
    recording = Recording()
    for message in messages:
        recording.hear(message)
    return recording
