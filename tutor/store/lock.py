"""The one writer's lock. It goes with the process that holds it, however that ends; the file stays."""

from __future__ import annotations

import os
import sys
from pathlib import Path


class Held(Exception):
    """Another process holds the lock."""


if sys.platform == "win32":
    from filelock import FileLock, Timeout

    class Lock:
        """The lock, taken. Raises Held, or OSError where the file cannot be made."""

        def __init__(self, path: Path) -> None:
            self._lock = FileLock(path, timeout=0)
            try:
                self._lock.acquire()
            except Timeout as error:
                raise Held(path) from error

        def release(self) -> None:
            """Let the next one take it."""
            self._lock.release()

else:
    import fcntl  # filelock takes the same lock, and 12 ms of each start to load

    class Lock:
        """The lock, taken. Raises Held, or OSError where the file cannot be made."""

        def __init__(self, path: Path) -> None:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                os.close(self._file)
                raise Held(path) from error
            except OSError:
                os.close(self._file)
                raise

        def release(self) -> None:
            """Let the next one take it; releasing twice is nothing."""
            if self._file >= 0:
                fcntl.flock(self._file, fcntl.LOCK_UN)  # a child just forked may not have closed its copy yet
                os.close(self._file)
                self._file = -1
