"""What was read from deck files before, so that a start reads again only what has changed.

Each value is kept under the file it comes from, with a stamp of every file it depends on. The file of kept values lies in the
learner's own folder and is never relied on: it holds plain rows (`rows.py`), names the code that wrote it and its own hash, and
whatever does not fit is read anew from the decks. Where it cannot be written nothing is kept, and nothing is said.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from tutor.content.rows import Refused, to_row

T = TypeVar("T")
Stamp = list[Any] | None
"""What identifies the files a value was read from; None where they cannot be told, and then nothing is kept."""

MAX_BYTES = 64_000_000
SETTLED_NS = 2_000_000_000
"""A file changed within these nanoseconds is not kept: its next change may bear the same time, to the file system's resolution."""
_ROOMS = ("content", "content/families", "formulas", "lab")
"""The folders of the program that decide what is read from a deck."""


class Kept:
    """The values kept in one file. Not for two threads; two processes may use it, and the last to save stands."""

    def __init__(self, file: Path | None = None, *, read_only: bool = False) -> None:
        """Open the file, which need not exist; without one nothing is kept."""
        self._file, self._read_only = file, read_only
        self._old: dict[str, Any] = _read(file) if file else {}
        self._new: dict[str, tuple[Stamp, Any]] = {}
        self._changed = False

    def get(
        self,
        name: str,
        stamp: Stamp,
        read: Callable[[Any], T],
        make: Callable[[], T],
        lasts: Callable[[T], bool] = lambda value: True,
    ) -> T:
        """Return the value kept under `name` if its stamp is the present one, else the value made anew, kept if it `lasts`."""
        entry = self._old.pop(name, None)
        if stamp is not None and type(entry) is list and len(entry) == 2 and entry[0] == stamp:
            with suppress(Refused):
                value = read(entry[1])
                self._new[name] = stamp, value
                return value
        value = make()
        if _settled(stamp) and lasts(value):
            self._new[name] = stamp, value
            self._changed = True
        return value

    def save(self) -> None:
        """Write what was asked for since the file was opened, whole or not at all, if any of it is new."""
        if self._file is None or self._read_only or not (self._changed or self._old):
            return
        kept = {name: [stamp, to_row(value)] for name, (stamp, value) in self._new.items()}
        draft = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        with suppress(OSError, UnicodeError):  # a path need not be a text
            data = json.dumps(kept).encode()  # as ASCII, the quickest to read
            self._file.parent.mkdir(mode=0o700, exist_ok=True)
            try:
                draft.write_bytes(_head(data) + data)
                draft.replace(self._file)
            finally:
                draft.unlink(missing_ok=True)
        self._changed = False


def stamp_of(folders: Iterable[Path], suffixes: tuple[str, ...], *also: Any) -> Stamp:
    """Return path, size and times of each file of the folders that ends in one of `suffixes`, and what else a value depends on.

    The time of a change of status tells what the time of the last writing does not: permissions, and a time set back.
    """
    found = []
    try:
        for folder in folders:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.name.endswith(suffixes):
                        facts = entry.stat()
                        found.append([entry.path, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns])
    except OSError:
        return None
    return [sorted(found), *also]


def _settled(stamp: Stamp) -> bool:
    """Whether the last change of every stamped file is long enough ago to be told from a next one."""
    if stamp is None:
        return False
    newest = max((max(times) for _, _, *times in stamp[0]), default=0)
    return bool(newest < time.time_ns() - SETTLED_NS)


def _read(file: Path) -> dict[str, Any]:
    """Return what the file holds; nothing where it is missing, damaged, too large, or of another program or version."""
    try:
        if file.stat().st_size > MAX_BYTES:
            return {}
        data = file.read_bytes()
        head, _, body = data.partition(b"\n")
        if head + b"\n" != _head(body):
            return {}
        found = json.loads(body.decode())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if type(found) is dict else {}


def _head(body: bytes) -> bytes:
    """Return the first line of the file: what it is, the code that wrote it, and the hash of the rest."""
    return f"tutor kept 1 {_code()} {hashlib.sha256(body).hexdigest()}\n".encode()


@cache
def _code() -> str:
    """Return a hash of the program's files that decide what is read: their names, sizes and times, as for compiled Python."""
    package = Path(__file__).resolve().parents[1]
    stamp = stamp_of([package / room for room in _ROOMS], (".py",))
    return hashlib.sha256(repr((sys.version, stamp)).encode()).hexdigest()
