"""The one review screen: it stays, and its content changes with the session's phase."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.events import Key
from textual.widgets import Input

from tutor.lab.recording import Recording
from tutor.learning import moves
from tutor.learning.state import (
    SURENESS,
    Asking,
    AskingSureness,
    Betting,
    Compared,
    Finished,
    Flipped,
    Measuring,
    Observing,
    Offer,
    Question,
    Running,
    Shown,
    Unmeasured,
)
from tutor.study import wording
from tutor.study.answers import NotRead, read_bet, read_number
from tutor.study.sitting import Sitting
from tutor.ui.actions import bindings
from tutor.ui.lines import hint_line, place_line
from tutor.ui.paint import Look, paint
from tutor.ui.widgets.frame import FrameScreen

if TYPE_CHECKING:
    from tutor.ui.app import TutorApp

REPAINTS_A_SECOND = 10


class ReviewScreen(FrameScreen):
    """A sitting on the screen. Keys become moves; every move is committed before its phase is painted."""

    DEFAULT_CSS = """
    ReviewScreen Input { display: none; height: 3; width: 100%; max-width: 40; margin: 1 0 0 0; }
    ReviewScreen.-typing Input { display: block; }
    """
    BINDINGS = bindings("review")
    app: TutorApp

    def __init__(self, sitting: Sitting, title: str = "") -> None:
        super().__init__()
        self.sitting = sitting
        self._quiz_title = title
        self._marked: frozenset[str] = frozenset()
        self._cursor = 0
        self._live: Recording | None = None
        self._said = ""
        self._question: Question | None = None

    def compose_body(self) -> ComposeResult:
        """Add the input that numeric answers and ratio bets are typed into."""
        yield Input(id="number", select_on_focus=False)

    def on_mount(self) -> None:
        """Paint the first question."""
        self.refresh_frame()

    # --- keys ---------------------------------------------------------------------------------------------------

    def on_key(self, event: Key) -> None:
        """A digit answers, or picks what the phase offers."""
        if self._typing or not event.key.isdecimal() or event.key == "0":
            if event.key in ("up", "down"):
                event.stop()
                step = 1 if event.key == "down" else -1
                self._move_cursor(step) if self._many else self._scroll(step)
            return
        event.stop()
        self._digit(int(event.key) - 1)

    def _digit(self, place: int) -> None:
        now = self.sitting.desk.now()
        match self.sitting.session.phase:
            case Asking(question=question):
                if question.hidden:
                    self._send(moves.Reveal(now))
                elif place >= len(question.order):
                    self._say(f"Choose 1 to {len(question.order)}.")
                elif question.item.kind == "multi":
                    self._toggle(question.order[place])
                else:
                    self._send(moves.Answer(now, choice=(question.order[place],)))
            case AskingSureness() if place < len(SURENESS):
                self._send(moves.Mark(now, SURENESS[place]))
            case Betting(offer=offer):
                choices = list(offer.flip.choices if offer.flip else offer.bet.choices if offer.bet else ())
                self._send(moves.LayBet(now, choices[place])) if place < len(choices) else self._say(
                    f"Choose 1 to {len(choices)}."
                )
            case Observing(offer=offer) if offer.experiment.observation is not None:
                seen = list(offer.experiment.observation.choices)
                self._send(moves.Observed(now, seen[place])) if place < len(seen) else self._say(
                    f"Choose 1 to {len(seen)}."
                )
            case _:
                self._say("space goes on.")

    def action_go_on(self) -> None:
        """Space: reveal, toggle, or go on."""
        now = self.sitting.desk.now()
        match self.sitting.session.phase:
            case Asking(question=question) if question.hidden:
                self._send(moves.Reveal(now))
            case Asking(question=question) if question.item.kind == "multi":
                self._toggle(question.order[self._cursor])
            case Asking(question=question):
                self._say(f"Choose 1 to {len(question.order)}, or i for I don't know.")
            case Betting(offer=offer):
                self._say(
                    "A number bets, ⏎ runs without a bet, n is not now."
                    if offer.flip is None
                    else "A number bets, n is not now."
                )
            case Finished():
                self.action_back()
            case _:
                self._send(moves.Continue(now))

    def action_submit(self) -> None:
        """Enter: answer with the marked options, run without a bet, or go on."""
        now = self.sitting.desk.now()
        match self.sitting.session.phase:
            case Asking(question=question) if question.item.kind == "multi":
                self._send(moves.Answer(now, choice=tuple(k for k in question.order if k in self._marked)))
            case Betting(offer=offer) if offer.flip is None:
                self._send(moves.LayBet(now, None))
            case Asking() | Betting():
                self.action_go_on()
            case Finished():
                self.action_back()
            case _:
                self._send(moves.Continue(now))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A number was typed: an answer or a ratio bet. What cannot be read is said, and nothing is recorded."""
        now = self.sitting.desk.now()
        match self.sitting.session.phase:
            case Asking(question=question):
                number = read_number(question, event.value)
                if isinstance(number, NotRead):
                    self._say(number.sentence)
                else:
                    self._said = f"understood: {number.understood}"
                    self._send(moves.Answer(now, raw=number.raw, value=number.value))
            case Betting(offer=offer) if offer.bet is not None:
                bet = read_bet(offer.bet, event.value) if event.value.strip() else None
                self._say(bet.sentence) if isinstance(bet, NotRead) else self._send(moves.LayBet(now, bet))

    def action_unsure(self) -> None:
        """Say before answering that one is not sure."""
        self._mark("think")

    def action_guess(self) -> None:
        """Say before answering that it is a guess."""
        self._mark("guess")

    def action_dont_know(self) -> None:
        """Answer that one does not know; at a bet, run without one."""
        now = self.sitting.desk.now()
        match self.sitting.session.phase:
            case Asking():
                self._send(moves.DontKnow(now))
            case Betting(offer=offer) if offer.flip is None:
                self._send(moves.LayBet(now, None))
            case Observing():
                self._send(moves.Observed(now, None))

    def action_not_now(self) -> None:
        """Leave an experiment for another time."""
        if isinstance(self.sitting.session.phase, Betting):
            self._send(moves.Skip(self.sitting.desk.now()))

    def action_undo(self) -> None:
        """Take the last answer back."""
        before = self.sitting.session
        self._said = ""
        self._send(moves.Undo(self.sitting.desk.now()))
        self._say(
            "The last answer is taken back."
            if self.sitting.session is not before
            else "There is no answer to take back."
        )

    def action_experiment(self) -> None:
        """Open the experiment of this item, else the lab at its concept; while a question waits for its answer, neither."""
        before = self.sitting.session
        self._send(moves.Explore(self.sitting.desk.now()))
        if self.sitting.session is not before:
            return
        if self._question is None or isinstance(before.phase, Asking | AskingSureness | Measuring | Running):
            self._say("Answer first; then l opens the experiment or the lab.")
        else:
            self.app.show_lab(self._question.item.concept, self._question.item.id)

    def action_suspend(self) -> None:
        """Set the item aside."""
        self._send(moves.Suspend(self.sitting.desk.now()))

    def action_flag(self) -> None:
        """Flag the item with a note."""

        def write(note: str | None) -> None:
            if note:
                self._send(moves.Flag(self.sitting.desk.now(), note))
                self._say("Flagged; the note is kept with the item.")

        from tutor.ui.screens.note import NoteScreen

        self.app.push_screen(NoteScreen("What is wrong with this item?"), write)

    def action_guide(self) -> None:
        """Open the guide of the deck at hand."""
        question = self._question
        deck = self.sitting.desk.library.deck(question.item.deck) if question else None
        if deck is None or deck.guide is None:
            self._say("This deck has no guide.")
        else:
            self.app.show_page(f"guide › {deck.title}", deck.guide.read_text(encoding="utf-8"), markdown=True)

    def action_source(self) -> None:
        """Show the source of the experiment at hand."""
        offer = self._offer
        if offer is None or not offer.experiment.source:
            self._say("The source is shown where an experiment is offered.")
        else:
            self.app.show_source(offer.experiment)

    def action_back(self) -> None:
        """Esc: skip the step at hand, or leave the sitting; nothing is lost."""
        now = self.sitting.desk.now()
        match self.sitting.session.phase:
            case Asking() | Finished() | AskingSureness() | Shown() | Unmeasured() | Compared() | Flipped():
                self.sitting.send(moves.Quit(now))
                self.app.leave_sitting()
            case _:
                self._send(moves.Skip(now))

    def action_help(self) -> None:
        """Show every key."""
        self.app.action_help()

    # --- motion -------------------------------------------------------------------------------------------------

    def _send(self, move: moves.Event) -> None:
        running = self._in_motion
        self.sitting.send(move)
        self._after(running)

    def _after(self, was_running: bool) -> None:
        """Paint the new phase, and follow the run in motion or stop the one that was left."""
        phase = self.sitting.session.phase
        if was_running and not self._in_motion:
            self.stop_run()
        if isinstance(phase, Asking) and phase.question is not self._question:
            revealed = self._question is not None and phase.question.seed == self._question.seed
            self._question = phase.question
            if not revealed:
                self._marked, self._cursor, self._said = frozenset(), 0, ""
                self.query_one(VerticalScroll).scroll_home(animate=False)
        self.refresh_frame()
        if isinstance(phase, Betting | Observing | Compared | Shown):
            top = isinstance(phase, Compared | Shown)
            body = self.query_one(VerticalScroll)
            self.call_after_refresh(body.scroll_home if top else body.scroll_end, animate=False)
        if self._in_motion and not was_running:
            self._live = Recording()
            self.follow_run()

    @work(exclusive=True, group="run", exit_on_error=False)
    async def follow_run(self) -> None:
        """Draw what the run shows, as it comes, at most ten times a second."""
        painted = 0
        async for message in self.sitting.messages():
            if self._live is None:
                continue
            self._live.hear(message)
            now = self.sitting.desk.now().mono_ms
            if now - painted >= 1000 // REPAINTS_A_SECOND:
                painted = now
                self.refresh_frame()
        self._after(was_running=False)

    @work(exclusive=True, group="stop", exit_on_error=False)
    async def stop_run(self) -> None:
        """Stop the run that was left, and wait until its process is gone."""
        await self.sitting.cancel()

    # --- painting -----------------------------------------------------------------------------------------------

    def refresh_frame(self) -> None:
        """Paint the phase at the present size."""
        if not self.is_mounted:
            return
        session = self.sitting.session
        if isinstance(session.phase, Asking):
            self._question = session.phase.question
        size = self.size
        look = Look(max(36, size.width - 6), size.height, self._marked, self._cursor, self._live)
        body = paint(session, look)
        where = place_line(session, self._question, self._quiz_title)
        said = [wording.notice_words(notice, session.world.library) for notice in session.notices]
        self.show(where, body, "\n".join(line for line in (*said, self._said, hint_line(session)) if line))
        self._show_input()

    def _show_input(self) -> None:
        typing = self._typing
        field = self.query_one("#number", Input)
        if typing and not self.has_class("-typing"):
            field.value = ""
            self.add_class("-typing")
            field.focus()
        elif not typing and self.has_class("-typing"):
            self.remove_class("-typing")
            self.set_focus(None)

    # --- what is at hand ----------------------------------------------------------------------------------------

    @property
    def _typing(self) -> bool:
        match self.sitting.session.phase:
            case Asking(question=question):
                return question.item.kind == "numeric"
            case Betting(offer=offer):
                return offer.flip is None and offer.bet is not None and offer.bet.kind == "ratio"
        return False

    @property
    def _many(self) -> bool:
        phase = self.sitting.session.phase
        return isinstance(phase, Asking) and phase.question.item.kind == "multi"

    @property
    def _in_motion(self) -> bool:
        return isinstance(self.sitting.session.phase, Running | Measuring)

    @property
    def _offer(self) -> Offer | None:
        phase = self.sitting.session.phase
        if isinstance(phase, Betting | Running | Observing | Compared | Flipped | Shown):
            return phase.offer
        return None

    def _scroll(self, lines: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def _mark(self, sureness: str) -> None:
        if isinstance(self.sitting.session.phase, Asking):
            self._send(moves.Mark(self.sitting.desk.now(), sureness))

    def _toggle(self, key: str) -> None:
        self._marked = self._marked ^ {key}
        self.refresh_frame()

    def _move_cursor(self, by: int) -> None:
        phase = self.sitting.session.phase
        if isinstance(phase, Asking):
            self._cursor = (self._cursor + by) % len(phase.question.order)
            self.refresh_frame()

    def _say(self, sentence: str) -> None:
        self._said = sentence
        with suppress(LookupError):
            self.refresh_frame()
