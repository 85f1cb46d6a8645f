"""Events: canonical JSON, the hash chain of a device, and the clock that orders devices among themselves."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from tutor.frozen import dataclass
from tutor.learning.records import Ref

VERSION = 1
COLUMNS = [
    "device",
    "seq",
    "kind",
    "v",
    "hlc",
    "utc_us",
    "mono_ms",
    "offset_min",
    "zone",
    "study_day",
    "clock_suspect",
    "app",
    "prev",
    "hash",
    "payload",
]

_row: Callable[[Any], tuple[Any, ...]] = attrgetter(*COLUMNS)


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log, never rewritten. `hash` covers every other field and the hash before it."""

    device: str
    seq: int
    kind: str
    v: int
    hlc: str
    utc_us: int
    mono_ms: int
    offset_min: int
    zone: str
    study_day: str
    clock_suspect: int
    app: str
    prev: str
    hash: str
    payload: str
    """Canonical JSON."""

    @property
    def ref(self) -> Ref:
        """The event's place in the log."""
        return self.device, self.seq

    @property
    def order(self) -> tuple[str, str, int]:
        """The one order of all events of all devices."""
        return self.hlc, self.device, self.seq

    @property
    def data(self) -> dict[str, Any]:
        """The payload as values."""
        data: dict[str, Any] = json.loads(self.payload)
        return data

    @property
    def row(self) -> tuple[Any, ...]:
        """The values of the table's columns."""
        return _row(self)


def canonical(payload: Mapping[str, Any]) -> str:
    """Return JSON with sorted keys and no spaces: the same payload gives the same bytes. A number that JSON cannot hold
    (a loss that overflowed, a gradient that is nan) is kept as its name: `inf`, `-inf`, `nan`."""
    try:
        return _dumps(payload)
    except ValueError:
        return _dumps(_named(payload))


_dumps = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def _named(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _named(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_named(inner) for inner in value]
    return value


def chain_hash(fields: Mapping[str, Any]) -> str:
    """Return the hash of an event's fields, `hash` left out."""
    return hashlib.sha256(canonical({k: v for k, v in fields.items() if k != "hash"}).encode()).hexdigest()


def tick(last: str, utc_us: int) -> str:
    """Return the next reading of the hybrid logical clock: milliseconds and a counter, fixed width, never going back."""
    now = max(0, utc_us // 1000)
    ms, count = (int(last[:14]), int(last[15:])) if last else (0, 0)
    return f"{now:014d}-{0:06d}" if now > ms else f"{ms:014d}-{count + 1:06d}"
