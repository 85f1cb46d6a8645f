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
        remedy, target = event.payload["remedy"], event.payload["target"]
        rows.append(
            {
                "item": event.payload["item"],
                "concept": item.concept if item else "",
                "at": event.study_day,
                "remedy": remedy,
                "target": target,
                "title": _title(remedy, target, library),
            }
        )
    return rows


def _title(remedy: str, target: str, library: Library) -> str:
    """Return the name of what a remedy leads to, as a learner knows it."""
    if remedy == "prerequisite" and target in library.concepts:
        return library.concepts[target].title
    deck = library.deck(target) if remedy == "guide" else None
    return deck.title if deck else target
