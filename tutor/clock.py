"""The injected clock: every reading of time in the tutor comes from here, so that a test can choose it."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from typing import Protocol

from tutor.frozen import dataclass
from tutor.i18n import _

MICROSECONDS_PER_DAY = 86_400_000_000


@dataclass(frozen=True, slots=True)
class Instant:
    """One reading of the clock."""

    utc_us: int
    """Microseconds since 1970-01-01 UTC."""
    mono_ms: int
    """Milliseconds of a clock that never goes back, from an arbitrary start."""
    offset_min: int
    """Local time minus UTC, in minutes."""
    zone: str
    """IANA name of the local zone, or a fixed offset such as `UTC+02:00`."""

    @property
    def local(self) -> datetime:
        """The wall clock of the learner, aware."""
        zone = timezone(timedelta(minutes=self.offset_min))
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=self.utc_us)).astimezone(zone)


class Clock(Protocol):
    """Anything that can be asked for the time."""

    def now(self) -> Instant:
        """Return the present instant."""
        ...


class ClockError(ValueError):
    """`TUTOR_NOW` cannot be read as an instant."""


class SystemClock:
    """The machine's clock, shifted so that it starts at `TUTOR_NOW` where that is set, and runs on from there."""

    def __init__(self, environ: dict[str, str] | None = None) -> None:
        env = os.environ if environ is None else environ
        self._shift_us = 0
        self._fixed: timezone | None = None
        started = env.get("TUTOR_NOW")
        if started:
            moment = _parse(started)
            self._shift_us = _microseconds(moment) - time.time_ns() // 1000
            offset = moment.utcoffset()
            self._fixed = timezone(offset) if offset is not None else None
        self._wished_zone = env.get("TZ", "")
        self._zone_name = self._wished_zone or _local_zone_name()

    def now(self) -> Instant:
        """Return the present instant in the learner's zone (or in the offset of `TUTOR_NOW`)."""
        utc_us = time.time_ns() // 1000 + self._shift_us
        mono_ms = time.monotonic_ns() // 1_000_000
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=utc_us)
        local = moment.astimezone(self._fixed or _zone(self._wished_zone))
        offset = local.utcoffset() or timedelta()
        name = self._zone_name if self._zone_name and not self._fixed else str(timezone(offset))
        return Instant(utc_us, mono_ms, round(offset.total_seconds() / 60), name)


def _parse(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            return moment
    except ValueError:
        pass
    said = _("TUTOR_NOW is {text!r}: write an ISO time with its zone, such as 2026-12-01T08:00:00+01:00.")
    raise ClockError(said.format(text=text))


def _microseconds(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def _zone(name: str) -> tzinfo | None:
    """Return the zone of a name; None, the system's own, where it has none or the name says nothing."""
    if not name:
        return None
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # with its data, loaded where a zone was wished

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return None


def _local_zone_name() -> str:
    link = Path("/etc/localtime")
    target = str(link.resolve()) if link.is_symlink() else ""
    return target.split("zoneinfo/", 1)[1] if "zoneinfo/" in target else ""
