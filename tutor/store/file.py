"""Opens the one SQLite file: fresh, as it is, or with the sentence that says why not. Never replaces a history by nothing."""

from __future__ import annotations

import os
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tutor.i18n import _
from tutor.paths import Home
from tutor.store.errors import StoreError
from tutor.store.waiting import caught_up

APPLICATION_ID = 0x7475746F  # "tuto"
SCHEMA_VERSION = 5
HEADER = b"SQLite format 3\0"
MIGRATIONS_TABLE = "_sqlite_migrations"


def open_file(home: Home, *, read_only: bool) -> sqlite3.Connection:
    """Return a connection to the learner's file, made if there never was one. Raises StoreError."""
    path = home.database
    if not path.exists():
        _refuse_lost(home)
        if read_only:
            return _empty()
        _make_folder(home)
        return _create(path)
    _refuse_what_is_no_database(home)
    connection = _connect(path, read_only)
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        if application != APPLICATION_ID:
            connection.close()
            said = _("{path} is not a tutor file; move it away, or {remedy}")
            raise StoreError(said.format(path=path, remedy=_copy_back(home)))
    except sqlite3.DatabaseError as error:
        connection.close()
        if "readonly" in str(error) or "unable to open" in str(error):
            said = _("{path} cannot be read here ({error}); make its folder writable or copy it elsewhere.")
            raise StoreError(said.format(path=path, error=error)) from error
        raise damaged(home, error) from error
    if version > SCHEMA_VERSION:
        connection.close()
        said = _("{path} was written by a newer tutor (format {version}, this one knows {known}); update the tutor.")
        raise StoreError(said.format(path=path, version=version, known=SCHEMA_VERSION))
    if version < SCHEMA_VERSION:
        from tutor.store.migrations import migrate, migrated_copy  # loads sqlite-utils, which only an older file needs

        connection = migrated_copy(home, connection) if read_only else migrate(home, connection)
    if read_only:
        return _for_reading(home, connection)
    try:
        _settle(connection, path)
    except sqlite3.DatabaseError as error:
        connection.close()
        raise damaged(home, error) from error
    return connection


@contextmanager
def reading(home: Home) -> Iterator[None]:
    """Say what SQLite says of the learner's file in a sentence, whenever it says it."""
    try:
        yield
    except (sqlite3.DatabaseError, ValueError) as error:  # a ValueError: an altered payload is no JSON any more
        if "locked" in str(error):
            said = _("{path} is in use by another program; close it and go on.")
            raise StoreError(said.format(path=home.database)) from error
        raise damaged(home, error) from error


def _for_reading(home: Home, connection: sqlite3.Connection) -> sqlite3.Connection:
    """Return the connection, or one to a copy in memory where the file lacks what its log holds."""
    with reading(home):
        connection = caught_up(connection)
        connection.execute("PRAGMA query_only=1")
    return connection


def _connect(path: Path, read_only: bool) -> sqlite3.Connection:
    if read_only:
        return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=5)
    return sqlite3.connect(path, isolation_level=None, timeout=5)


def _settle(connection: sqlite3.Connection, path: Path) -> None:
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        # a sitting's view lets no checkpoint end, so that each of a thousand pages on would be in vain
        connection.execute("PRAGMA wal_autocheckpoint=10000")
        connection.execute("BEGIN IMMEDIATE")
        # beginning alone succeeds on a file that may only be read; so does nothing but a writing
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        connection.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        connection.close()
        said = _("{path} cannot be written ({error}); free some space or make it and its folder writable.")
        raise StoreError(said.format(path=path, error=error)) from error


def _create(path: Path) -> sqlite3.Connection:
    """Make a fresh file under another name and move it in place, so that a failure leaves nothing half-written."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
            connection.execute("BEGIN")
            for statement in schema_statements():
                connection.execute(statement)
            stamp(connection)
            connection.execute("COMMIT")
        draft.replace(path)
    except (sqlite3.Error, OSError) as error:
        draft.unlink(missing_ok=True)
        said = _("{folder} cannot hold your data ({error}); choose another folder with --home.")
        raise StoreError(said.format(folder=path.parent, error=error)) from error
    connection = _connect(path, read_only=False)
    _settle(connection, path)
    return connection


def schema_statements() -> list[str]:
    """Return the statements of schema.sql."""
    text = (Path(__file__).parent / "schema.sql").read_text(encoding="utf-8")
    statements, current = [], ""
    for line in text.splitlines(keepends=True):
        if line.startswith("--"):
            continue
        current += line
        if sqlite3.complete_statement(current):
            statements.append(current.strip())
            current = ""
    return statements


def stamp(connection: sqlite3.Connection) -> None:
    """Mark a file as ours and as new, so that no migration is due."""
    from datetime import UTC, datetime

    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS {MIGRATIONS_TABLE} "
        "(id INTEGER PRIMARY KEY, migration_set TEXT, name TEXT, applied_at TEXT)"
    )
    now = datetime.now(UTC).isoformat()
    for number in range(1, SCHEMA_VERSION + 1):
        connection.execute(
            f"INSERT INTO {MIGRATIONS_TABLE} (migration_set, name, applied_at) VALUES ('tutor', ?, ?)",
            (f"m{number:03d}", now),
        )


def _empty() -> sqlite3.Connection:
    """Return an empty collection in memory, for reading where nothing was ever written."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for statement in schema_statements():
        connection.execute(statement)
    return connection


def _make_folder(home: Home) -> None:
    try:
        home.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        probe = home.folder / f".probe-{os.getpid()}"
        try:
            probe.write_bytes(b"x" * 4096)
        finally:
            probe.unlink(missing_ok=True)
    except OSError as error:
        said = _("{folder} cannot be written ({error}); choose another folder with --home.")
        raise StoreError(said.format(folder=home.folder, error=error.strerror)) from error


def _refuse_what_is_no_database(home: Home) -> None:
    """Look before SQLite does: it would take an empty file for a new one, and remove the write-ahead log beside garbage."""
    path = home.database
    try:
        with path.open("rb") as file:
            begins = file.read(len(HEADER))
    except OSError as error:
        said = _("{path} cannot be read ({error}); make it readable and writable.")
        raise StoreError(said.format(path=path, error=error.strerror)) from error
    if not begins:
        said = _("{path} is empty although it was in use; {remedy}")
        raise StoreError(said.format(path=path, remedy=_copy_back(home)))
    if begins != HEADER:
        raise damaged(home, "file is not a database")


def _refuse_lost(home: Home) -> None:
    """A home that has backups had a history: starting afresh beside them would hide the loss."""
    if newest_backup(home) is not None:
        said = _("{path} is gone although it was in use; {remedy}")
        raise StoreError(said.format(path=home.database, remedy=_copy_back(home)))


def newest_backup(home: Home) -> Path | None:
    """Return the newest verified copy, or None."""
    try:
        names = [path.name for path in home.backups.iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return None
    newest = max((name for name in names if name.startswith("tutor-") and name.endswith(".db")), default=None)
    return home.backups / newest if newest else None


def damaged(home: Home, error: Exception | str) -> StoreError:
    """Return the sentence for a file that SQLite finds damaged, whenever that is noticed."""
    said = _("{path} is damaged ({error}); {remedy}")
    return StoreError(said.format(path=home.database, error=error, remedy=_copy_back(home)))


def _copy_back(home: Home) -> str:
    newest = newest_backup(home)
    if newest is None:
        return _("there is no backup in {folder}; move the file away to begin anew.").format(folder=home.backups)
    # The write-ahead log of the damaged file would be laid over the copy, and the old id would number new events like
    # the lost ones: both go aside with the file.
    aside, database, device = (shlex.quote(str(path)) for path in (home.folder / "damaged", home.database, home.device))
    commands = f"mkdir -p {aside}; mv {database}* {device} {aside}; cp {shlex.quote(str(newest))} {database}"
    return _("move what is left aside and copy the newest backup back: {commands}").format(commands=commands)
