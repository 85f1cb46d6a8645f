"""Values and dates as a person writes them, in the language spoken."""

from __future__ import annotations

from datetime import date
from typing import Any

from tutor.i18n import _, marked

_WEEKDAYS = (
    marked("Mon"),
    marked("Tue"),
    marked("Wed"),
    marked("Thu"),
    marked("Fri"),
    marked("Sat"),
    marked("Sun"),
)
_MONTHS = (
    marked("Jan"),
    marked("Feb"),
    marked("Mar"),
    marked("Apr"),
    marked("May"),
    marked("Jun"),
    marked("Jul"),
    marked("Aug"),
    marked("Sep"),
    marked("Oct"),
    marked("Nov"),
    marked("Dec"),
)


_LEVELS = {"easy": marked("easy"), "medium": marked("medium"), "hard": marked("hard")}


def level_words(level: str) -> str:
    """Return a level in words."""
    return _(_LEVELS.get(level, level))


def number(value: float, digits: int = 4) -> str:
    """Return a number as a person writes it: no exponent where it can be avoided, no idle zeros."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}".replace(",", " ") if abs(value) >= 10_000 else str(int(value))
    return f"{value:.{digits}g}"


def quantity(value: Any, unit: str = "") -> str:
    """Return a measured value with its unit; bytes in the nearest binary unit."""
    if isinstance(value, str) or value is None:
        return value or ""
    if unit in ("B", "bytes"):
        size = float(value)
        for name in ("B", "KiB", "MiB", "GiB"):
            if abs(size) < 1024 or name == "GiB":
                return f"{size:.4g} {name}"
            size /= 1024
    return f"{number(value)} {unit}".rstrip() if unit not in ("", "choice", "fraction") else number(value)


def day_words(iso: str) -> str:
    """Return a study day as `Thu 3 Dec`."""
    day = date.fromisoformat(iso)
    return f"{_(_WEEKDAYS[day.weekday()])} {short_day(iso)}"


def short_day(iso: str) -> str:
    """Return a study day as `30 Nov`."""
    day = date.fromisoformat(iso)
    return f"{day.day} {month_words(day.month)}"


def month_words(month: int) -> str:
    """Return the short name of a month, 1 to 12."""
    return _(_MONTHS[month - 1])
