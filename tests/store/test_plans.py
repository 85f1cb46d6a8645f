"""What one answer costs does not grow with the cards: its statements look at the item's own rows."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import tutor.store
from tutor.store.projections import _mark_ends


def test_marking_an_item_reads_that_item_alone() -> None:
    """The planner takes the index of the item, never the one of all latest answers."""
    db = sqlite3.connect(":memory:")
    db.executescript((Path(tutor.store.__file__).parent / "schema.sql").read_text(encoding="utf-8"))
    said: list[str] = []
    db.set_trace_callback(said.append)
    _mark_ends(db, "act-2k7d")
    db.set_trace_callback(None)

    updates = [statement for statement in said if statement.startswith("UPDATE")]
    plans = [db.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall()[0][3] for statement in updates]
    assert len(plans) == 2
    assert all("review_item" in plan for plan in plans)
