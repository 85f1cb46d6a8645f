"""Laying a bet in the lab: which question, then the wager."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tutor.content.experiments import Bet, Experiment
from tutor.i18n import _
from tutor.study.answers import NotRead, read_bet
from tutor.ui.actions import hints
from tutor.ui.keys import printed
from tutor.ui.theme import KEY, QUIET, STRONG
from tutor.ui.widgets.frame import ScrollScreen


class WagerScreen(ModalScreen[tuple[Bet, Any] | None], ScrollScreen[tuple[Bet, Any] | None]):
    """A digit chooses the question, a digit or a typed number is the wager, Esc goes back."""

    DEFAULT_CSS = """
    WagerScreen { align: center middle; }
    WagerScreen > VerticalScroll { width: 94%; max-width: 80; height: auto; max-height: 100%; background: $panel; padding: 0 2; }
    WagerScreen Static { height: auto; }
    WagerScreen Input { display: none; }
    WagerScreen.-number Input { display: block; }
    """
    AUTO_FOCUS = ""

    def __init__(self, experiment: Experiment) -> None:
        super().__init__()
        self._bets = list(experiment.bets.values())
        self._bet: Bet | None = self._bets[0] if len(self._bets) == 1 else None

    def compose(self) -> ComposeResult:
        """Lay out the question over an input that only a number needs."""
        with VerticalScroll(can_focus=False):
            yield Static(id="asked", markup=False)
            yield Input(id="wager")
            yield Static("", id="fault", markup=False)

    def on_mount(self) -> None:
        """Ask."""
        self._ask()

    def take_key(self, event: Key) -> None:
        """A digit chooses; in the input it is a digit."""
        if self.has_class("-number") or not event.key.isdecimal():
            return
        event.stop()
        place = int(event.key) - 1
        if self._bet is None and 0 <= place < len(self._bets):
            self._bet = self._bets[place]
            self._ask()
        elif self._bet is not None and 0 <= place < len(self._bet.choices):
            self.dismiss((self._bet, list(self._bet.choices)[place]))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the number, or say why it cannot be read."""
        assert self._bet is not None
        wager = read_bet(self._bet, event.value)
        if isinstance(wager, NotRead):
            self.query_one("#fault", Static).update(wager.sentence)
        else:
            self.dismiss((self._bet, wager))

    def action_back(self) -> None:
        """Return to the choice of questions, or close without a bet."""
        if self._bet is not None and len(self._bets) > 1:
            self._bet = None
            self._ask()
        else:
            self.dismiss(None)

    def _ask(self) -> None:
        number = self._bet is not None and self._bet.kind == "ratio"
        self.set_class(number, "-number")
        self.query_one("#asked", Static).update(asked(self._bets, self._bet))
        if number:
            self.query_one(Input).focus()
        else:
            self.set_focus(None)


def asked(bets: list[Bet], bet: Bet | None) -> Content:
    """Return the questions to choose from, or the one chosen with its choices."""
    head = _("Which bet?") if bet is None else bet.question
    texts = [each.question for each in bets] if bet is None else list(bet.choices.values())
    parts: list[tuple[str, str]] = [(head + "\n", STRONG)]
    for place, text in enumerate(texts, start=1):
        parts += [(f"\n{place}  ", KEY), (text, "")]
    if bet is not None and bet.kind == "ratio":
        how = _("answer in {unit}").format(unit=bet.unit) if bet.unit else _("answer with a number")
        parts.append((f"\n{how}; {printed('enter')} {_('bets and runs')}", ""))
    parts.append((f"\n\n{hints(('back',), typing=True)}", QUIET))
    return Content.assemble(*parts)
