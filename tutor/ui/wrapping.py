"""Fits text to the room there is: keys break between two of them, long lines hang under where their text begins."""

from __future__ import annotations

import re
import textwrap

APART, CLOSER = "   ", "  "
"""Between two keys of a hint line, and where there is little room."""
STEP = " › "
"""Between two steps of a place line."""
LEAST_PLACE = 12
"""Columns that figures leave to where one is, or else give way."""
_BEFORE_TEXT = re.compile(r"\s*(?:[•·-] +|\d+\. +|\S+(?: \S+)*? {2,}(?:\S+(?: \S+)*? {2,})?)?")
"""A bullet, a number, or up to two cells of a table: what stands before the text of a line."""


def grouped(line: str, width: int) -> str:
    """Return hints on as many rows as they need, no key parted from its word while the two fit one row; closer where that saves a row."""
    wide, close = (_rows(line, width, apart) for apart in (APART, CLOSER))
    return "\n".join(close if len(close) < len(wide) else wide)


def _rows(line: str, width: int, apart: str) -> list[str]:
    rows: list[str] = []
    for one in line.split("\n"):
        row = ""
        for hint in one.split(APART):
            if row and len(row) + len(apart) + len(hint) > width:
                rows.append(row)
                row = hint
            else:
                row = f"{row}{apart}{hint}" if row else hint
        rows.append(row)
    return rows


def fitted(place: str, width: int) -> str:
    """Return a place line in one row, shortened where it is too long: first steps go first, and the figures at its end stay."""
    where, apart, figures = place.rpartition(APART)
    if not apart or width - len(figures) < LEAST_PLACE:
        where, apart, figures = place, "", ""
    room = width - len(apart) - len(figures)
    while len(where) > room and STEP in where.removeprefix(f"…{STEP}"):
        where = f"…{STEP}{where.removeprefix(f'…{STEP}').split(STEP, 1)[1]}"
    shown = where if len(where) <= room else where[: room - 1].rstrip() + "…"
    return shown + apart + figures


def hung(text: str, width: int, indent: int) -> str:
    """Return text wrapped under itself, so that the number before its first row stands alone."""
    return ("\n" + " " * indent).join(textwrap.wrap(text, max(20, width - indent), break_long_words=False) or [""])


def hanging(text: str, width: int) -> str:
    """Return a page of lines, each wrapped under where its own text begins."""
    return "\n".join(_hanging(line, width) for line in text.split("\n"))


def _hanging(line: str, width: int) -> str:
    before = _BEFORE_TEXT.match(line)
    indent = len(before[0]) if before else 0
    if len(line) <= width:
        return line
    under = " " * (indent if indent <= width // 2 else 2)
    return "\n".join(
        textwrap.wrap(line, width, subsequent_indent=under, break_long_words=False, replace_whitespace=False)
    )
