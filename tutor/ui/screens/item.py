"""What can be done with the question at hand beside answering it."""

from __future__ import annotations

from contextlib import suppress

from tutor.clock import Instant
from tutor.i18n import _
from tutor.learning import moves
from tutor.learning.state import Asking, AskingSureness, Measuring, Phase, Question, Running
from tutor.study.sitting import Sitting
from tutor.ui.phases import offer_at
from tutor.ui.widgets.frame import FrameScreen


class ItemScreen(FrameScreen):
    """A screen with a sitting behind it, and a question that was put last."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting
        self._question: Question | None = None
        self._said = ""

    def _send(self, move: moves.Event) -> None:
        raise NotImplementedError

    def action_experiment(self) -> None:
        """Open the experiment of this item, else the lab at its concept; while a question waits for its answer, neither."""
        before = self.sitting.session
        self._send(moves.Explore(self._now))
        if self.sitting.session is not before:
            return
        if self._question is None or isinstance(before.phase, Asking | AskingSureness | Measuring | Running):
            self._say(_("Answer first; then l opens the experiment or the lab."))
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
