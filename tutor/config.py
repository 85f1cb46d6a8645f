"""The learner's wishes, read from `config.toml`. What the memory model really used is an event in the log.

An unknown key or a value out of range is an error that names the file, the line, the key and what is allowed.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "vi", "tr")
LAB = ("auto", "ask", "off")


class ConfigError(ValueError):
    """The file cannot be used; the message is one sentence for the learner."""


@dataclass(frozen=True)
class Config:
    """All settings with their defaults. The file holds any subset of them as top-level keys."""

    retention: float = 0.9
    """Desired retention: the recall at which a card comes back, 0.70 to 0.97."""
    new_per_day: int = 6
    """New cards a study day, transfers included, 0 to 200."""
    reviews_per_day: int = 200
    """Due cards a study day, 1 to 9999."""
    rollover: int = 4
    """Hour at which a study day begins, 0 to 23."""
    interview: str = ""
    """Interview date, YYYY-MM-DD, or empty."""
    lang: str = ""
    """Language of the decks: en, vi or tr; empty follows the system's locale."""
    lab: str = "auto"
    """auto: offer an experiment after a miss; ask: only say that it exists; off: never."""
    runs_per_sitting: int = 2
    """Full runs that may interrupt a sitting, 0 to 20; the rest wait for its end."""
    confidence: bool = True
    """Ask now and then how sure an answer was."""
    recall_first: bool = True
    """Hide the options of well-known items until the learner has answered to himself."""
    theme: str = ""
    """Name of a Textual theme, or empty for the tutor's own."""
    keys: dict[str, str] = field(default_factory=dict)
    """Action name -> key, where the learner wants another one."""


def _number(low: float, high: float, kind: type) -> Callable[[Any], str]:
    def fault(value: Any) -> str:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
        if kind is int:
            fits = fits and isinstance(value, int)
        word = "a whole number" if kind is int else "a number"
        return "" if fits else f"write {word} from {low:g} to {high:g}"

    return fault


def _one_of(choices: tuple[str, ...]) -> Callable[[Any], str]:
    return lambda value: "" if value in choices else f"write one of {', '.join(repr(c) for c in choices if c)}"


def _truth(value: Any) -> str:
    return "" if isinstance(value, bool) else "write true or false"


def _date(value: Any) -> str:
    from datetime import date

    if value == "":
        return ""
    try:  # days are compared as text: other ISO forms would mislead
        plain = date.fromisoformat(value).isoformat() == value
    except (TypeError, ValueError):
        plain = False
    return "" if plain else 'write a date such as "2026-12-24", in quotes'


def _keys(value: Any) -> str:
    fits = isinstance(value, dict) and all(isinstance(v, str) and v for v in value.values())
    return "" if fits else 'write a table of action = "key"'


_FAULTS: dict[str, Callable[[Any], str]] = {
    "retention": _number(0.70, 0.97, float),
    "new_per_day": _number(0, 200, int),
    "reviews_per_day": _number(1, 9999, int),
    "rollover": _number(0, 23, int),
    "interview": _date,
    "lang": _one_of(("", *LANGUAGES)),
    "lab": _one_of(LAB),
    "runs_per_sitting": _number(0, 20, int),
    "confidence": _truth,
    "recall_first": _truth,
    "theme": lambda value: "" if isinstance(value, str) else "write a name in quotes",
    "keys": _keys,
}


def load_config(path: Path) -> Config:
    """Return the settings in `path`, or the defaults where there is no file. Raises ConfigError."""
    return parse_config(read_config(path), path)


def read_config(path: Path) -> str:
    """Return the file's text, empty where there is none. Raises ConfigError."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read ({error}); make it a readable UTF-8 file or remove it.") from error


def parse_config(text: str, path: Path) -> Config:
    """Return the settings that `text` holds; `path` names it in the sentence of a ConfigError."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}; mend that line or remove it.") from error
    for key, value in values.items():
        where = f"{path}:{_line_of(text, key)}"
        if key not in _FAULTS:
            near = difflib.get_close_matches(key, _FAULTS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(_FAULTS)}."
            raise ConfigError(f"{where}: unknown setting {key!r}; {hint}")
        fault = _FAULTS[key](value)
        if fault:
            raise ConfigError(f"{where}: {key} = {value!r} cannot be used: {fault}.")
    return Config(**values)


def defaults() -> dict[str, Any]:
    """Return every setting with its default, in the order of the documentation."""
    blank = Config()
    return {f.name: getattr(blank, f.name) for f in fields(Config)}


def _line_of(text: str, key: str) -> int:
    for number, line in enumerate(text.splitlines(), start=1):
        word = line.strip().lstrip("[").split("=")[0].strip().rstrip("]")
        if word.strip("\"'") == key:
            return number
    return 1
