"""What the log says, kept ready to be read: cards, reviews, days, runs. Each is a pure function of the ordered events."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

from tutor.learning.cards import Card
from tutor.learning.mastery import KNOWN
from tutor.learning.parameters import Parameters
from tutor.store.cards import (
    CARD_KINDS,
    counted,
    leaps_of,
    milliseconds,
    next_card,
    probability,
    rating,
    read_card,
    rebuild_card,
    undone_targets,
    write_card,
)
from tutor.store.events import Event, canonical


def project(db: sqlite3.Connection, event: Event, parameters: Parameters) -> None:
    """Lay one event, the newest of all, over the projections."""
    data = event.data
    match event.kind:
        case "answered":
            _review(db, event, data)
            write_card(db, next_card(read_card(db, data["item"]), event, data, parameters), data["item"])
        case "suspended" | "resumed" | "revised":
            write_card(db, next_card(read_card(db, data["item"]), event, data, parameters), data["item"])
        case "ran":
            _run(db, event, data)
        case "undone":
            undo(db, tuple(data["target"]), parameters)


def undo(db: sqlite3.Connection, target: tuple[Any, ...], parameters: Parameters) -> None:
    """Take an event out of the projections; the card it touched is rebuilt from its other events."""
    row = db.execute("SELECT * FROM event WHERE device = ? AND seq = ?", target).fetchone()
    if row is None:
        return
    event = counted(Event(*row), leaps_of(db))
    db.execute("DELETE FROM review WHERE device = ? AND seq = ?", target)
    db.execute("DELETE FROM run WHERE device = ? AND seq = ?", target)
    if event.kind not in CARD_KINDS:
        return
    item = event.data["item"]
    rebuild_card(db, item, parameters)
    _mark_ends(db, item)
    # a later answer may have become the item's first, which changes the counts of its day too
    days = db.execute("SELECT DISTINCT study_day FROM review WHERE item = ?", (item,)).fetchall()
    for day in {event.study_day, *(day for (day,) in days)}:
        _day(db, day)


def rebuild(db: sqlite3.Connection, parameters: Parameters) -> None:
    """Rebuild every projection from the events, in their one order."""
    for table in ("card", "review", "day", "run"):
        db.execute(f"DELETE FROM {table}")
    gone, leaps = undone_targets(db), leaps_of(db)
    cards: dict[str, Card | None] = {}
    for written in read_events(db):
        ref = (written.device, written.seq)
        if ref in gone:
            continue
        event, data = counted(written, leaps), written.data
        if event.kind == "answered":
            _insert_review(db, event, data)
        elif event.kind == "ran":
            _run(db, event, data)
        if event.kind in CARD_KINDS:
            item = data["item"]
            cards[item] = next_card(cards.get(item), event, data, parameters, ref in leaps)
    for item, card in cards.items():
        write_card(db, card, item)
    for (item,) in db.execute("SELECT DISTINCT item FROM review").fetchall():
        _mark_ends(db, item)
    for (day,) in db.execute("SELECT DISTINCT study_day FROM review").fetchall():
        _day(db, day)


def read_events(db: sqlite3.Connection) -> Iterable[Event]:
    """Yield every event in the one order."""
    for row in db.execute("SELECT * FROM event ORDER BY hlc, device, seq"):
        yield Event(*row)


def _review(db: sqlite3.Connection, event: Event, data: dict[str, Any]) -> None:
    _insert_review(db, event, data)
    _mark_ends(db, data["item"])
    _day(db, event.study_day)


def _insert_review(db: sqlite3.Connection, event: Event, data: dict[str, Any]) -> None:
    db.execute(
        f"INSERT OR REPLACE INTO review VALUES ({','.join('?' * 20)})",
        (
            event.device, event.seq, event.hlc, data["item"], data["concept"], event.study_day, event.utc_us, data["kind"],
            data["role"], data["mode"], int(data["correct"]), data["sureness"], data["myth"], milliseconds(data), rating(data),
            data["predicted"], int(_likely(data)), 0, 0, canonical(data),
        ),
    )  # fmt: skip


def _likely(data: dict[str, Any]) -> bool:
    """Whether an answer shows knowledge rather than luck; one given minutes after the solution shows neither."""
    return bool(data["correct"]) and probability(data) >= KNOWN and data["role"] not in ("retry", "hinted")


def _mark_ends(db: sqlite3.Connection, item: str) -> None:
    """Mark the earliest scheduled answer of an item as its first, and its newest of any kind as its latest."""
    ends = (
        ("first", "AND rating IS NOT NULL ORDER BY hlc, device, seq"),
        ("latest", "ORDER BY hlc DESC, device DESC, seq DESC"),
    )
    for mark, which in ends:
        # `+` keeps the planner to the item's few rows: by itself it would take the index of all latest answers
        db.execute(f"UPDATE review SET {mark} = 0 WHERE item = ? AND +{mark} = 1", (item,))
        row = db.execute(f"SELECT device, seq FROM review WHERE item = ? {which} LIMIT 1", (item,)).fetchone()
        if row:
            db.execute(f"UPDATE review SET {mark} = 1 WHERE device = ? AND seq = ?", row)


def _day(db: sqlite3.Connection, day: str) -> None:
    """Count one study day again. `recalled` of `reviewed` is true retention: scheduled answers of cards seen on an earlier day,
    where a declared guess is not recall."""
    db.execute("DELETE FROM day WHERE study_day = ?", (day,))
    said = ", ".join(
        f"sum(sureness IS '{word}'), sum(sureness IS '{word}' AND correct)" for word in ("sure", "think", "guess")
    )
    db.execute(
        "INSERT INTO day SELECT study_day, count(*), sum(correct), sum(first), sum(rating IS NOT NULL), "
        "sum(rating IS NOT NULL AND first = 0 AND correct AND sureness IS NOT 'guess'), "
        f"sum(rating IS NOT NULL AND first = 0), sum(min(ms, 60000)), {said} "
        "FROM review WHERE study_day = ? GROUP BY study_day",
        (day,),
    )


def _run(db: sqlite3.Connection, event: Event, data: dict[str, Any]) -> None:
    values = (
        event.device,
        event.seq,
        event.hlc,
        event.study_day,
        event.utc_us,
        data["experiment"],
        data["myth"],
        data["ending"],
        canonical(data),
    )
    db.execute("INSERT OR REPLACE INTO run VALUES (?,?,?,?,?,?,?,?,?)", values)
