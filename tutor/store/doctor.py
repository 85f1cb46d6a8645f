"""Checks a learner's data from end to end: the file, the chain of every device, and all figures rebuilt from the events."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tutor.clock import Clock
from tutor.i18n import _
from tutor.paths import Home
from tutor.store.cards import parameters_in_force
from tutor.store.errors import StoreError
from tutor.store.events import COLUMNS, Event, chain_hash
from tutor.store.file import newest_backup, open_file, schema_statements
from tutor.store.projections import PROJECTIONS, read_events, rebuild


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at."""

    ok: bool
    what: str
    remedy: str = ""


def doctor(home: Home, clock: Clock) -> list[Finding]:
    """Return what was found, in order. Reads only; an open tutor may go on beside it."""
    del clock  # every figure is judged by the log's own times
    if not home.database.exists():
        return [Finding(True, _("nothing is stored in {folder} yet").format(folder=home.folder))]
    try:
        db = open_file(home, read_only=True)
    except StoreError as error:
        return [Finding(False, str(error), _("see the sentence above"))]
    copy_back = _("copy the newest backup back from {folder}").format(folder=home.backups)
    findings: list[Finding] = []
    looks = (_integrity(db, copy_back), _chains(db, copy_back), _projections(db), _clock(db))
    for look in looks:
        try:
            findings.extend(look)
        except sqlite3.DatabaseError as error:
            findings.append(Finding(False, _("the file is damaged: {error}").format(error=error), copy_back))
        except (KeyError, TypeError, ValueError) as error:
            # an altered payload may be no JSON, lack a key or hold a value of another type
            findings.append(Finding(False, _("an event cannot be read: {error!r}").format(error=error), copy_back))
    db.close()
    return [*findings, _backup(home)]


def _integrity(db: sqlite3.Connection, remedy: str) -> Iterator[Finding]:
    said = db.execute("PRAGMA integrity_check").fetchone()[0]
    yield Finding(said == "ok", _("integrity_check says {said}").format(said=said), remedy)


def _chains(db: sqlite3.Connection, remedy: str) -> Iterator[Finding]:
    query = "SELECT * FROM event ORDER BY device, seq"
    previous: Event | None = None
    faults, devices, count = [], set(), 0
    for row in db.execute(query):
        event = Event(*row)
        count += 1
        devices.add(event.device)
        follows = previous is not None and previous.device == event.device
        expected = (previous.seq + 1, previous.hash) if follows and previous else (1, "")
        if (event.seq, event.prev) != expected:
            gap = _("event {seq} of device {device} does not follow the one before it")
            faults.append(gap.format(seq=event.seq, device=event.device))
        if chain_hash({name: getattr(event, name) for name in COLUMNS}) != event.hash:
            faults.append(_("event {seq} of device {device} was altered").format(seq=event.seq, device=event.device))
        previous = event
    if faults:
        yield from (Finding(False, fault, remedy) for fault in faults[:10])
    else:
        whole = _("{events} events of {devices} devices are complete and unaltered")
        yield Finding(True, whole.format(events=count, devices=len(devices)))


def _projections(db: sqlite3.Connection) -> Iterator[Finding]:
    fresh = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for statement in schema_statements():
            fresh.execute(statement)
        marks = ",".join("?" * len(COLUMNS))
        fresh.executemany(f"INSERT INTO event VALUES ({marks})", (event.row for event in read_events(db)))
        rebuild(fresh, parameters_in_force(fresh))
        for table in PROJECTIONS:
            stored, rebuilt = _rows(db, table), _rows(fresh, table)
            differ = len(stored ^ rebuilt)
            equal = _("{rows} rows of {table} equal those rebuilt from the events")
            other = _("{rows} rows of {table} differ from the events")
            yield Finding(
                not differ,
                (other if differ else equal).format(rows=differ or len(stored), table=table),
                _("report this; the events are the truth and nothing answered is lost"),
            )
    finally:
        fresh.close()


def _rows(db: sqlite3.Connection, table: str) -> set[tuple[Any, ...]]:
    return set(db.execute(f"SELECT * FROM {table}").fetchall())


def _clock(db: sqlite3.Connection) -> Iterator[Finding]:
    count = db.execute("SELECT count(*) FROM event WHERE clock_suspect = 1").fetchone()[0]
    yield Finding(
        True,
        _("{events} events were written after the clock had jumped; their order holds").format(events=count)
        if count
        else _("the clock never jumped"),
    )


def _backup(home: Home) -> Finding:
    newest = newest_backup(home)
    if newest is None:
        return Finding(True, _("no backup yet; the first is written on the next day of study"))
    return Finding(True, _("newest backup: {path}").format(path=newest))
