"""A page to read: a guide, a source file, the preview of a quiz, the keys."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Markdown, Static

from tutor.i18n import _
from tutor.ui.actions import bindings
from tutor.visible import visible


class PageScreen(Screen[None]):
    """Text that scrolls; Esc goes back. Links in guides are shown and never opened."""

    DEFAULT_CSS = """
    PageScreen #place { height: 1; padding: 0 1; color: $secondary; }
    PageScreen #page { height: 1fr; padding: 0 2; scrollbar-size-vertical: 1; }
    PageScreen #hints { height: 1; padding: 0 1; color: $secondary; }
    """
    BINDINGS = [*bindings("page"), ("q,space", "page", "page down")]

    def __init__(self, title: str, text: str, markdown: bool = False) -> None:
        super().__init__()
        self._title, self._text, self._markdown = title, visible(text), markdown

    def compose(self) -> ComposeResult:
        """Lay out title, text and keys."""
        yield Static(self._title, id="place", markup=False)
        with VerticalScroll(id="page"):
            yield Markdown(self._text, open_links=False) if self._markdown else Static(self._text, markup=False)
        yield Static(_("↑ ↓ scroll   space page down   esc back"), id="hints", markup=False)

    def on_mount(self) -> None:
        """Let the arrow keys scroll at once."""
        self.query_one("#page").focus()

    def action_page(self) -> None:
        """Scroll one page down."""
        self.query_one("#page", VerticalScroll).scroll_page_down(animate=False)

    def action_back(self) -> None:
        """Return to where the page was opened."""
        self.app.pop_screen()
