"""The child process of a fit: `python -m tutor.study.fit_worker HOME LANG` reads the home and says JSON lines on stdout.

`{"type": "progress", ...}` after each iteration, then `{"type": "verdict", ...}`, or `{"type": "error", "why": ...}`. It writes nothing
into the home, and ends with its stdin, so that nothing outlives the tutor.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor.clock import SystemClock
from tutor.i18n import speak
from tutor.paths import Home
from tutor.store import StoreError, open_store
from tutor.study.verdict import document, fit_log

if TYPE_CHECKING:
    from tutor.learning.fit import Progress


def main(folder: str, lang: str) -> None:
    """Fit the log of the home in `folder`; why it cannot be read is said in `lang`."""
    speak(lang)
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    try:
        with open_store(Home(Path(folder)), SystemClock({}), read_only=True) as store:
            verdict = fit_log(store, _progress)
    except StoreError as error:
        _say("error", {"why": str(error)})
        return
    _say("verdict", document(verdict))


def _progress(progress: Progress) -> None:
    _say("progress", asdict(progress))


def _say(kind: str, fields: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"type": kind, **fields}) + "\n")
    sys.stdout.flush()


def _end_with_stdin() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
