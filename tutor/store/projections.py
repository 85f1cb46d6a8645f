"""What the log says, kept ready to be read: cards, reviews, days, runs. Each is a pure function of the ordered events."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from tutor.learning.cards import Card
from tutor.learning.mastery import KNOWN
from tutor.learning.parameters import Parameters
from tutor.store.cards import (
    CARD_KINDS,
    Asked,
    asked_in,
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

PROJECTIONS = ("card", "review", "latest", "day", "run")
"""The tables that are rebuilt from the events."""


def project(db: sqlite3.Connection, event: Event, parameters: Parameters) -> None:
    """Lay one event, the newest of all, over the projections."""
    data = event.data
    match event.kind:
        case "answered":
            _answer(db, event, data)
            _move_card(db, event, data, parameters, asked_in(data))
        case "suspended" | "resumed" | "revised":
            _move_card(db, event, data, parameters)
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
    for table in PROJECTIONS:
        db.execute(f"DELETE FROM {table}")
    gone, leaps = undone_targets(db), leaps_of(db)
    cards: dict[str, Card | None] = {}
    asked: dict[str, Asked] = {}
    for written in read_events(db):
        ref = (written.device, written.seq)
        if ref in gone:
            continue
        event, data = counted(written, leaps), written.data
        if event.kind == "answered":
            _insert_review(db, event, data)
            asked[data["item"]] = asked_in(data)
        elif event.kind == "ran":
            _run(db, event, data)
        if event.kind in CARD_KINDS:
            item = data["item"]
            cards[item] = next_card(cards.get(item), event, data, parameters, ref in leaps)
    for item, card in cards.items():
        write_card(db, card, item, asked.get(item))
    settle(db)
    mark_laid(db)


def mark_laid(db: sqlite3.Connection) -> None:
    """Write down that all events are laid over the projections."""
    db.execute("UPDATE laid SET seq = (SELECT coalesce(max(seq), 0) FROM event WHERE event.device = laid.device)")


def settle(db: sqlite3.Connection) -> None:
    """Mark every item's first and latest answer and count every day, from the rows of the reviews."""
    for (item,) in db.execute("SELECT DISTINCT item FROM review").fetchall():
        _mark_ends(db, item)
    for (day,) in db.execute("SELECT DISTINCT study_day FROM review").fetchall():
        _day(db, day)


def read_events(db: sqlite3.Connection) -> Iterable[Event]:
    """Yield every event in the one order."""
    for row in db.execute("SELECT * FROM event ORDER BY hlc, device, seq"):
        yield Event(*row)


def _answer(db: sqlite3.Connection, event: Event, data: dict[str, Any]) -> None:
    """Lay the newest answer over what is kept of the ones before: no other row changes."""
    known = db.execute("SELECT 1 FROM review WHERE item = ? AND rating IS NOT NULL LIMIT 1", (data["item"],)).fetchone()
    _insert_review(db, event, data, first=known is None and rating(data) is not None)
    _write_latest(db, data["item"], data["concept"], int(data["correct"]), data["sureness"], int(_likely(data)))
    _day(db, event.study_day)


def _move_card(
    db: sqlite3.Connection, event: Event, data: dict[str, Any], parameters: Parameters, asked: Asked | None = None
) -> None:
    before = read_card(db, data["item"])
    after = next_card(before, event, data, parameters)
    if after is not before:
        write_card(db, after, data["item"], asked)
    elif after is not None and asked is not None:
        db.execute("UPDATE card SET concept = ?, chance = ? WHERE item = ?", (*asked, data["item"]))


def review_row(event: Event, data: Mapping[str, Any], first: bool = False) -> tuple[Any, ...]:
    """Return the row of the review table for an answer."""
    return (
        event.device, event.seq, event.hlc, data["item"], data["concept"], event.study_day, event.utc_us, data["kind"],
        data["role"], data["mode"], len(data["options"]), int(data["choice"] is not None), int(data["correct"]),
        data["sureness"], data["myth"], data["slip"], milliseconds(data), rating(data), data["predicted"],
        int(_likely(data)), int(first),
    )  # fmt: skip


def _insert_review(db: sqlite3.Connection, event: Event, data: dict[str, Any], first: bool = False) -> None:
    db.execute(f"INSERT OR REPLACE INTO review VALUES ({','.join('?' * 21)})", review_row(event, data, first))


def _write_latest(db: sqlite3.Connection, *row: Any) -> None:
    # where an answer is like the one before, no index is written
    db.execute(
        "INSERT INTO latest VALUES (?,?,?,?,?) ON CONFLICT (item) DO UPDATE SET concept = excluded.concept, "
        "correct = excluded.correct, sureness = excluded.sureness, likely = excluded.likely",
        row,
    )


def _likely(data: Mapping[str, Any]) -> bool:
    """Whether an answer shows knowledge rather than luck; one given minutes after the solution shows neither."""
    return bool(data["correct"]) and probability(data) >= KNOWN and data["role"] not in ("retry", "hinted")


def _mark_ends(db: sqlite3.Connection, item: str) -> None:
    """Mark the earliest scheduled answer of an item as its first, and keep its newest of any kind as its latest."""
    query = "SELECT device, seq FROM review WHERE item = ? AND {} ORDER BY hlc, device, seq LIMIT 1"
    first = db.execute(query.format("rating IS NOT NULL"), (item,)).fetchone()
    marked = db.execute(query.format("+first = 1"), (item,)).fetchone()
    for mark, place in ((0, marked), (1, first)):
        if place is not None and first != marked:
            db.execute("UPDATE review SET first = ? WHERE device = ? AND seq = ?", (mark, *place))
    query = (
        "SELECT item, concept, correct, sureness, likely FROM review WHERE item = ? "
        "ORDER BY hlc DESC, device DESC, seq DESC LIMIT 1"
    )
    row = db.execute(query, (item,)).fetchone()
    if row:
        _write_latest(db, *row)
    else:
        db.execute("DELETE FROM latest WHERE item = ?", (item,))


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
