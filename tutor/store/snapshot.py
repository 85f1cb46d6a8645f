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
    """A reader that sees nothing of what is written after it was taken. Closed with the store, or when nobody holds it.

    Until something is written it looks through the writer's own connection: the first question needs no second one.
    """

    def __init__(self, home: Home, db: sqlite3.Connection, device: str) -> None:
        super().__init__(home, db, device)
        self._shared = True
        self.close: Callable[[], object] = lambda: None

    def stand_alone(self) -> None:
        """Hold on to this moment, before something is written. Doing it twice is nothing.

        With a write-ahead log it is a read transaction of its own, which holds up no writer. Where the file system knows no such log a
        reader would, so it is a copy in memory.
        """
        if self._shared:
            self._db, self._shared = _view(self.home, self._db), False
            self.close = weakref.finalize(self, self._db.close)


def _view(home: Home, db: sqlite3.Connection) -> sqlite3.Connection:
    """Return another connection to the file behind `db`, or to a copy of it, that stays at this moment."""
    if db.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        view = _connect(f"{home.database.as_uri()}?mode=ro")
        view.execute("BEGIN")
        view.execute("SELECT 1 FROM event LIMIT 1").fetchone()  # the view begins with the first look, not with BEGIN
    else:
        view = _connect("file::memory:")
        db.backup(view)
    return view


def _connect(uri: str) -> sqlite3.Connection:
    """Return a connection that any thread may close: a sitting that is over is collected wherever that happens to be."""
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
