"""Rule W6 of the lint, which needs answers: choices whose wrong options are hardly ever picked, so that fewer are left to tell apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tutor.content.model import Library
from tutor.store import Store

LEAST = 20
"""Answers to an item below which a share says nothing of its options."""
PLAUSIBLE = 0.05
"""Share of the answers that an option must draw; Rodriguez 2005 counts fewer as not working."""
ENOUGH = 2
"""Wrong options that work, with which a question is sound."""


def option_report(store: Store, library: Library, often: Iterable[str]) -> list[dict[str, Any]]:
    """Return one row for each scheduled choice, of the items answered `LEAST` times or more, of which fewer than two wrong options are
    picked by one in twenty.

    A pick is known by its myth: wrong options that share one count together.
    """
    asked = [library.items[id] for id in often if id in library.items]
    choices = {item.id: item for item in asked if item.kind == "choice" and item.scheduled}
    myths = {myth for item in choices.values() for myth in item.myths}
    rows = []
    for picks in store.picks(choices, sorted(myths)):
        item = choices[picks.item]
        wrong = [option for option in item.options if option.key not in item.answer]
        shares = {option.key: picks.myths.get(option.myth or "", 0) / picks.times for option in wrong}
        plausible = sum(share >= PLAUSIBLE for share in shares.values())
        if plausible < ENOUGH:
            picked = {key: round(share, 4) for key, share in shares.items()}
            rows.append(
                {
                    "item": item.id,
                    "concept": item.concept,
                    "n": picks.times,
                    "picked": picked,
                    "plausible": plausible,
                }
            )
    return rows
