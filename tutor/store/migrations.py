"""Brings an older file up to date, with a verified backup first. Loaded only when an older file is met."""

from __future__ import annotations

import sqlite3

from sqlite_utils import Database, Migrations

from tutor.i18n import _
from tutor.paths import Home
from tutor.store.backup import back_up
from tutor.store.cards import parameters_in_force
from tutor.store.errors import StoreError
from tutor.store.file import APPLICATION_ID, SCHEMA_VERSION, schema_statements
from tutor.store.projections import PROJECTIONS, rebuild

migrations = Migrations("tutor")


@migrations()
def m001(db: Database) -> None:
    """Format 0 held the events alone: add every projection, to be filled from them."""
    _add_missing(db)


@migrations()
def m002(db: Database) -> None:
    """Format 1 did not count how sure answers were, nor mark an item's latest: make the projections anew, to be filled."""
    _make_anew(db)


@migrations()
def m003(db: Database) -> None:
    """Format 2 did not say of a right answer whether it was likely knowledge: make the projections anew."""
    _make_anew(db)


@migrations()
def m004(db: Database) -> None:
    """Format 3 kept each answer's payload twice and had no row for an item's latest answer: fewer pages are written now."""
    for index in ("event_kind", "event_item"):
        db.conn.execute(f"DROP INDEX {index}")
    _make_anew(db)


@migrations()
def m005(db: Database) -> None:
    """Format 4 laid each answer over the projections before it was said to be durable, and looked up cards for their difficulty."""
    db.conn.execute("DROP INDEX IF EXISTS card_due")
    _add_missing(db)


def _make_anew(db: Database) -> None:
    for table in PROJECTIONS:
        db.conn.execute(f"DROP TABLE IF EXISTS {table}")
    _add_missing(db)


def _add_missing(db: Database) -> None:
    existing = {row[0] for row in db.execute("SELECT name FROM sqlite_master").fetchall()}
    for statement in schema_statements():
        name = statement.split("(")[0].split()[2]
        if name not in existing:
            db.conn.execute(statement)


def migrate(home: Home, connection: sqlite3.Connection) -> sqlite3.Connection:
    """Return the connection to the file in today's format. Raises StoreError with the file as it was."""
    back_up(home, connection)
    return _bring_up(home, connection)


def migrated_copy(home: Home, connection: sqlite3.Connection) -> sqlite3.Connection:
    """Return a copy in memory in today's format: a reader may not change the file, and need not wait for a writer."""
    copy = sqlite3.connect(":memory:", isolation_level=None)
    connection.backup(copy)
    connection.close()
    return _bring_up(home, copy)


def _bring_up(home: Home, connection: sqlite3.Connection) -> sqlite3.Connection:
    try:
        connection.execute("BEGIN IMMEDIATE")
        migrations.apply(Database(connection))
        rebuild(connection, parameters_in_force(connection))
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.close()
        said = _("{path} could not be brought up to date ({error}); it is as it was, and a copy lies in {folder}.")
        raise StoreError(said.format(path=home.database, error=error, folder=home.backups)) from error
    return connection
