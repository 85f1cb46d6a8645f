"""One run as a picture: its curves on one scale, and theory beside what was measured. No script, no font from elsewhere."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from tutor.i18n import _
from tutor.lab import glossary
from tutor.lab.recording import RecordedSeries
from tutor.report.run import Sheet

WIDTH, MARGIN, LINE = 760, 24, 18
PLOT_HEIGHT, AXIS = 200, 64
COLOURS = ("#1d4ed8", "#b45309", "#15803d", "#9d174d", "#475569", "#0e7490")
DASHES = ("", "8 4", "2 3", "8 3 2 3", "12 4", "4 4")
"""A dash for each colour, so that the curves are told apart without it."""


def run_svg(sheet: Sheet, words: Callable[[Any, str], str]) -> str:
    """Return the run as an SVG document; `words` turns a value and its unit into text."""
    body: list[str] = []
    y = MARGIN
    y = _text(body, y, [sheet.experiment.title], "head")
    y = _text(body, y, textwrap.wrap(sheet.experiment.question, 100))
    params = " · ".join(f"{name} {value}" for name, value in sheet.result.params.items())
    origin = f"{sheet.day} · torch {sheet.result.torch} · {sheet.result.device} · {params}"
    y = _text(body, y, textwrap.wrap(origin, 110), "quiet") + LINE // 2
    curves = [curve for curve in sheet.recording.curves.values() if curve.xs]
    if curves:
        y = _plot(body, y, curves)
    y = _table(body, y, sheet, words)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + MARGIN}" width="{WIDTH}" height="{y + MARGIN}" role="img">'
        f"<title>{escape(sheet.experiment.title)}</title>"
        "<style>text{font:13px sans-serif;fill:#1a1f2b}.head{font-weight:bold;font-size:16px}.quiet{fill:#475569;font-size:12px}"
        ".bad{fill:#a01818}.good{fill:#14633a}polyline{fill:none;stroke-width:1.8}.axis{stroke:#94a3b8}</style>"
        f'<rect width="{WIDTH}" height="{y + MARGIN}" fill="#fbfaf7"/>{"".join(body)}</svg>\n'
    )


def _text(body: list[str], y: int, lines: Sequence[str], style: str = "", x: int = MARGIN) -> int:
    for line in lines:
        y += LINE
        kind = f' class="{style}"' if style else ""
        body.append(f'<text x="{x}" y="{y}"{kind}>{escape(line)}</text>')
    return y


def _plot(body: list[str], top: int, curves: Sequence[RecordedSeries]) -> int:
    """Draw the curves on one scale with its ends written, then their names."""
    left, right, bottom = MARGIN + AXIS, WIDTH - MARGIN, top + PLOT_HEIGHT
    xs = [x for curve in curves for x in curve.xs]
    ys = [y for curve in curves for y in curve.ys]
    low, high, start, end = min(0.0, *ys), max(ys), min(xs), max(xs)

    def place(x: float, y: float) -> str:
        across = (x - start) / ((end - start) or 1.0)
        up = (y - low) / ((high - low) or 1.0)
        return f"{left + across * (right - left):.1f},{bottom - up * (PLOT_HEIGHT - LINE):.1f}"

    body.append(f'<path class="axis" fill="none" d="M{left} {top}V{bottom}H{right}"/>')
    for value, y in ((high, top + LINE), (low, bottom)):
        body.append(f'<text class="quiet" x="{left - 6}" y="{y}" text-anchor="end">{value:.4g}</text>')
    span = _("{axis} {start:g} to {end:g}").format(axis=glossary.said(curves[0].x), start=start, end=end)
    body.append(f'<text class="quiet" x="{left}" y="{bottom + 14}">{escape(span)}</text>')
    y = bottom + LINE
    for n, curve in enumerate(curves):
        colour, dash = COLOURS[n % len(COLOURS)], DASHES[n % len(DASHES)]
        line = f'stroke="{colour}" stroke-dasharray="{dash}"'
        points = " ".join(place(x, y) for x, y in zip(curve.xs, curve.ys, strict=True))
        body.append(f'<polyline {line} points="{points}"/>')
        y += LINE
        body.append(f'<polyline {line} points="{left},{y - 4} {left + 36},{y - 4}"/>')
        named = _("{title}, highest {value:.4g}").format(title=glossary.said(curve.title), value=max(curve.ys))
        body.append(f'<text x="{left + 44}" y="{y}">{escape(named)}</text>')
    return y + LINE // 2


def _table(body: list[str], y: int, sheet: Sheet, words: Callable[[Any, str], str]) -> int:
    """Write the bet, then each claim with what theory or the claim says and what was measured."""
    columns = (MARGIN, MARGIN + 330, MARGIN + 490, MARGIN + 640)
    units = {measure.name: measure.unit for measure in sheet.result.measures}
    rows: list[tuple[tuple[str, str, str, str], str]] = [(("", _("claimed"), _("measured here"), ""), "quiet")]
    if sheet.bet is not None and sheet.wager is not None:
        mark = {True: (_("✓ held"), "good"), False: ("✗", "bad"), None: ("", "")}[sheet.bet_right]
        choices = sheet.bet.choices
        laid, seen = (choices.get(str(v), v) for v in (sheet.wager, sheet.result.measured(sheet.bet.metric)))
        rows.append(((_("your bet"), words(laid, sheet.bet.unit), words(seen, sheet.bet.unit), mark[0]), mark[1]))
    for claim in sheet.result.claims:
        unit = units.get(claim.name, "")
        held = _("✓ held") if claim.passed else _("✗ not shown")
        cells = (glossary.said(claim.name), f"{claim.op} {words(claim.right, unit)}", words(claim.left, unit), held)
        rows.append((cells, "good" if claim.passed else "bad"))
    for cells, style in rows:
        y += LINE
        for x, cell in zip(columns, cells, strict=True):
            kind = style if style == "quiet" or x == columns[3] else ""
            body.append(f'<text x="{x}" y="{y}" class="{kind}">{escape(cell)}</text>')
    return y
