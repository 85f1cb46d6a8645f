"""Lays runs of one experiment side by side."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from tutor.i18n import _
from tutor.study.exploring import Column
from tutor.ui.theme import QUIET, STRONG

LEAST_COLUMN = 14


def side_by_side(columns: Sequence[Column], width: int) -> Content:
    """Return as many of the latest runs as fit, one column each; below their heads what was changed, then the bet."""
    shown = list(columns[: max(1, (width - 24) // (LEAST_COLUMN + 10))])
    names = list(dict.fromkeys(name for column in shown for name in column.values))
    if not shown:
        return Content.styled(_("No run yet."), QUIET)
    if width < 24 + LEAST_COLUMN:
        return _one_below_the_other(shown[0], names)
    rows = [("", *(column.head for column in shown)), (_("set"), *(column.changed for column in shown))]
    rows += [(_("your bet"), *(column.bet for column in shown))]
    rows += [(name, *(column.values.get(name, "") for column in shown)) for name in names]
    first = min(max(len(row[0]) for row in rows), width // 2)
    rest = max(LEAST_COLUMN, (width - first - 2 * len(shown)) // len(shown))
    lines = [_laid(row, first, rest) for row in rows]
    return Content.assemble((lines[0] + "\n", STRONG), "\n".join(lines[1:]))


def _laid(row: Sequence[str], first: int, rest: int) -> str:
    cells = [_cut(row[0], first), *(_cut(cell, rest) for cell in row[1:])]
    wide = [first, *[rest] * (len(row) - 1)]
    return "  ".join(f"{cell:<{w}}" for cell, w in zip(cells, wide, strict=True)).rstrip()


def _one_below_the_other(column: Column, names: Sequence[str]) -> Content:
    lines = [f"{column.head}: {column.changed}", _("your bet: {bet}").format(bet=column.bet)]
    lines += [f"{name}: {column.values[name]}" for name in names]
    return Content("\n".join(lines))


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
