"""Changing settings: what may be changed, how typed text is read, and how `config.toml` is edited without losing a comment."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

import tomli

from tutor.config import LAB, LANGUAGES, Config, ConfigError, parse_config, read_config
from tutor.i18n import _, marked
from tutor.study.desk import Desk
from tutor.study.files import write_whole

Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Setting:
    """One key of `config.toml` as a learner meets it."""

    key: str
    range: str
    about: str
    step: float = 0.0
    """How far one press of an arrow goes; 0 where there are choices or a date."""
    low: float = 0.0
    high: float = 0.0
    choices: tuple[Value, ...] = ()


SETTINGS = (
    Setting("retention", marked("0.70 to 0.97"), marked("recall at which a card comes back"), 0.01, 0.70, 0.97),
    Setting("new_per_day", marked("0 to 200"), marked("new cards a study day, transfers included"), 1, 0, 200),
    Setting("reviews_per_day", marked("1 to 9999"), marked("due cards a study day"), 10, 1, 9999),
    Setting("rollover", marked("0 to 23"), marked("hour at which a study day begins"), 1, 0, 23),
    Setting("interview", "YYYY-MM-DD", marked("interview date; empty: none is set")),
    Setting(
        "lang",
        "en, vi, tr",
        marked("language of the decks and of the tutor; empty: the system's"),
        choices=("", *LANGUAGES),
    ),
    Setting("lab", "auto, ask, off", marked("experiments after a miss: offered, mentioned, left out"), choices=LAB),
    Setting(
        "runs_per_sitting", marked("0 to 20"), marked("runs that may interrupt; the rest wait for the end"), 1, 0, 20
    ),
    Setting("confidence", "true, false", marked("ask now and then how sure you were"), choices=(True, False)),
    Setting(
        "recall_first",
        "true, false",
        marked("hide options you know well until you have answered"),
        choices=(True, False),
    ),
    Setting(
        "theme",
        marked("a theme's name"),
        marked("colours; empty: tutor-dark"),
        choices=("", "tutor-dark", "tutor-light"),
    ),
)


def with_themes(themes: tuple[str, ...]) -> tuple[Setting, ...]:
    """Return the settings with the themes that exist here as choices."""
    return tuple(replace(s, choices=("", *themes)) if s.key == "theme" else s for s in SETTINGS)


def written(value: Value) -> str:
    """Return a value as it is typed and shown: without quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def stepped(setting: Setting, value: Value, direction: int, today: str) -> Value:
    """Return the value one arrow press further, within its range; choices go round, a date moves by a day from today."""
    if setting.choices:
        at = setting.choices.index(value) if value in setting.choices else 0
        return setting.choices[(at + direction) % len(setting.choices)]
    if isinstance(value, str):
        return (date.fromisoformat(value or today) + timedelta(days=direction)).isoformat()
    moved = min(setting.high, max(setting.low, round(value + direction * setting.step, 4)))
    return int(moved) if isinstance(value, int) else moved


def read_typed(setting: Setting, text: str) -> Value:
    """Return what was typed as a value of the setting's kind; what is none stays text, and the check of ranges says so."""
    text = text.strip()
    default = getattr(Config(), setting.key)
    if isinstance(default, bool):
        return {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}.get(
            text.lower(), text
        )
    if isinstance(default, str):
        return text.strip("\"'")  # as the file has it
    for kind in (int, float):
        try:
            return kind(text.replace(",", "."))
        except ValueError:
            continue
    return text


def change_settings(desk: Desk, changes: Mapping[str, Value]) -> None:
    """Write the changes to `config.toml` and obey them at once. Raises ConfigError, saving nothing."""
    path = desk.home.config
    text = read_config(path)
    parse_config(text, path)  # a file that cannot be used is mended by hand, not overwritten
    for key, value in changes.items():
        text = edited(text, key, value, path)
    parse_config(text, path)
    try:
        write_whole(path.resolve(), text)
    except OSError as error:
        said = _("{path} cannot be written ({error}); nothing was saved.")
        raise ConfigError(said.format(path=path, error=error.strerror)) from error
    desk.take_up_settings()


_VALUE = r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s#"'\[{]+)"""


def edited(text: str, key: str, value: Value, path: Path) -> str:
    """Return the text with `key = value` at its top level and everything else as it was.

    The line that holds the key keeps its comment; a new key goes before the first table. The result is read back: where it
    holds anything but the change asked for, ConfigError says to edit by hand.
    """
    line = re.compile(rf"""(?m)^([ \t]*(?:{key}|"{key}"|'{key}')[ \t]*=[ \t]*){_VALUE}([ \t]*(?:\#[^\r\n]*)?\r?)$""")
    said = json.dumps(value, ensure_ascii=False)
    before = tomli.loads(text)
    if key in before:
        new = line.sub(lambda match: f"{match[1]}{said}{match[2]}", text, count=1)
    else:
        end = "\r\n" if "\r\n" in text else "\n"
        table = re.search(r"(?m)^[ \t]*\[", text)
        head, tail = (text[: table.start()], text[table.start() :]) if table else (text, "")
        gap = end if head and not head.endswith("\n") else ""
        new = f"{head}{gap}{key} = {said}{end}{tail}"
    try:
        faithful = tomli.loads(new) == before | {key: value}
    except tomli.TOMLDecodeError:
        faithful = False
    if not faithful:
        said = _("{path}: {key} is written in a way that cannot be changed here; edit it by hand.")
        raise ConfigError(said.format(path=path, key=key))
    return new
