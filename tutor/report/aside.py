"""What was set aside after repeated misses, and what should help instead."""

from __future__ import annotations

from typing import Any

from tutor.content.model import Library
from tutor.store import Store


def aside_report(store: Store, library: Library) -> list[dict[str, Any]]:
    """Return one row for each item that is set aside as a leech: since when, and the remedy suggested then."""
    rows = []
    for event in store.leeches():
        item = library.items.get(event.payload["item"])
        rows.append(
            {
                "item": event.payload["item"],
                "concept": item.concept if item else "",
                "at": event.study_day,
                "remedy": event.payload["remedy"],
                "target": event.payload["target"],
            }
        )
    return rows
