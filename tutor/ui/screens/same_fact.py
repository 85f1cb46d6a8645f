"""After an edit that changed an item's meaning: is it still the same fact? The answer decides over its history."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Static

from tutor.i18n import _, marked
from tutor.study.revising import Revision
from tutor.ui.actions import hint
from tutor.ui.lines import DIGITS
from tutor.ui.widgets.frame import FloorScreen
from tutor.ui.wrapping import APART

ANSWERS = {
    "keep": marked("the same: its history goes on"),
    "halve": marked("nearly the same: what you know of it counts half"),
    "reset": marked("another: it is new again"),
}
"""What becomes of the history, in the order of the digits."""


class SameFactScreen(ModalScreen[str], FloorScreen[str]):
    """Asks by digit; Esc keeps the history, as a sitting does that is not asked."""

    DEFAULT_CSS = """
    SameFactScreen { align: center middle; }
    SameFactScreen VerticalScroll { width: 90%; max-width: 70; height: auto; max-height: 100%; background: $panel; padding: 0 1; }
    """

    def __init__(self, revision: Revision) -> None:
        super().__init__()
        self._revision = revision

    def compose(self) -> ComposeResult:
        """Lay out the question over its numbered answers."""
        asked = _("The item's rev went from {old} to {new}. Is it still the same fact?")
        with VerticalScroll():
            yield Static(asked.format(old=self._revision.old_rev, new=self._revision.new_rev), markup=False)
            for place, words in enumerate(ANSWERS.values(), start=1):
                yield Static(f"{place}  {_(words)}", markup=False)
            keys = (f"{DIGITS.format(last=len(ANSWERS))} {_('answer')}", hint("back", _("keeps its history")))
            yield Static(APART.join(filter(None, keys)), id="keys", markup=False)

    def action_back(self) -> None:
        """Keep the history."""
        self.dismiss("keep")

    def take_key(self, event: Key) -> None:
        """A digit answers."""
        answers = tuple(ANSWERS)
        if event.key.isdecimal() and 0 < int(event.key) <= len(answers):
            event.stop()
            self.dismiss(answers[int(event.key) - 1])
