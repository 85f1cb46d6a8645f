"""Verified copies: written under another name, checked, and only then given theirs. A copy that was not checked is no backup."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from datetime import date, datetime, timedelta
from pathlib import Path

from tutor.clock import Instant
from tutor.i18n import _
from tutor.paths import Home
from tutor.store.errors import StoreError
from tutor.store.file import damaged, newest_backup

WHOLE_DAYS, DAILY, WEEKLY = 2, 12, 10
"""Every copy of the last two days is kept; then one a day for twelve days, then one a week for ten weeks."""


def back_up(home: Home, db: sqlite3.Connection, path: Path | None = None, now: Instant | None = None) -> Path:
    """Write a verified copy and return where it lies. Raises StoreError, leaving nothing behind."""
    if path is None:
        moment = now.local if now else datetime.now().astimezone()
        path = home.backups / f"tutor-{moment:%Y%m%d-%H%M%S}.db"
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        copy = sqlite3.connect(draft)
        try:
            db.backup(copy)
            _verify(db, copy)
        finally:
            copy.close()
        with draft.open("rb") as written:
            os.fsync(written.fileno())
        draft.replace(path)
    except (sqlite3.Error, OSError) as error:
        if type(error) is sqlite3.DatabaseError:
            raise damaged(home, error) from error
        said = _(
            "No backup could be written to {path} ({error}); your data is untouched. Free some space or name another place."
        )
        raise StoreError(said.format(path=path, error=error)) from error
    finally:
        with suppress(OSError):
            draft.unlink()
    return path


def rotate(home: Home, db: sqlite3.Connection, now: Instant) -> None:
    """Before a day's first writing, keep a copy of what there was; drop copies that the policy no longer keeps."""
    if db.execute("SELECT 1 FROM event LIMIT 1").fetchone() is None:
        return
    newest = newest_backup(home)
    if newest is not None and newest.name.startswith(f"tutor-{now.local:%Y%m%d}"):
        return
    back_up(home, db, now=now)
    copies = sorted(home.backups.glob("tutor-*.db"))
    kept = kept_copies([path.name for path in copies], now.local.date())
    for path in copies:
        if path.name not in kept:
            path.unlink()


def kept_copies(names: list[str], today: date) -> set[str]:
    """Return which copies the policy keeps, from their names `tutor-YYYYMMDD-HHMMSS.db`."""
    kept: set[str] = set()
    by_day: dict[date, str] = {}
    for name in sorted(names):
        try:
            day = datetime.strptime(name[6:14], "%Y%m%d").date()
        except ValueError:
            kept.add(name)  # not ours to judge
            continue
        by_day[day] = name
        if today - day < timedelta(days=WHOLE_DAYS):
            kept.add(name)
    kept |= {name for day, name in by_day.items() if today - day <= timedelta(days=DAILY)}
    by_week = {
        day.isocalendar()[:2]: name for day, name in sorted(by_day.items()) if today - day <= timedelta(weeks=WEEKLY)
    }
    return kept | set(by_week.values())


def _verify(db: sqlite3.Connection, copy: sqlite3.Connection) -> None:
    sound = copy.execute("PRAGMA integrity_check").fetchone()[0]
    if sound != "ok":
        raise sqlite3.DatabaseError(f"the copy is not sound: {sound}")
    query = "SELECT count(*) FROM event"
    if db.execute(query).fetchone() != copy.execute(query).fetchone():
        raise sqlite3.DatabaseError("the copy lacks events")
