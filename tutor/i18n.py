"""Which language a learner reads, and the interface's own words in it: the flag, then the settings, then the system's locale, else English.

English stands in the source; the catalogues of the other languages lie under `tutor/locale/` and are read when a language is spoken first, so
that English costs nothing. `tests/messages.py` gathers the marked texts and compiles the catalogues (`make messages`).

Whatever room makes a sentence says it through `_`, in the learner's own process. What is kept in the log, passes between processes or is
printed as JSON has no language: it holds words of a fixed set and numbers, and `study` or `report` makes the sentence of them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gettext import GNUTranslations

LANGUAGES = ("en", "vi", "tr")
LOCALE = Path(__file__).parent / "locale"
_lang = "en"
_spoken: GNUTranslations | None = None


def choose_language(flag: str | None, wish: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return en, vi or tr."""
    if flag or wish:
        return flag or wish
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        code = environ.get(name, "")[:2]
        if environ.get(name):
            return code if code in LANGUAGES else "en"
    return "en"


def speak(lang: str) -> None:
    """Let `_` and `ngettext` answer in a language from now on, for the whole process."""
    global _lang, _spoken
    _lang = lang
    if lang == "en":
        _spoken = None
        return
    from gettext import translation

    _spoken = translation("tutor", LOCALE, [lang])


def spoken_language() -> str:
    """Return the language that `_` answers in."""
    return _lang


def _(text: str) -> str:
    """Return a text of the interface in the language spoken; placeholders are filled by the caller."""
    return _spoken.gettext(text) if _spoken is not None and text else text


def ngettext(one: str, many: str, count: int) -> str:
    """Return the form of a text that fits a count, in the language spoken."""
    if _spoken is not None:
        return _spoken.ngettext(one, many, count)
    return one if count == 1 else many


def marked(text: str) -> str:
    """Mark a text of a table for the catalogues and return it unchanged; `_` translates it where it is shown."""
    return text
