"""An experiment's source; the lines that are the technique carry a mark, and the page opens at the first of them."""

from __future__ import annotations

from pathlib import Path

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from tutor.content.experiments import Experiment
from tutor.i18n import _
from tutor.study.source import first_marked, marked_source
from tutor.ui.actions import bindings
from tutor.ui.theme import QUIET, STRONG
from tutor.visible import visible

CONTEXT = 3


class SourceScreen(Screen[None]):
    """Scrolls; `m` goes to the marked lines, Esc back."""

    DEFAULT_CSS = """
    SourceScreen #place { height: 1; padding: 0 1; color: $secondary; }
    SourceScreen #hints { height: auto; max-height: 3; padding: 0 1; color: $secondary; }
    SourceScreen #page { height: 1fr; scrollbar-size-vertical: 1; }
    SourceScreen #page Static { width: auto; }
    """
    BINDINGS = [*bindings("page"), ("m", "mark", "marked lines"), ("q,space", "page", "page down")]
    AUTO_FOCUS = "#page"

    def __init__(self, experiment: Experiment) -> None:
        super().__init__()
        self._name = Path(experiment.source).name
        self._lines = marked_source(experiment)

    def compose(self) -> ComposeResult:
        """Lay out place, numbered lines and keys."""
        yield Static(f"{_('source')} › {self._name}", id="place", markup=False)
        with VerticalScroll(id="page"):
            yield Static(numbered(self._lines), markup=False)
        yield Static(_("↑ ↓ scroll   space page down   m marked lines   esc back"), id="hints", markup=False)

    def on_mount(self) -> None:
        """Begin at the lines that matter."""
        self.call_after_refresh(self.action_mark)

    def action_mark(self) -> None:
        """Scroll to the first marked line."""
        top = max(0, first_marked(self._lines) - CONTEXT)
        self.query_one("#page", VerticalScroll).scroll_to(y=top, animate=False)

    def action_page(self) -> None:
        """Scroll one page down."""
        self.query_one("#page", VerticalScroll).scroll_page_down(animate=False)

    def action_back(self) -> None:
        """Return to where the source was opened."""
        self.app.pop_screen()


def numbered(lines: list[tuple[str, bool]]) -> Content:
    """Return the lines with numbers; a bar, and not colour alone, stands beside what is marked."""
    parts: list[tuple[str, str]] = []
    for number, (line, marked) in enumerate(lines, start=1):
        parts += [(f"{number:>4} {'▌' if marked else ' '} ", QUIET), (visible(line) + "\n", STRONG if marked else "")]
    return Content.assemble(*parts)
