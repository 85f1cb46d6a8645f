"""Room in the write-ahead log, laid out before it is needed.

A commit that makes a file longer has the disk write its length too, and waits for both; PostgreSQL fills the segments of its log ahead
for the same reason. SQLite looks at nothing beyond the last whole frame, as in a log that was begun anew after a checkpoint.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

ROOM = 8 << 20
"""Bytes: about a hundred answers, with what follows from them."""


def lay_out(database: Path) -> None:
    """Fill the log beside `database` with zeros up to `ROOM`, while nobody appends to it. Where there is no log or no space, it grows as
    it is needed."""
    log = database.with_name(f"{database.name}-wal")
    with suppress(OSError), log.open("r+b") as file:
        missing = ROOM - file.seek(0, os.SEEK_END)
        if missing > 0:
            file.write(bytes(missing))
            file.flush()
            os.fsync(file.fileno())
