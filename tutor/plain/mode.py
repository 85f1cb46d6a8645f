"""Line mode: a whole sitting as prompts and lines, for pipes, screen readers and scripts.

Every prompt starts with its kind and the item's id. `z` undoes and `q` ends at each of them; the end of the input ends the
sitting. The same session as on the screen is driven here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tutor.i18n import _
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
    Running,
    Shown,
    Unmeasured,
)
from tutor.plain import say
from tutor.plain.letters import END, letters_of
from tutor.plain.lines import EndOfInput, Lines
from tutor.study import wording
from tutor.study.answers import NotRead, read_answer, read_bet, read_choice
from tutor.study.sitting import Sitting


class LineMode:
    """Drives one sitting to its end over `lines`."""

    def __init__(self, sitting: Sitting, lines: Lines) -> None:
        self.sitting = sitting
        self.lines = lines
        self._shown: object = None
        self._noticed: object = None
        self._letters = letters_of(sitting.desk.config.keys)

    def run(self) -> None:
        """Ask until nothing is left, the learner ends it, or the input does."""
        say.opening(self.lines, self.sitting, self._letters)
        with asyncio.Runner() as runner:
            try:
                while not isinstance(self.sitting.session.phase, Finished):
                    self._turn(runner)
            except EndOfInput:
                self.sitting.send(moves.Quit(self.sitting.desk.now()))
            except KeyboardInterrupt:
                self.sitting.send(moves.Quit(self.sitting.desk.now()))
            finally:
                runner.run(self.sitting.cancel())
                runner.run(self.sitting.desk.lab.close())
        say.closing(self.lines, self.sitting)

    def _turn(self, runner: asyncio.Runner) -> None:
        phase = self.sitting.session.phase
        now = self.sitting.desk.now()
        if isinstance(phase, Asking):
            self._notice()
        match phase:
            case Measuring() | Running():
                runner.run(self._watch())
            case Shown():
                say.verdict(self.lines, phase.judged)
                say.aside(self.lines, phase.offer)
                self._notice()
                self.sitting.send(moves.Continue(now))
            case Compared():
                say.compared(self.lines, phase)
                self.sitting.send(moves.Continue(now))
            case Flipped():
                say.flipped(self.lines, phase)
                self.sitting.send(moves.Continue(now))
            case Unmeasured():
                self.lines.say(_("No answer is recorded: {why}").format(why=phase.sentence))
                self.sitting.send(moves.Continue(now))
            case _:
                self._prompt(phase)

    def _prompt(self, phase: object) -> None:
        """Show a phase that waits for the learner (once), then read one line for it."""
        if self._introduce_once(phase):
            say.introduce(self.lines, self.sitting, phase)
        self.sitting.settle()
        line = self.lines.ask(say.prompt(phase, self._letters))
        now = self.sitting.desk.now
        if line == self._letters["undo"]:
            self._undo()
        elif line == END:
            self.sitting.send(moves.Quit(now()))
        else:
            reader: dict[type, Callable[[Any, str], moves.Event | str]] = {
                Asking: self._read_answer,
                AskingSureness: self._read_sureness,
                Betting: self._read_bet,
                Observing: self._read_observation,
            }
            found = reader[type(phase)](phase, line)
            if isinstance(found, str):
                self.lines.say(found)
            else:
                self.sitting.send(found)

    def _notice(self) -> None:
        """Say once what the session has to say beside its question."""
        session = self.sitting.session
        if session.notices is not self._noticed:
            self._noticed = session.notices
            self.lines.say(*(wording.notice_words(notice, session.world.library) for notice in session.notices))

    def _introduce_once(self, phase: object) -> bool:
        """Whether this phase was not introduced yet; marking how sure one is does not repeat the question."""
        what = phase.question if isinstance(phase, Asking) else phase
        fresh = what is not self._shown
        self._shown = what
        return fresh

    def _undo(self) -> None:
        before = self.sitting.session
        self.sitting.send(moves.Undo(self.sitting.desk.now()))
        undone = self.sitting.session is not before
        self.lines.say(_("The last answer is taken back.") if undone else _("There is no answer to take back."))
        self._shown = None

    def _read_answer(self, phase: Asking, line: str) -> moves.Event | str:
        now, question = self.sitting.desk.now(), phase.question
        if line == self._letters["dont_know"]:
            return moves.DontKnow(now)
        for letter, sureness in ((self._letters["unsure"], "think"), (self._letters["guess"], "guess")):
            if line == letter or line.startswith(f"{letter} "):
                self.sitting.send(moves.Mark(now, sureness))
                rest = line[1:].strip()
                return self._read_answer(phase, rest) if rest else _("Noted; now the answer.")
        if question.item.kind == "explain" and question.hidden:
            return moves.Reveal(now)  # whatever was typed instead of spoken, the points come next
        if not line:
            return say.how_to_answer(question, self._letters)
        read = read_answer(question, line)
        if isinstance(read, NotRead):
            how = "" if question.item.kind == "numeric" else f" {say.how_to_answer(question, self._letters)}"
            return read.sentence + how
        if read.understood:
            self.lines.say(_("understood: {text}").format(text=read.understood))
        return read.move(now)

    def _read_sureness(self, phase: AskingSureness, line: str) -> moves.Event | str:
        if line in ("", self._letters["dont_know"]):
            return moves.Mark(self.sitting.desk.now(), None)
        choice = read_choice(line, SURENESS)
        return choice.sentence if isinstance(choice, NotRead) else moves.Mark(self.sitting.desk.now(), choice[0])

    def _read_bet(self, phase: Betting, line: str) -> moves.Event | str:
        now, offer = self.sitting.desk.now(), phase.offer
        if line == self._letters["not_now"]:
            return moves.Skip(now)
        if offer.flip is not None:
            if line in ("", self._letters["dont_know"]):
                return moves.Skip(now)
            choice = read_choice(line, tuple(offer.flip.choices))
            return choice.sentence if isinstance(choice, NotRead) else moves.LayBet(now, choice[0])
        if line in ("", self._letters["dont_know"]) or offer.bet is None:
            return moves.LayBet(now, None)
        bet = read_bet(offer.bet, line)
        without = _("Or an empty line to run without a bet, {not_now} not to run.").format(**self._letters)
        return f"{bet.sentence} {without}" if isinstance(bet, NotRead) else moves.LayBet(now, bet)

    def _read_observation(self, phase: Observing, line: str) -> moves.Event | str:
        observation = phase.offer.experiment.observation
        if line in ("", self._letters["dont_know"]) or observation is None:
            return moves.Observed(self.sitting.desk.now(), None)
        choice = read_choice(line, tuple(observation.choices))
        return choice.sentence if isinstance(choice, NotRead) else moves.Observed(self.sitting.desk.now(), choice[0])

    async def _watch(self) -> None:
        """Tell what the run in motion shows, as it comes."""
        told = say.Told(self.lines)
        async for message in self.sitting.messages():
            told.hear(message)
        told.finish()
