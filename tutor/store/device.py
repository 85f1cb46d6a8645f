"""The id of this device. It lies beside the database; a database copied or restored elsewhere gets a new one, since two
writers with one id would give the same number to different events."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

from tutor.paths import Home
from tutor.store.errors import StoreError


def device_id(home: Home) -> str:
    """Return this device's id, made anew where there is none or where the database is another file than it was."""
    mark = _mark(home.database)
    try:
        known = json.loads(home.device.read_text(encoding="utf-8"))
        if known.get("mark") == mark and known.get("id"):
            return str(known["id"])
    except FileNotFoundError:
        pass
    except (OSError, ValueError):
        pass  # unreadable: a new id is always safe
    fresh = secrets.token_hex(8)
    try:
        draft = home.device.with_name(".device.new")
        draft.write_text(json.dumps({"id": fresh, "mark": mark}), encoding="utf-8")
        draft.replace(home.device)
    except OSError as error:
        raise StoreError(
            f"{home.folder} cannot be written ({error.strerror}); make it writable or choose another with --home."
        ) from error
    return fresh


def _mark(database: Path) -> str:
    """Return what tells this file from a copy of it: the file system's own number for it."""
    stat = database.stat()
    return f"{stat.st_dev}:{stat.st_ino}"
