"""The parameters of an experiment, one line each with its range; what cannot be used is said before anything runs."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.events import Key, Resize
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tutor.content.experiments import Parameter
from tutor.content.model import Scalar
from tutor.i18n import _
from tutor.study.exploring import Exploration
from tutor.ui.actions import hint
from tutor.ui.keys import printed
from tutor.ui.widgets.frame import FloorScreen
from tutor.ui.wrapping import APART, grouped

SHARE, WIDEST = 94, 90
"""The form's share of the window's columns in percent, and its columns at most, as its style has them."""


class FormScreen(ModalScreen[bool], FloorScreen[bool]):
    """Up and down choose a parameter, typing changes it, Enter keeps all, Esc drops all."""

    DEFAULT_CSS = """
    FormScreen { align: center middle; }
    FormScreen > Vertical { width: 94%; max-width: 90; height: 100%; background: $panel; padding: 0 1; }
    FormScreen VerticalScroll { height: 1fr; }
    FormScreen Input { border: none; height: 1; padding: 0; background: $surface; width: 24; }
    FormScreen Input:focus { border: none; background: $primary 30%; }
    FormScreen Static { height: auto; }
    """

    def __init__(self, exploration: Exploration) -> None:
        super().__init__()
        self._exploration = exploration

    def compose(self) -> ComposeResult:
        """Lay out each parameter's sentence over its value."""
        with Vertical():
            with VerticalScroll(can_focus=False):
                settings = self._exploration.settings
                for name, parameter in self._exploration.experiment.parameters.items():
                    yield Static(sentence(parameter), markup=False)
                    yield Input(written(settings[name]), id=f"p-{name}", select_on_focus=True)
            yield Static("", id="fault", markup=False)
            yield Static(id="keys", markup=False)

    def on_resize(self, event: Resize) -> None:
        """Break the keys between two of them."""
        room = min(WIDEST, event.size.width * SHARE // 100) - 2
        self.query_one("#keys", Static).update(grouped(_keys(), room))

    def take_key(self, event: Key) -> None:
        """Up and down go from line to line."""
        if event.key in ("up", "down"):
            event.stop()
            self.focus_next(Input) if event.key == "down" else self.focus_previous(Input)

    def on_input_submitted(self) -> None:
        """Keep everything, or say which line cannot be used and put the cursor there."""
        parameters = self._exploration.experiment.parameters
        typed = {name: self.query_one(f"#p-{name}", Input).value for name in parameters}
        filled = {name: text if text.strip() else written(parameters[name].default) for name, text in typed.items()}
        fault = self._exploration.change(filled)
        if not fault:
            self.dismiss(True)
            return
        self.query_one("#fault", Static).update(fault)
        self.query_one(f"#p-{fault.split(' ', 1)[0]}", Input).focus()

    def action_back(self) -> None:
        """Leave the parameters as they were."""
        self.dismiss(False)


def _keys() -> str:
    keep, drop = (
        printed("enter") + " " + _("keep them"),
        hint("back", _("drop; an empty line is the default"), typing=True),
    )
    return APART.join((_("↑ ↓ choose"), keep, drop))


def sentence(parameter: Parameter) -> str:
    """Return a parameter's name, what it is and its range."""
    return (
        f"{parameter.name}: {parameter.title}; {parameter.range}"
        if parameter.title
        else f"{parameter.name}; {parameter.range}"
    )


def written(value: Scalar) -> str:
    """Return a value as it is typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)
