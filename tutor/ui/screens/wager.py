"""Laying a bet in the lab: which question, then the wager."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key, Resize
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tutor.content.experiments import Bet, Experiment
from tutor.i18n import _
from tutor.study.answers import NotRead, read_bet
from tutor.ui.actions import hints
from tutor.ui.keys import printed
from tutor.ui.lines import DIGITS
from tutor.ui.theme import KEY, QUIET, STRONG
from tutor.ui.widgets.frame import ScrollScreen
from tutor.ui.wrapping import APART, grouped, hung

BELOW = 4
"""Rows that a wager being typed, what is wrong with it and the keys may take."""
TIMES = "x"
"""The unit of a ratio, which needs no name: how many times is what is asked."""


class WagerScreen(ModalScreen[tuple[Bet, Any] | None], ScrollScreen[tuple[Bet, Any] | None]):
    """A digit chooses the question, a digit or a typed number is the wager, Esc goes back."""

    DEFAULT_CSS = """
    WagerScreen { align: center middle; }
    WagerScreen > Vertical { width: 94%; max-width: 80; height: auto; max-height: 100%; background: $panel; padding: 0 2; }
    WagerScreen VerticalScroll { height: auto; scrollbar-size-vertical: 1; }
    WagerScreen Static { height: auto; }
    WagerScreen Input { display: none; border: none; height: 1; padding: 0; background: $surface; }
    WagerScreen.-number Input { display: block; }
    WagerScreen #keys { color: $secondary; }
    """
    AUTO_FOCUS = ""

    def __init__(self, experiment: Experiment) -> None:
        super().__init__()
        self._bets = list(experiment.bets.values())
        self._bet: Bet | None = self._bets[0] if len(self._bets) == 1 else None

    def compose(self) -> ComposeResult:
        """Lay out the question over an input that only a number needs."""
        with Vertical():
            with VerticalScroll(can_focus=False):
                yield Static(id="asked", markup=False)
            yield Input(id="wager")
            yield Static("", id="fault", markup=False)
            yield Static(id="keys", markup=False)

    def on_resize(self, event: Resize) -> None:
        """Ask at the present size, the keys and what is typed in sight below a question of any length."""
        self.body.styles.max_height = max(1, event.size.height - BELOW)
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
        self.query_one("#asked", Static).update(asked(self._bets, self._bet, self._room))
        self.query_one("#keys", Static).update(grouped(self._keys(number), self._room))
        if number:
            self.query_one(Input).focus()
        else:
            self.set_focus(None)

    def _keys(self, number: bool) -> str:
        choices = len(self._bets if self._bet is None else self._bet.choices)
        does = _("open") if self._bet is None else _("bet and run")
        first = f"{printed('enter')} {_('bet and run')}" if number else f"{DIGITS.format(last=choices)} {does}"
        return APART.join((first, hints(("back",), typing=True)))

    @property
    def _room(self) -> int:
        return min(80, self.app.size.width * 94 // 100) - 6


def asked(bets: list[Bet], bet: Bet | None, width: int) -> Content:
    """Return the questions to choose from, or the one chosen with its choices, in `width` columns."""
    head = _("Which bet?") if bet is None else bet.question
    texts = [each.question for each in bets] if bet is None else list(bet.choices.values())
    parts: list[tuple[str, str]] = [(head + "\n", STRONG)]
    for place, text in enumerate(texts, start=1):
        parts += [(f"\n{place}  ", KEY), (hung(text, width, 3), "")]
    if bet is not None and bet.kind == "ratio":
        how = _("answer with a number") if bet.unit in ("", TIMES) else _("answer in {unit}").format(unit=bet.unit)
        parts.append((f"\n{how}", QUIET))
    return Content.assemble(*parts)
