"""Which language a learner reads: the flag, then the settings, then the system's locale, else English."""

from __future__ import annotations

import os
from collections.abc import Mapping

from tutor.config import LANGUAGES


def choose_language(flag: str | None, wish: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return en, vi or tr."""
    if flag or wish:
        return flag or wish
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        code = environ.get(name, "")[:2]
        if environ.get(name):
            return code if code in LANGUAGES else "en"
    return "en"
