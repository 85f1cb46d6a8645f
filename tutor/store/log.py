"""The writer's end of the log: the chain of its own device, and the clock that orders all devices."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from tutor import __version__
from tutor.clock import Instant
from tutor.i18n import _
from tutor.learning.studyday import clock_suspect
from tutor.store.errors import StoreError
from tutor.store.events import COLUMNS, VERSION, Event, canonical, chain_hash, tick

_INSERT = f"INSERT INTO event VALUES ({','.join('?' * len(COLUMNS))})"

Last = tuple[int, str | None]
"""Number and hash of a device's last event; 0 and None before the first."""


def last_event(db: sqlite3.Connection, device: str) -> Last:
    """Return where a device's chain ends."""
    query = "SELECT seq, hash FROM event WHERE device = ? ORDER BY seq DESC LIMIT 1"
    return db.execute(query, (device,)).fetchone() or (0, None)


class Log:
    """Appends events. Where the log ends is remembered, for nobody else writes."""

    def __init__(self, db: sqlite3.Connection, device: str) -> None:
        self._db = db
        self._device = device
        self.forget()

    def forget(self) -> None:
        """Look again where the log ends: what was appended last is not in it after all, or events of others are."""
        self._own: Last | None = None
        self._newest: tuple[str, int | None] | None = None

    def write(self, kind: str, payload: Mapping[str, Any], now: Instant, day: str) -> Event:
        """Append one event to this device's chain and return it."""
        seq, prev = self._own or last_event(self._db, self._device)
        hlc, newest_us = self._newest or self._find_newest()
        fields: dict[str, Any] = {
            "device": self._device,
            "seq": seq + 1,
            "kind": kind,
            "v": VERSION,
            "hlc": tick(hlc, now.utc_us),
            "utc_us": now.utc_us,
            "mono_ms": now.mono_ms,
            "offset_min": now.offset_min,
            "zone": now.zone,
            "study_day": day,
            "clock_suspect": int(clock_suspect(newest_us, now.utc_us)),
            "app": __version__,
            "prev": prev or "",
            "payload": canonical(payload),
        }
        event = Event(**fields, hash=chain_hash(fields))
        self._db.execute(_INSERT, event.row)
        self._own, self._newest = (event.seq, event.hash), (event.hlc, event.utc_us)
        return event

    def take_in(self, event: Event) -> bool:
        """Insert another home's event; return whether it was new. Raises StoreError where it was altered, or its number is taken."""
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
        self._db.execute(_INSERT, event.row)
        return True

    def _find_newest(self) -> tuple[str, int | None]:
        query = "SELECT hlc, utc_us FROM event ORDER BY hlc DESC, device DESC, seq DESC LIMIT 1"
        return self._db.execute(query).fetchone() or ("", None)
