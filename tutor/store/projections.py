"""What the log says, kept ready to be read: cards, reviews, days, runs. Each is a pure function of the ordered events."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tutor.learning.cards import Card, advance
from tutor.learning.memory import Evidence, Memory
from tutor.learning.parameters import Parameters, default_parameters
from tutor.store.events import Event, canonical

CARD_COLUMNS = [
    "item",
    "stability",
    "difficulty",
    "last_us",
    "first_day",
    "last_day",
    "due",
    "interval",
    "reps",
    "lapses",
    "recent",
    "rev",
    "suspended",
]
CARD_KINDS = ("answered", "suspended", "resumed", "revised")


def project(db: sqlite3.Connection, event: Event, parameters: Parameters) -> None:
    """Lay one event, the newest of all, over the projections."""
    data = event.data
    match event.kind:
        case "answered":
            _review(db, event, data)
            if data["due"] is not None:
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
    event = Event(*row)
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
    gone = undone_targets(db)
    cards: dict[str, Card | None] = {}
    for event in read_events(db):
        if (event.device, event.seq) in gone:
            continue
        data = event.data
        if event.kind == "answered":
            _insert_review(db, event, data)
        elif event.kind == "ran":
            _run(db, event, data)
        if event.kind in CARD_KINDS and (event.kind != "answered" or data["due"] is not None):
            item = data["item"]
            cards[item] = next_card(cards.get(item), event, data, parameters)
    for item, card in cards.items():
        write_card(db, card, item)
    for (item,) in db.execute("SELECT DISTINCT item FROM review").fetchall():
        _mark_ends(db, item)
    for (day,) in db.execute("SELECT DISTINCT study_day FROM review").fetchall():
        _day(db, day)


def rebuild_card(db: sqlite3.Connection, item: str, parameters: Parameters) -> None:
    """Rebuild one card from the events that name its item."""
    gone = undone_targets(db)
    card: Card | None = None
    query = f"SELECT * FROM event WHERE kind IN {CARD_KINDS} AND json_extract(payload, '$.item') = ? ORDER BY hlc, device, seq"
    for row in db.execute(query, (item,)):
        event = Event(*row)
        data = event.data
        if (event.device, event.seq) not in gone and (event.kind != "answered" or data["due"] is not None):
            card = next_card(card, event, data, parameters)
    write_card(db, card, item)


def next_card(card: Card | None, event: Event, data: dict[str, Any], parameters: Parameters) -> Card | None:
    """Return the card after one event that concerns it."""
    if event.kind == "answered":
        evidence = Evidence(int(data["rating"]), float(data["q"]))
        return advance(
            card,
            data["item"],
            int(data["rev"]),
            evidence,
            event.utc_us,
            event.study_day,
            data["due"],
            int(data["interval"]),
            parameters,
        )
    if card is None:
        return None
    if event.kind == "revised":
        return _revised(card, data)
    return replace(card, suspended=event.kind == "suspended")


def _revised(card: Card, data: dict[str, Any]) -> Card | None:
    if data["choice"] == "reset":
        return None
    memory = card.memory
    if data["choice"] == "halve":
        memory = Memory(memory.stability / 2, memory.difficulty)
    return replace(card, rev=int(data["new_rev"]), memory=memory)


def read_card(db: sqlite3.Connection, item: str) -> Card | None:
    """Return one card, or None."""
    row = db.execute("SELECT * FROM card WHERE item = ?", (item,)).fetchone()
    return card_of(row) if row else None


def card_of(row: Iterable[Any]) -> Card:
    """Return the card in a row of the card table."""
    item, stability, difficulty, last_us, first_day, last_day, due, interval, reps, lapses, recent, rev, suspended = row
    memory = Memory(stability, difficulty)
    return Card(item, memory, last_us, first_day, last_day, due, interval, reps, lapses, recent, rev, bool(suspended))


def write_card(db: sqlite3.Connection, card: Card | None, item: str) -> None:
    """Write a card, or remove it where there is none any more."""
    if card is None:
        db.execute("DELETE FROM card WHERE item = ?", (item,))
        return
    c, m = card, card.memory
    values = (
        c.item,
        m.stability,
        m.difficulty,
        c.last_us,
        c.first_day,
        c.last_day,
        c.due,
        c.interval,
        c.reps,
        c.lapses,
        c.recent,
        c.rev,
        int(c.suspended),
    )
    db.execute(f"INSERT OR REPLACE INTO card VALUES ({','.join('?' * len(CARD_COLUMNS))})", values)


def read_events(db: sqlite3.Connection) -> Iterable[Event]:
    """Yield every event in the one order."""
    for row in db.execute("SELECT * FROM event ORDER BY hlc, device, seq"):
        yield Event(*row)


def undone_targets(db: sqlite3.Connection) -> set[tuple[str, int]]:
    """Return the places of all events that were undone."""
    rows = db.execute(
        "SELECT json_extract(payload, '$.target[0]'), json_extract(payload, '$.target[1]') FROM event WHERE kind = 'undone'"
    )
    return {(str(device), int(seq)) for device, seq in rows}


def parameters_in_force(db: sqlite3.Connection) -> Parameters:
    """Return the newest parameter set of the log, or the library's defaults."""
    gone = undone_targets(db)
    query = "SELECT * FROM event WHERE kind = 'parameters' ORDER BY hlc DESC, device DESC, seq DESC"
    for row in db.execute(query):
        event = Event(*row)
        if (event.device, event.seq) not in gone:
            data = event.data
            return Parameters(data["id"], tuple(data["weights"]), data["threshold"], data["step_version"])
    return default_parameters()


def _review(db: sqlite3.Connection, event: Event, data: dict[str, Any]) -> None:
    _insert_review(db, event, data)
    _mark_ends(db, data["item"])
    _day(db, event.study_day)


def _insert_review(db: sqlite3.Connection, event: Event, data: dict[str, Any]) -> None:
    db.execute(
        f"INSERT OR REPLACE INTO review VALUES ({','.join('?' * 19)})",
        (
            event.device, event.seq, event.hlc, data["item"], data["concept"], event.study_day, event.utc_us, data["kind"],
            data["role"], data["mode"], int(data["correct"]), data["sureness"], data["myth"], data["ms"], data["rating"],
            data["predicted"], 0, 0, canonical(data),
        ),
    )  # fmt: skip


def _mark_ends(db: sqlite3.Connection, item: str) -> None:
    """Mark the earliest scheduled answer of an item as its first, and its newest of any kind as its latest."""
    ends = (
        ("first", "AND rating IS NOT NULL ORDER BY hlc, device, seq"),
        ("latest", "ORDER BY hlc DESC, device DESC, seq DESC"),
    )
    for mark, which in ends:
        db.execute(f"UPDATE review SET {mark} = 0 WHERE item = ? AND {mark} = 1", (item,))
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
