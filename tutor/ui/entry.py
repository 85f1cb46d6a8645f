"""What the learner has entered so far on the screen, and what a key makes of it. Pure: the screen carries out what is returned.

A key leads to a move for the session, to another entry, to a sentence where it means nothing here, or to None where there is
nothing left to do but leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tutor.clock import Instant
from tutor.frozen import dataclass
from tutor.i18n import _
from tutor.learning import moves
from tutor.learning.state import SURENESS, Asking, AskingSureness, Betting, Finished, Observing, Phase, Question
from tutor.study.answers import NotRead, read_answer, read_bet
from tutor.ui.actions import keyed
from tutor.ui.phases import is_marked


@dataclass(frozen=True, slots=True)
class Entry:
    """The options marked so far, in the order they were marked, and the one under the cursor."""

    marked: tuple[str, ...] = ()
    cursor: int = 0

    def toggled(self, key: str) -> Entry:
        """Return the entry with an option marked last, or taken out where it was marked."""
        rest = tuple(other for other in self.marked if other != key)
        return replace(self, marked=rest if key in self.marked else (*rest, key))

    def moved(self, by: int, options: int) -> Entry:
        """Return the entry with the cursor moved, round the ends."""
        return replace(self, cursor=(self.cursor + by) % options)

    def answer(self, question: Question) -> tuple[str, ...]:
        """Return what is marked as an answer: steps as they were picked, anything else as it is shown."""
        if question.item.kind == "order":
            return self.marked
        return tuple(key for key in question.order if key in self.marked)


Pressed = moves.Event | Entry | str | None


def digit(phase: Phase, entry: Entry, place: int, now: Instant) -> Pressed:
    """Return what the digit for `place`, from 0, does: it answers, marks, or picks what the phase offers."""
    match phase:
        case Asking(question=question) if question.hidden:
            return moves.Reveal(now)
        case Asking(question=question):
            key = _picked(question.order, place)
            if not key:
                return _("Choose 1 to {last}.").format(last=len(question.order))
            return entry.toggled(key) if is_marked(phase) else moves.Answer(now, choice=(key,))
        case AskingSureness() if place < len(SURENESS):
            return moves.Mark(now, SURENESS[place])
        case Betting(offer=offer):
            choices = tuple(offer.flip.choices if offer.flip else offer.bet.choices if offer.bet else ())
            bet = _picked(choices, place)
            return moves.LayBet(now, bet) if bet else _("Choose 1 to {last}.").format(last=len(choices))
        case Observing(offer=offer) if offer.experiment.observation is not None:
            shown = tuple(offer.experiment.observation.choices)
            seen = _picked(shown, place)
            return moves.Observed(now, seen) if seen else _("Choose 1 to {last}.").format(last=len(shown))
    return keyed(_("{go_on} goes on."))


def space(phase: Phase, entry: Entry, now: Instant) -> Pressed:
    """Return what space does: it reveals, marks the option under the cursor, or goes on."""
    match phase:
        case Asking(question=question) if question.hidden:
            return moves.Reveal(now)
        case Asking(question=question) if is_marked(phase):
            return entry.toggled(question.order[entry.cursor])
        case Asking(question=question):
            return keyed(_("Choose 1 to {last}, or {dont_know} for I don't know."), last=len(question.order))
        case Betting(offer=offer):
            if offer.flip is None:
                return keyed(_("A number bets, {submit} runs without a bet, {not_now} is not now."))
            return keyed(_("A number bets, {not_now} is not now."))
        case Finished():
            return None
    return moves.Continue(now)


def enter(phase: Phase, entry: Entry, now: Instant) -> Pressed:
    """Return what enter does: it answers with what is marked, runs without a bet, or goes on."""
    match phase:
        case Asking(question=question) if is_marked(phase):
            if question.item.kind == "explain" and not entry.marked:
                said = _("Tick what you said with 1 to {last}; {dont_know} if it was none of it.")
                return keyed(said, last=len(question.order))
            return moves.Answer(now, choice=entry.answer(question))
        case Betting(offer=offer) if offer.flip is None:
            return moves.LayBet(now, None)
        case Asking() | Betting() | Finished():
            return space(phase, entry, now)
    return moves.Continue(now)


def typed(phase: Phase, text: str, now: Instant) -> tuple[Pressed, str]:
    """Return what a typed line does, and what was understood. What cannot be read is said, and nothing is recorded."""
    match phase:
        case Asking(question=question):
            read = read_answer(question, text)
            if isinstance(read, NotRead):
                return read.sentence, ""
            return read.move(now), _("understood: {text}").format(text=read.understood) if read.understood else ""
        case Betting(offer=offer) if offer.bet is not None and text.strip():
            bet = read_bet(offer.bet, text)
            return (bet.sentence if isinstance(bet, NotRead) else moves.LayBet(now, bet)), ""
    return moves.LayBet(now, None), ""


def unknown(phase: Phase, now: Instant) -> Pressed:
    """Return what "I don't know" does: at a bet it runs without one; where nothing is asked it does nothing."""
    match phase:
        case Asking():
            return moves.DontKnow(now)
        case Betting(offer=offer) if offer.flip is None:
            return moves.LayBet(now, None)
        case Observing():
            return moves.Observed(now, None)
    return ""


def _picked(keys: Sequence[str], place: int) -> str:
    return keys[place] if place < len(keys) else ""
