"""The learner's wishes, read from `config.toml`. What the memory model really used is an event in the log.

An unknown key or a value out of range is an error that names the file, the line, the key and what is allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, fields
from pathlib import Path
from typing import Any

from tutor.frozen import dataclass
from tutor.i18n import LANGUAGES as LANGUAGES
from tutor.i18n import _

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
        said = (
            _("write a whole number from {low:g} to {high:g}")
            if kind is int
            else _("write a number from {low:g} to {high:g}")
        )
        return "" if fits else said.format(low=low, high=high)

    return fault


def _one_of(choices: tuple[str, ...]) -> Callable[[Any], str]:
    named = ", ".join(repr(choice) for choice in choices if choice)
    return lambda value: "" if value in choices else _("write one of {choices}").format(choices=named)


def _truth(value: Any) -> str:
    return "" if isinstance(value, bool) else _("write true or false")


def _date(value: Any) -> str:
    from datetime import date

    if value == "":
        return ""
    try:  # days are compared as text: other ISO forms would mislead
        plain = date.fromisoformat(value).isoformat() == value
    except (TypeError, ValueError):
        plain = False
    return "" if plain else _('write a date such as "2026-12-24", in quotes')


def _keys(value: Any) -> str:
    fits = isinstance(value, dict) and all(isinstance(v, str) and v for v in value.values())
    return "" if fits else _('write a table of action = "key"')


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
    "theme": lambda value: "" if isinstance(value, str) else _("write a name in quotes"),
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
        said = _("{path} cannot be read ({error}); make it a readable UTF-8 file or remove it.")
        raise ConfigError(said.format(path=path, error=error)) from error


def parse_config(text: str, path: Path) -> Config:
    """Return the settings that `text` holds; `path` names it in the sentence of a ConfigError."""
    if not text.strip():
        return Config()
    import difflib  # and a reader of TOML: loaded where there is something to read

    import tomli

    try:
        values = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        said = _("{path}: {error}; mend that line or remove it.")
        raise ConfigError(said.format(path=path, error=error)) from error
    for key, value in values.items():
        where = f"{path}:{_line_of(text, key)}"
        if key not in _FAULTS:
            near = difflib.get_close_matches(key, _FAULTS, n=1)
            hint = (
                _("did you mean {near!r}?").format(near=near[0])
                if near
                else _("known are {keys}.").format(keys=", ".join(_FAULTS))
            )
            raise ConfigError(_("{where}: unknown setting {key!r}; {hint}").format(where=where, key=key, hint=hint))
        fault = _FAULTS[key](value)
        if fault:
            raise ConfigError(unusable(where, key, value, fault))
    return Config(**values)


def unusable(where: object, key: str, value: object, fault: str) -> str:
    """Return the sentence that a setting cannot have a value, with what to write instead."""
    said = _("{where}: {key} = {value!r} cannot be used: {fault}.")
    return said.format(where=where, key=key, value=value, fault=fault)


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
