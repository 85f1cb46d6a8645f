"""A one-line question to the learner: a note, typed."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tutor.i18n import _
from tutor.ui.actions import hints, named
from tutor.ui.keys import printed
from tutor.ui.widgets.frame import FloorScreen
from tutor.ui.wrapping import APART


class NoteScreen(ModalScreen[str | None], FloorScreen[str | None]):
    """Asks for one line; Enter keeps it, Esc drops it. `done` is the action whose word stands beside Enter."""

    DEFAULT_CSS = """
    NoteScreen { align: center middle; }
    NoteScreen Vertical { width: 90%; max-width: 70; height: auto; background: $panel; padding: 1 2 0 2; }
    """

    def __init__(self, question: str, done: str = "save") -> None:
        super().__init__()
        self._question, self._done = question, done

    def compose(self) -> ComposeResult:
        """Lay out the question over an input."""
        with Vertical():
            yield Static(self._question, markup=False)
            yield Input()
            yield Static(
                f"{printed('enter')} {_(named(self._done).label)}{APART}{hints(('back',), typing=True)}", markup=False
            )

    def action_back(self) -> None:
        """Drop the line."""
        self.dismiss(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Hand the line back."""
        self.dismiss(event.value.strip() or None)
