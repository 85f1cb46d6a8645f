"""An experiment's table as rows of text, in the language spoken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tutor.i18n import _
from tutor.lab.glossary import said


def table_lines(rows: Sequence[dict[str, Any]], width: int) -> list[str]:
    """Return a table as rows of text: columns where they fit, else one line a row; numbers at the right."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    heads = [said(key).replace("_", " ") for key in keys]
    cells = [[cell_text(row.get(key, "")) for key in keys] for row in rows]
    wide = [max(len(head), *(len(line[n]) for line in cells)) for n, head in enumerate(heads)]
    if sum(wide) + 2 * len(wide) > width:
        return ["; ".join(f"{head} {cell}" for head, cell in zip(heads, line, strict=True) if cell) for line in cells]
    right = [all(type(row.get(key, 0)) in (int, float) for row in rows) for key in keys]

    def laid(line: list[str]) -> str:
        return "  ".join(
            f"{cell:>{wide[n]}}" if right[n] else f"{cell:<{wide[n]}}" for n, cell in enumerate(line)
        ).rstrip()

    return [laid(heads), *(laid(line) for line in cells)]


def cell_text(value: Any) -> str:
    """Return a cell as a person reads it: thousands apart, four digits of a fraction, shapes as `4x128`."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return said(value) if isinstance(value, str) else {True: _("yes"), False: _("no"), None: ""}[value]
    if isinstance(value, list | tuple):
        return "x".join(map(cell_text, value))
    if isinstance(value, int):
        return f"{value:,}".replace(",", " ") if abs(value) >= 10_000 else str(value)
    return f"{value:.4g}" if abs(value) < 10_000 else f"{value:,.0f}".replace(",", " ")
