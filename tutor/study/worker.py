"""The child process of a fit or an evaluation: `python -m tutor.study.worker fit|calibration HOME LANG` reads the home and says JSON lines.

`{"type": "progress", ...}` after each iteration, then `{"type": "result", ...}`, or `{"type": "error", "why": ...}`. It writes nothing
into the home, and ends with its stdin, so that nothing outlives the tutor.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor.clock import SystemClock
from tutor.i18n import speak
from tutor.paths import Home
from tutor.store import Store, StoreError, open_store
from tutor.study.calibration import calibration
from tutor.study.verdict import document, fit_log

if TYPE_CHECKING:
    from tutor.learning.fit import Progress


def _fit(store: Store) -> dict[str, Any]:
    return document(fit_log(store, _progress))


def _calibration(store: Store) -> dict[str, Any]:
    return calibration(store, _progress)


TASKS: dict[str, Callable[[Store], dict[str, Any]]] = {"fit": _fit, "calibration": _calibration}


def main(task: str, folder: str, lang: str) -> None:
    """Do a task on the log of the home in `folder`; why it cannot be read is said in `lang`."""
    speak(lang)
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    try:
        with open_store(Home(Path(folder)), SystemClock({}), read_only=True) as store:
            result = TASKS[task](store)
    except StoreError as error:
        _say("error", {"why": str(error)})
        return
    _say("result", result)


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
