"""A one-line question to the learner: a note, typed."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static


class NoteScreen(ModalScreen[str | None]):
    """Asks for one line; Enter keeps it, Esc drops it."""

    DEFAULT_CSS = """
    NoteScreen { align: center middle; }
    NoteScreen Vertical { width: 90%; max-width: 70; height: auto; background: $panel; padding: 1 2; }
    """
    BINDINGS = [("escape", "dismiss(None)", "drop")]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """Lay out the question over an input."""
        with Vertical():
            yield Static(self._question, markup=False)
            yield Input()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Hand the line back."""
        self.dismiss(event.value.strip() or None)
