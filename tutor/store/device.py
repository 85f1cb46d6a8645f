"""The id of this device. It lies beside the database; a database copied or restored elsewhere gets a new one, since two
writers with one id would give the same number to different events."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from tutor.i18n import _
from tutor.paths import Home
from tutor.store.errors import StoreError
from tutor.store.log import Last, last_event


def device_id(home: Home, db: sqlite3.Connection) -> str:
    """Return this device's id, made anew where there is none, where the database is another file than it was, or where
    it lacks this device's last event: then it was copied back from before that event. Raises StoreError."""
    known, mark = _read(home), _mark(home.database)
    id = str(known.get("id") or "")
    last = last_event(db, id)
    if not id or known.get("mark") != mark or not _holds(db, id, last, known):
        id, last = secrets.token_hex(8), (0, None)
    try:
        _write(home, id, mark, last, known)
    except OSError as error:
        said = _("{folder} cannot be written ({error}); make it writable or choose another with --home.")
        raise StoreError(said.format(folder=home.folder, error=error.strerror)) from error
    return id


def remember(home: Home, db: sqlite3.Connection, id: str) -> None:
    """Write down the id, the file it belongs to and the last event written under it. Raises OSError."""
    _write(home, id, _mark(home.database), last_event(db, id), _read(home))


def _write(home: Home, id: str, mark: str, last: Last, known: Mapping[str, object]) -> None:
    noted = {"id": id, "mark": mark, "seq": last[0], "last": last[1]}
    if noted != known:
        draft = home.device.with_name(".device.new")
        draft.write_text(json.dumps(noted), encoding="utf-8")
        draft.replace(home.device)


def _read(home: Home) -> dict[str, object]:
    try:
        known = json.loads(home.device.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # missing or unreadable: a new id is always safe
    return known if isinstance(known, dict) else {}


def _holds(db: sqlite3.Connection, id: str, held: Last, known: Mapping[str, object]) -> bool:
    """Whether the database has the last event noted; notes of earlier versions lack its number."""
    last, seq = known.get("last"), known.get("seq")
    if last is None or held == (seq, last):
        return True
    place = ("AND seq = ?", (seq,)) if isinstance(seq, int) else ("", ())
    query = f"SELECT 1 FROM event WHERE device = ? AND hash = ? {place[0]}"
    return db.execute(query, (id, str(last), *place[1])).fetchone() is not None


def _mark(database: Path) -> str:
    """Return what tells this file from a copy of it: the file system's own number for it."""
    stat = database.stat()
    return f"{stat.st_dev}:{stat.st_ino}"
