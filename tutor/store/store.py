"""The store: one connection, one writer, and what the other rooms may ask of it."""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

from tutor.clock import Clock, Instant
from tutor.i18n import _
from tutor.learning.parameters import Parameters
from tutor.learning.records import Ref
from tutor.paths import Home
from tutor.store.backup import back_up, rotate
from tutor.store.cards import parameters_in_force
from tutor.store.device import device_id, remember
from tutor.store.errors import StoreError, Unwritable
from tutor.store.events import Event
from tutor.store.file import damaged, open_file
from tutor.store.lock import Held, Lock
from tutor.store.log import Log
from tutor.store.projections import rebuild
from tutor.store.reader import Reader
from tutor.store.room import lay_out
from tutor.store.snapshot import Snapshot
from tutor.store.waiting import AT_ONCE, MAY_WAIT, MOST, begin, begun, check, hurries, lay, waiting

P = ParamSpec("P")
R = TypeVar("R")


def open_store(home: Home, clock: Clock, *, read_only: bool = False) -> Store:
    """Open the learner's store. A writer takes the lock; readers stand beside it. Raises StoreError."""
    return Store(home, clock, read_only=read_only)


class Store(Reader):
    """The learner's log and what is kept ready from it. A context manager."""

    def __init__(self, home: Home, clock: Clock, *, read_only: bool = False) -> None:
        self._clock = clock
        self._lock: Lock | None = None
        self._in_force: Parameters | None = None
        self._late: list[Event] = []
        self._roomy = False
        self._snapshots = weakref.WeakSet[Snapshot]()
        if not read_only:
            self._lock = _take_lock(home)
        try:
            super().__init__(home, open_file(home, read_only=read_only))
        except BaseException:
            self._release()
            raise
        try:
            if not read_only:
                self.device = device_id(home, self._db)
                rotate(home, self._db, clock.now())
                self._late = waiting(self._db)
            self._log = Log(self._db, self.device)
            if not read_only and not begun(self._db, self.device):
                with self._transaction():
                    begin(self._db, self.device)
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
        """Lay over what waits, fold the write-ahead log into the file and let the next writer in."""
        for snapshot in tuple(self._snapshots):
            snapshot.close()
        try:
            if self._lock is not None:
                self._fold()
        finally:
            self._db.close()
            self._release()

    # --- writing ------------------------------------------------------------------------------------------------

    def append(self, kind: str, payload: Mapping[str, Any], now: Instant, day: str) -> Ref:
        """Write one event; when this returns it is on the disk. Cards and figures follow when they are asked for, or at `settle`."""
        return self.append_many([(kind, payload)], now, day)[0]

    def append_many(self, events: Sequence[tuple[str, Mapping[str, Any]]], now: Instant, day: str) -> list[Ref]:
        """Write several events in one transaction: all of them or none."""
        refs, late = [], list(self._late)
        with self._transaction():
            parameters = self.parameters()
            for kind, payload in events:
                if kind in AT_ONCE and late:
                    parameters, late = lay(self._db, late, parameters), []
                event = self._log.write(kind, payload, now, day)
                refs.append(event.ref)
                if hurries(self._db, event) or len(late) == MOST:
                    parameters, late = lay(self._db, [*late, event], parameters), []
                elif kind in MAY_WAIT:
                    check(event, payload)
                    late.append(event)
        self._late, self._in_force = late, parameters
        return refs

    def settle(self) -> None:
        """Lay the events that wait over the projections."""
        if self._late:
            with self._transaction():
                parameters = lay(self._db, self._late, self.parameters())
            self._late, self._in_force = [], parameters

    def make_room(self) -> None:
        """Lay out the log for the next answers, once."""
        if not self._roomy:
            with self._transaction():
                lay_out(self.home.database)
            self._roomy = True

    def undo(self, target: Ref, now: Instant, day: str) -> Ref:
        """Write that an earlier event is undone; the card it touched is as if it had never been."""
        return self.append("undone", {"target": list(target)}, now, day)

    def merge(self, events: Iterable[Event]) -> int:
        """Take in another home's events; return how many were new. Any order of arrival gives the same cards.

        Raises StoreError, taking in nothing, where an event was altered or its number belongs to another event here.
        """
        with self._transaction():
            new = sum([self._log.take_in(event) for event in events])
            if new:
                rebuild(self._db, parameters_in_force(self._db))
        if new:
            self._late, self._in_force = [], None
            self._log.forget()
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
        self.settle()
        snapshot = Snapshot(self.home, self._db, self.device)
        self._snapshots.add(snapshot)
        return snapshot

    def ask(self, look: Callable[Concatenate[sqlite3.Connection, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return what a look at the projections finds, once they lack nothing."""
        self.settle()
        return super().ask(look, *args, **kwargs)

    # --- inside -------------------------------------------------------------------------------------------------

    def _fold(self) -> None:
        # a full disk: what was acknowledged lies in the log
        with suppress(Unwritable, sqlite3.OperationalError, OSError):
            self.settle()
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            remember(self.home, self._db, self.device)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            for snapshot in tuple(self._snapshots):
                snapshot.stand_alone()
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except BaseException as error:
            self._log.forget()
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if type(error) is sqlite3.DatabaseError:
                raise damaged(self.home, error) from error
            if isinstance(error, sqlite3.OperationalError):
                said = _(
                    "{path} could not be written ({error}); nothing of this step was kept: free some space and go on."
                )
                raise Unwritable(said.format(path=self.home.database, error=error)) from error
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
