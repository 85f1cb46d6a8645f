"""The file as it stands at one moment: what is asked of it later is answered as if asked at once.

A sitting works on such a view. Its session is a pure function of what it was told, and being told everything would mean to read every card
before the first question.
"""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Callable

from tutor.paths import Home
from tutor.store.reader import Reader


class Snapshot(Reader):
    """A reader that sees nothing of what is written after it was taken. Closed with the store, or when nobody holds it."""

    def __init__(self, home: Home, db: sqlite3.Connection, device: str) -> None:
        super().__init__(home, db, device)
        self.close: Callable[[], object] = weakref.finalize(self, db.close)


def take_snapshot(home: Home, db: sqlite3.Connection, device: str) -> Snapshot:
    """Return a view of the file behind the writer's connection `db`.

    With a write-ahead log it is a read transaction of its own, which holds up no writer. Where the file system knows no such log a
    reader would, so it is a copy in memory.
    """
    if db.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        view = _connect(f"{home.database.as_uri()}?mode=ro")
        view.execute("BEGIN")
        view.execute("SELECT 1 FROM event LIMIT 1").fetchone()  # the view begins with the first look, not with BEGIN
    else:
        view = _connect("file::memory:")
        db.backup(view)
    return Snapshot(home, view, device)


def _connect(uri: str) -> sqlite3.Connection:
    """Return a connection that any thread may close: a sitting that is over is collected wherever that happens to be."""
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
