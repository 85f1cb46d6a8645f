"""What can be done with the question at hand beside answering it."""

from __future__ import annotations

import signal
import subprocess
from abc import abstractmethod
from collections.abc import Sequence
from contextlib import suppress

from textual.app import SuspendNotSupported

from tutor.clock import Instant
from tutor.i18n import _
from tutor.learning import moves
from tutor.learning.state import Asking, AskingSureness, Measuring, Phase, Question, Running, Unmeasured
from tutor.study.revising import Revision
from tutor.study.sitting import Sitting
from tutor.ui.actions import keyed
from tutor.ui.phases import offer_at
from tutor.ui.widgets.frame import FrameScreen


class ItemScreen(FrameScreen):
    """A screen with a sitting behind it, and a question that was put last."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting
        self._question: Question | None = None
        self._said = ""
        self._mend: tuple[str, int] = "", 0  # where the last edit left an error: its file and line

    @abstractmethod
    def _send(self, move: moves.Event) -> None:
        """Make a move and show what came of it."""

    def action_experiment(self) -> None:
        """Open the experiment of this item, else the lab at its concept; while a question waits for its answer, neither."""
        before = self.sitting.session
        self._send(moves.Explore(self._now))
        if self.sitting.session is not before:
            return
        if self._question is None or isinstance(before.phase, Asking | AskingSureness | Measuring | Running):
            self._say(keyed(_("Answer first; then {experiment} opens the experiment or the lab.")))
        else:
            self.app.show_lab(self._question.item.concept, self._question.item.id)

    def action_suspend(self) -> None:
        """Set the item aside."""
        self._send(moves.Suspend(self._now))

    def action_flag(self) -> None:
        """Flag the item with a note."""

        def write(note: str | None) -> None:
            if note:
                self._send(moves.Flag(self._now, note))
                self._say(_("Flagged; the note is kept with the item."))

        from tutor.ui.screens.note import NoteScreen

        self.app.push_screen(NoteScreen(_("What is wrong with this item?")), write)

    def action_edit(self) -> None:
        """Open the item answered last in the learner's editor; its file shows the answer, so not before that is given."""
        from tutor.study.editing import CannotEdit, edit

        question, library = self._question, self.sitting.desk.library
        if isinstance(self._phase, Running):
            self._say(keyed(_("{back} stops the run; then {edit} opens the item.")))
            return
        if question is None or isinstance(self._phase, Asking | AskingSureness | Measuring | Unmeasured):
            self._say(keyed(_("Answer first; then {edit} opens the item, whose file shows the answer.")))
            return
        item = library.items.get(question.base or question.item.id, question.item)
        path, line = self._mend
        try:
            edited = edit(self.sitting, item, self._in_terminal, line if path == item.path else 0)
        except CannotEdit as error:
            self._say(str(error))
            return
        except SuspendNotSupported:
            self._say(
                _("No editor can be opened in this window; edit {path} at line {line} in another.").format(
                    path=item.path, line=item.line
                )
            )
            return
        self._mend = item.path, edited.line
        self._say(edited.sentence)
        if edited.revision is not None:
            self._ask_whether_same(edited.revision)

    def _in_terminal(self, command: Sequence[str]) -> int:
        """Give the terminal to a command until it ends; Ctrl+C is meant for it alone."""
        before = signal.signal(signal.SIGINT, lambda number, frame: None)
        try:
            with self.app.suspend():
                return subprocess.run(command, check=False).returncode
        finally:
            signal.signal(signal.SIGINT, before)

    def _ask_whether_same(self, revision: Revision) -> None:
        def decide(choice: str | None) -> None:
            self.sitting.revise(revision.item, choice or "keep")
            self.refresh_frame()

        from tutor.ui.screens.same_fact import SameFactScreen

        self.app.push_screen(SameFactScreen(revision), decide)

    def action_guide(self) -> None:
        """Open the guide of the deck at hand."""
        question = self._question
        deck = self.sitting.desk.library.deck(question.item.deck) if question else None
        if deck is None or deck.guide is None:
            self._say(_("This deck has no guide."))
        else:
            self.app.show_guide(deck)

    def action_source(self) -> None:
        """Show the source of the experiment at hand."""
        offer = offer_at(self._phase)
        if offer is None or not offer.experiment.source:
            self._say(_("The source is shown where an experiment is offered."))
        else:
            self.app.show_source(offer.experiment)

    @property
    def _phase(self) -> Phase:
        return self.sitting.session.phase

    @property
    def _now(self) -> Instant:
        return self.sitting.desk.now()

    def _say(self, sentence: str) -> None:
        self._said = sentence
        with suppress(LookupError):
            self.refresh_frame()
