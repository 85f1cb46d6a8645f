"""Curves in braille: a pure function from points to rows of text, so that it is tested without an app."""

from __future__ import annotations

from collections.abc import Sequence

from tutor.frozen import dataclass
from tutor.i18n import _

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


@dataclass(frozen=True, slots=True)
class Series:
    """One curve: its title, its points in order."""

    title: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]


def braille(series: Series, width: int, height: int, low: float, high: float, x_low: float, x_high: float) -> list[str]:
    """Return `height` rows of `width` cells, 2 by 4 dots each, with neighbouring points joined."""
    cells = [[0] * width for _ in range(height)]
    columns, rows = width * 2, height * 4
    span_x, span_y = (x_high - x_low) or 1.0, (high - low) or 1.0
    previous: tuple[int, int] | None = None
    for x, y in zip(series.xs, series.ys, strict=True):
        column = min(columns - 1, max(0, round((x - x_low) / span_x * (columns - 1))))
        row = min(rows - 1, max(0, round((high - y) / span_y * (rows - 1))))
        for c, r in _join(previous, (column, row)):
            cells[r // 4][c // 2] |= _DOTS[r % 4][c % 2]
        previous = (column, row)
    return ["".join(chr(0x2800 + cell) if cell else " " for cell in line) for line in cells]


def chart(all_series: Sequence[Series], width: int, height: int) -> list[str]:
    """Return the curves one below the other on one scale, each under its title, with the scale's ends at the left."""
    drawn = [series for series in all_series if series.ys]
    if not drawn or width < 16 or height < 2:
        return []
    low = min(0.0, *(min(s.ys) for s in drawn))
    high = max(max(s.ys) for s in drawn)
    x_low, x_high = min(min(s.xs) for s in drawn), max(max(s.xs) for s in drawn)
    rows = max(1, height // len(drawn) - 1)
    lines = []
    for series in drawn:
        lines.append(_("{title}, highest {value:.4g}").format(title=series.title, value=max(series.ys)))
        body = braille(series, width - 10, rows, low, high, x_low, x_high)
        labels = (
            [f"{high:>8.3g}", *[" " * 8] * (rows - 1)]
            if rows == 1
            else [f"{high:>8.3g}", *[" " * 8] * (rows - 2), f"{low:>8.3g}"]
        )
        lines += [f"{label}┤{line}" for label, line in zip(labels, body, strict=True)]
    return lines


def _join(start: tuple[int, int] | None, end: tuple[int, int]) -> list[tuple[int, int]]:
    if start is None:
        return [end]
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    return [
        (round(start[0] + (end[0] - start[0]) * n / steps), round(start[1] + (end[1] - start[1]) * n / steps))
        for n in range(1, steps + 1)
    ]
