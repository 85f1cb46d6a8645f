"""The store: one connection, one writer, and what the other rooms may ask of it."""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from tutor import __version__
from tutor.clock import Clock, Instant
from tutor.i18n import _
from tutor.learning.parameters import Parameters
from tutor.learning.records import Ref
from tutor.learning.studyday import clock_suspect
from tutor.paths import Home
from tutor.store.backup import back_up, rotate
from tutor.store.cards import parameters_in_force
from tutor.store.device import device_id, remember
from tutor.store.errors import StoreError
from tutor.store.events import COLUMNS, VERSION, Event, canonical, chain_hash, tick
from tutor.store.file import damaged, open_file
from tutor.store.lock import Held, Lock
from tutor.store.projections import project, rebuild
from tutor.store.reader import Reader
from tutor.store.snapshot import Snapshot, take_snapshot


def open_store(home: Home, clock: Clock, *, read_only: bool = False) -> Store:
    """Open the learner's store. A writer takes the lock; readers stand beside it. Raises StoreError."""
    return Store(home, clock, read_only=read_only)


class Store(Reader):
    """The learner's log and what is kept ready from it. A context manager."""

    def __init__(self, home: Home, clock: Clock, *, read_only: bool = False) -> None:
        self._clock = clock
        self._lock: Lock | None = None
        self._in_force: Parameters | None = None
        self._snapshots = weakref.WeakSet[Snapshot]()
        if not read_only:
            self._lock = _take_lock(home)
        try:
            super().__init__(home, open_file(home, read_only=read_only))
        except BaseException:
            self._release()
            raise
        try:
            self.device = "" if read_only else device_id(home, self._db)
            if not read_only:
                rotate(home, self._db, clock.now())
        except BaseException as error:
            self._db.close()
            self._release()
            if type(error) is sqlite3.DatabaseError:
                raise damaged(home, error) from error
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Fold the write-ahead log into the file and let the next writer in."""
        for snapshot in tuple(self._snapshots):
            snapshot.close()
        if self._lock is not None:
            with suppress(sqlite3.OperationalError, OSError):  # a full disk: what was acknowledged lies in the log
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                remember(self.home, self._db, self.device)
        self._db.close()
        self._release()

    # --- writing ------------------------------------------------------------------------------------------------

    def append(self, kind: str, payload: Mapping[str, Any], now: Instant, day: str) -> Ref:
        """Write one event and what follows from it in one transaction; when this returns it is on the disk."""
        return self.append_many([(kind, payload)], now, day)[0]

    def append_many(self, events: Sequence[tuple[str, Mapping[str, Any]]], now: Instant, day: str) -> list[Ref]:
        """Write several events in one transaction: all of them or none."""
        with self._transaction():
            parameters = self.parameters()
            written = []
            for kind, payload in events:
                event = self._event(kind, payload, now, day)
                self._insert(event)
                project(self._db, event, parameters)
                written.append((event.device, event.seq))
                if self._changes_parameters(kind, payload) and (
                    (in_force := parameters_in_force(self._db)) != parameters
                ):
                    parameters = in_force
                    rebuild(self._db, parameters)
                elif event.clock_suspect:  # a clock that came back moves what was written while it stood ahead
                    rebuild(self._db, parameters)
        self._in_force = parameters
        return written

    def undo(self, target: Ref, now: Instant, day: str) -> Ref:
        """Write that an earlier event is undone; the card it touched is as if it had never been."""
        return self.append("undone", {"target": list(target)}, now, day)

    def merge(self, events: Iterable[Event]) -> int:
        """Take in another home's events; return how many were new. Any order of arrival gives the same cards.

        Raises StoreError, taking in nothing, where an event was altered or its number belongs to another event here.
        """
        new = 0
        with self._transaction():
            for event in events:
                if self._lacks(event):
                    self._insert(event)
                    new += 1
            if new:
                rebuild(self._db, parameters_in_force(self._db))
        self._in_force = None
        return new

    def backup(self, path: Path | None = None) -> Path:
        """Write a verified copy to `path`, or among the rotating ones; return where it lies."""
        if path is not None and path.resolve() == self.home.database.resolve():
            raise StoreError(_("{path} is the file in use; name another place for its copy.").format(path=path))
        return back_up(self.home, self._db, path, self._clock.now())

    # --- reading ------------------------------------------------------------------------------------------------

    def parameters(self) -> Parameters:
        """Return the parameter set in force. Whoever alone may write need not look for it again."""
        if self._lock is None:
            return super().parameters()
        if self._in_force is None:
            self._in_force = super().parameters()
        return self._in_force

    def snapshot(self) -> Snapshot:
        """Return the file as it stands, to be asked while this store goes on writing."""
        with self._reading():
            snapshot = take_snapshot(self.home, self._db, self.device)
        self._snapshots.add(snapshot)
        return snapshot

    # --- inside -------------------------------------------------------------------------------------------------

    def _event(self, kind: str, payload: Mapping[str, Any], now: Instant, day: str) -> Event:
        own = self._db.execute(
            "SELECT seq, hash FROM event WHERE device = ? ORDER BY seq DESC LIMIT 1", (self.device,)
        ).fetchone()
        newest = self._db.execute(
            "SELECT hlc, utc_us FROM event ORDER BY hlc DESC, device DESC, seq DESC LIMIT 1"
        ).fetchone()
        seq, prev = (own[0] + 1, own[1]) if own else (1, "")
        fields: dict[str, Any] = {
            "device": self.device,
            "seq": seq,
            "kind": kind,
            "v": VERSION,
            "hlc": tick(newest[0] if newest else "", now.utc_us),
            "utc_us": now.utc_us,
            "mono_ms": now.mono_ms,
            "offset_min": now.offset_min,
            "zone": now.zone,
            "study_day": day,
            "clock_suspect": int(clock_suspect(newest[1] if newest else None, now.utc_us)),
            "app": __version__,
            "prev": prev,
            "payload": canonical(payload),
        }
        return Event(**fields, hash=chain_hash(fields))

    def _lacks(self, event: Event) -> bool:
        here = self._db.execute(
            "SELECT hash FROM event WHERE device = ? AND seq = ?", (event.device, event.seq)
        ).fetchone()
        if here is not None and here[0] == event.hash:
            return False
        if here is not None:
            twice = _(
                "Two different events are number {seq} of device {device}: a copy of its data was used under the same id; "
                "run `tutor doctor` in both homes. Nothing was taken in."
            )
            raise StoreError(twice.format(seq=event.seq, device=event.device))
        if chain_hash({name: getattr(event, name) for name in COLUMNS}) != event.hash:
            altered = _("Event {seq} of device {device} was altered on its way; copy it again. Nothing was taken in.")
            raise StoreError(altered.format(seq=event.seq, device=event.device))
        return True

    def _changes_parameters(self, kind: str, payload: Mapping[str, Any]) -> bool:
        if kind != "undone":
            return kind == "parameters"
        query = "SELECT kind FROM event WHERE device = ? AND seq = ?"
        target = self._db.execute(query, tuple(payload["target"])).fetchone()
        return target is not None and target[0] == "parameters"

    def _insert(self, event: Event) -> None:
        self._db.execute(f"INSERT INTO event VALUES ({','.join('?' * len(COLUMNS))})", event.row)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except BaseException as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if type(error) is sqlite3.DatabaseError:
                raise damaged(self.home, error) from error
            if isinstance(error, sqlite3.OperationalError):
                said = _(
                    "{path} could not be written ({error}); nothing of this step was kept: free some space and go on."
                )
                raise StoreError(said.format(path=self.home.database, error=error)) from error
            raise

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()


def _take_lock(home: Home) -> Lock:
    try:
        home.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return Lock(home.lock)
    except Held as error:
        said = _("Another tutor is open on {folder}; go on there, or close it first.")
        raise StoreError(said.format(folder=home.folder)) from error
    except OSError as error:
        said = _("{folder} cannot be written ({error}); choose another folder with --home.")
        raise StoreError(said.format(folder=home.folder, error=error.strerror)) from error
