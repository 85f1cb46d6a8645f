"""A page to read: a guide, the preview of a quiz, the keys."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Markdown

from tutor.i18n import _
from tutor.ui.actions import hints
from tutor.ui.widgets.frame import FrameScreen
from tutor.ui.wrapping import APART, hanging
from tutor.visible import visible


class PageScreen(FrameScreen):
    """Text that scrolls; Esc goes back. Links in guides are shown and never opened."""

    def __init__(self, title: str, text: str, markdown: bool = False) -> None:
        super().__init__()
        self._place, self._text, self._markdown = title, visible(text), markdown

    def compose_body(self) -> ComposeResult:
        """Add the page where it is Markdown, which lays itself out."""
        if self._markdown:
            yield Markdown(self._text, open_links=False)

    def on_mount(self) -> None:
        """Paint the page."""
        self.refresh_frame()

    def refresh_frame(self) -> None:
        """Paint the page at the present width."""
        if self.is_mounted:
            text = "" if self._markdown else hanging(self._text, self.room)
            self.query_one("#text").display = not self._markdown
            self.show(self._place, Content(text), _("↑ ↓ scroll") + APART + hints(("page_down", "back")))
