"""Draws a run, in motion or ended, as curves, tables and notes."""

from __future__ import annotations

from tutor.lab.glossary import said
from tutor.lab.recording import Recording
from tutor.study.tables import table_lines
from tutor.ui.widgets.curve import Series, chart

LATEST_ROWS = 12


def run_lines(recording: Recording, width: int, height: int) -> list[str]:
    """Return a run as rows of text: its curves, the last rows of its tables, its last notes."""
    series = [Series(said(curve.title), tuple(curve.xs), tuple(curve.ys)) for curve in recording.curves.values()]
    lines = chart(series, width, height)
    for rows in recording.tables.values():
        lines += table_lines(rows[-LATEST_ROWS:], width)
    return lines + [said(note) for note in recording.notes[-4:]]
