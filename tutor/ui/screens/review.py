"""The one review screen: it stays, and its content changes with the session's phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.events import Key
from textual.widgets import Input

from tutor.i18n import _
from tutor.learning import moves
from tutor.learning.state import (
    Asking,
    AskingSureness,
    Betting,
    Compared,
    Finished,
    Flipped,
    Notice,
    Observing,
    Shown,
    Unmeasured,
)
from tutor.study import wording
from tutor.study.mock import words_at_end
from tutor.study.sitting import Sitting
from tutor.ui import entry
from tutor.ui.entry import Entry, Pressed
from tutor.ui.lines import hint_line, noted_line, place_line
from tutor.ui.paint import Look, paint
from tutor.ui.phases import in_motion, is_marked, is_put_in_order, is_typed
from tutor.ui.screens.item import ItemScreen

if TYPE_CHECKING:
    from tutor.lab.recording import Recording

LOW = 16
"""Rows below which there is no room to spare."""


class ReviewScreen(ItemScreen):
    """A sitting on the screen. Keys become moves; every move is committed before its phase is painted."""

    DEFAULT_CSS = """
    ReviewScreen Input { height: 3; width: 100%; max-width: 40; margin: 1 0 0 0; }
    ReviewScreen.-low Input { height: 1; border: none; margin: 0; }
    """

    def __init__(self, sitting: Sitting, title: str = "") -> None:
        super().__init__(sitting)
        self._quiz_title = title
        self._entry = Entry()
        self._live: Recording | None = None
        self._above: tuple[Notice, ...] = ()
        self._verdict_below = False
        self._typing = False

    def compose_body(self) -> ComposeResult:
        """Add the input for what is typed, if it is the first question's: numbers, the texts of gaps, ratio bets."""
        if is_typed(self._phase):
            yield Input(id="number", select_on_focus=False)

    def on_mount(self) -> None:
        """Paint the first question."""
        self.refresh_frame()
        self.call_after_refresh(self.sitting.settle)

    def take_key(self, event: Key) -> None:
        """A digit answers, or picks what the phase offers."""
        if not is_typed(self._phase) and event.key.isdecimal() and event.key != "0":
            event.stop()
            self._take(entry.digit(self._phase, self._entry, int(event.key) - 1, self._now))

    def action_go_on(self) -> None:
        """Space: reveal, mark the option under the cursor, or go on."""
        self._take(entry.space(self._phase, self._entry, self._now))

    def action_submit(self) -> None:
        """Enter: answer with the marked options or with what is typed, run without a bet, or go on."""
        if is_typed(self._phase):
            self._take(*entry.typed(self._phase, self.query_one("#number", Input).value, self._now))
            return
        self._take(entry.enter(self._phase, self._entry, self._now))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A line was typed: an answer or a ratio bet."""
        pressed, understood = entry.typed(self._phase, event.value, self._now)
        self._take(pressed, understood)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Keep in view what is being typed, however long the question; what was said of another line no longer holds."""
        if event.value:
            self._say("")
            self._keep_typed_in_view()

    def _keep_typed_in_view(self) -> None:
        """Scroll to the end, where the input is, once the rows below it, which may have become more, are laid out."""
        self.call_after_refresh(self.body.scroll_end, animate=False)

    def _take(self, pressed: Pressed, said: str = "") -> None:
        """Do what a key means, and say what there is to say of it: nothing said before holds any longer."""
        match pressed:
            case Entry():
                self._entry, self._said = pressed, ""
                self.refresh_frame()
            case str():
                self._say(pressed)
                if is_typed(self._phase):
                    self._keep_typed_in_view()
            case None:
                self.action_back()
            case _:
                self._send(pressed, said)

    def action_arrow(self, by: int) -> None:
        """Move the cursor, and the page with it: from its top at the first option to its end at the last."""
        phase = self._phase
        if isinstance(phase, Asking) and is_marked(phase):
            options = len(phase.question.order)
            self._take(self._entry.moved(by, options))
            self.body.scroll_to(y=self.body.max_scroll_y * self._entry.cursor / (options - 1), animate=False)
        else:
            super().action_arrow(by)

    def action_unsure(self) -> None:
        """Say before answering that one is not sure."""
        self._mark("think")

    def action_guess(self) -> None:
        """Say before answering that it is a guess."""
        self._mark("guess")

    def action_dont_know(self) -> None:
        """Answer that one does not know; at a bet, run without one."""
        self._take(entry.unknown(self._phase, self._now))

    def action_not_now(self) -> None:
        """Leave an experiment for another time."""
        if isinstance(self._phase, Betting):
            self._send(moves.Skip(self._now))

    def action_undo(self) -> None:
        """Take the last answer back; while steps are put in order, the last one picked."""
        if is_put_in_order(self._phase) and self._entry.marked:
            self._take(self._entry.toggled(self._entry.marked[-1]))
            return
        before = self.sitting.session
        self._send(moves.Undo(self._now))
        self._say(
            _("The last answer is taken back.")
            if self.sitting.session is not before
            else _("There is no answer to take back.")
        )

    def action_back(self) -> None:
        """Esc: skip the step at hand, or leave the sitting; nothing is lost."""
        now = self._now
        match self._phase:
            case Asking() | Finished() | AskingSureness() | Shown() | Unmeasured() | Compared() | Flipped():
                self.sitting.send(moves.Quit(now))
                self.app.leave_sitting()
            case _:
                self._send(moves.Skip(now))

    # --- motion -------------------------------------------------------------------------------------------------

    def _send(self, move: moves.Event, said: str = "") -> None:
        running, self._said = in_motion(self._phase), said
        self.sitting.send(move)
        self._after(running)
        self.call_after_refresh(self.sitting.settle)

    def _after(self, was_running: bool) -> None:
        """Paint the new phase, and follow the run in motion or stop the one that was left."""
        phase = self._phase
        if was_running and not in_motion(self._phase):
            self.stop_run()
        if isinstance(phase, Asking) and phase.question is not self._question:
            revealed = self._question is not None and phase.question.seed == self._question.seed
            self._question = phase.question
            if not revealed:
                self._entry, self._said = Entry(), ""
                self.body.scroll_home(animate=False)
        if isinstance(phase, Asking | Betting | Observing) and phase.hint:
            self._said = phase.hint
        self.refresh_frame()
        if isinstance(phase, Observing):
            self.call_after_refresh(self.body.scroll_end, animate=False)
        elif isinstance(phase, Betting | Compared | Shown):
            self.call_after_refresh(self.body.scroll_home, animate=False)
            self.call_after_refresh(self._tell_verdict)
        if in_motion(self._phase) and not was_running:
            from tutor.lab.recording import Recording

            self._live = Recording()
            self.follow_run()

    def _tell_verdict(self) -> None:
        """In a low window the verdict may stand below the options, out of sight: say it above the keys."""
        self._verdict_below = self.body.max_scroll_y > 0
        self.refresh_frame()

    @work(exclusive=True, group="run", exit_on_error=False)
    async def follow_run(self) -> None:
        """Draw what the run shows, as it comes."""
        assert self._live is not None
        await self.follow(self.sitting.messages(), self._live.hear)
        self._after(was_running=False)

    @work(exclusive=True, group="stop", exit_on_error=False)
    async def stop_run(self) -> None:
        """Stop the run that was left, and wait until its process is gone."""
        await self.sitting.cancel()

    # --- painting -----------------------------------------------------------------------------------------------

    def refresh_frame(self) -> None:
        """Paint the phase at the present size."""
        session = self.sitting.session
        if isinstance(session.phase, Asking):
            self._question, self._above = session.phase.question, session.notices
        elif self._question is None:
            self._above = session.notices  # nothing is asked
        size = self.window
        look = Look(self.room, size.height, self._entry, self._live, self._above, words_at_end(self.sitting))
        body = paint(session, look)
        where = place_line(session, self._question, self._quiz_title)
        below = self._verdict_below and size.height < LOW
        verdict = wording.verdict_words(session.phase.judged) if below and isinstance(session.phase, Shown) else ""
        said = (noted_line(session), verdict, self._said, hint_line(session, self.seconds))
        self.set_class(size.height < LOW, "-low")
        self.show(where, body, "\n".join(line for line in said if line))
        self._show_input()

    def _show_input(self) -> None:
        typing = is_typed(self._phase)
        if typing and not self._typing:
            if not self.query("#number"):
                self.body.mount(Input(id="number", select_on_focus=False))
            field = self.query_one("#number", Input)
            field.value = ""
            field.display = True
            field.focus(scroll_visible=False)  # the question is read first
        elif not typing and self._typing:
            self.query_one("#number").display = False
            self.set_focus(None)
        self._typing = typing

    def _mark(self, sureness: str) -> None:
        if isinstance(self._phase, Asking):
            self._send(moves.Mark(self._now, sureness))
