"""An experiment's source; the lines that are the technique carry a mark, and the page opens at the first of them."""

from __future__ import annotations

import textwrap
from pathlib import Path

from textual.content import Content

from tutor.content.experiments import Experiment
from tutor.i18n import _
from tutor.study.source import first_marked, marked_source
from tutor.ui.actions import hints
from tutor.ui.theme import QUIET, STRONG
from tutor.ui.widgets.frame import FrameScreen
from tutor.ui.wrapping import APART, STEP
from tutor.visible import visible

CONTEXT = 3
GUTTER = 7
"""Columns of a line's number and mark."""


class SourceScreen(FrameScreen):
    """Scrolls, and goes to the marked lines."""

    def __init__(self, experiment: Experiment) -> None:
        super().__init__()
        self._place = f"{_('source')}{STEP}{Path(experiment.source).name}"
        self._lines = marked_source(experiment)

    def on_mount(self) -> None:
        """Begin at the lines that matter."""
        self.refresh_frame()
        self.call_after_refresh(self.action_marks)

    def refresh_frame(self) -> None:
        """Paint the source at the present width."""
        if self.is_mounted:
            keys = _("↑ ↓ scroll") + APART + hints(("page_down", "marks", "back"))
            self.show(self._place, numbered(self._lines, self.room), keys)

    def action_marks(self) -> None:
        """Scroll to the first marked line."""
        before = self._lines[: max(0, first_marked(self._lines) - CONTEXT)]
        self.body.scroll_to(y=numbered(before, self.room).plain.count("\n"), animate=False)


def numbered(lines: list[tuple[str, bool]], width: int) -> Content:
    """Return the lines with numbers, long ones continued below; a bar, and not colour alone, stands beside what is marked."""
    parts: list[tuple[str, str]] = []
    for number, (line, marked) in enumerate(lines, start=1):
        sign, style = ("▌", STRONG) if marked else (" ", "")
        for place, row in enumerate(_rows(visible(line), max(20, width - GUTTER))):
            parts += [(f"{number if place == 0 else '':>4} {sign} ", QUIET), (row + "\n", style)]
    return Content.assemble(*parts)


def _rows(line: str, width: int) -> list[str]:
    deeper = " " * min(len(line) - len(line.lstrip()) + 4, width // 2)
    return textwrap.wrap(line, width, subsequent_indent=deeper, replace_whitespace=False) or [""]
