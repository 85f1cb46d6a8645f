"""A learner's own training step: it runs, three bets are laid before anything is shown, then where its memory goes."""

from __future__ import annotations

from pathlib import Path

from textual import work
from textual.content import Content
from textual.events import Key

from tutor.content.model import Scalar
from tutor.i18n import _
from tutor.lab.glossary import said
from tutor.lab.recording import Recording
from tutor.lab.supervisor import Run
from tutor.study.explaining import LIMIT_S, Asked, explainer, found_lines, peak_sentence, questions_of
from tutor.ui.actions import hint, hints
from tutor.ui.lines import DIGITS
from tutor.ui.theme import KEY, QUIET, RIGHT, STRONG, WRONG
from tutor.ui.widgets.curve import Series, chart
from tutor.ui.widgets.frame import FrameScreen
from tutor.ui.wrapping import APART

RANKS = 8


class ExplainScreen(FrameScreen):
    """Runs the file under fake tensors in the lab's child; a digit bets, `space` shows without a bet, Esc stops or goes back."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file
        self._run: Run | None = None
        self._said = Recording()
        self._questions: list[Asked] = []
        self._bets: list[str] = []
        self._revealed = False

    def on_mount(self) -> None:
        """Begin."""
        params: dict[str, Scalar] = {"file": str(self._file.resolve()), "ranks": RANKS}
        self._run = self.app.desk.lab.run(explainer(), params, timeout_s=LIMIT_S)
        self.refresh_frame()
        self.follow_run()

    @work(exclusive=True, group="run", exit_on_error=False)
    async def follow_run(self) -> None:
        """Listen to the run; when it has ended, ask."""
        assert self._run is not None
        await self.follow(self._run, self._said.hear)
        if self._run.result.completed:
            self._questions = questions_of(self._run.result, RANKS)
        self._revealed = not self._questions
        self.refresh_frame()

    def take_key(self, event: Key) -> None:
        """A digit bets."""
        if event.key.isdecimal() and self._questions and not self._revealed:
            event.stop()
            choices = list(self._questions[len(self._bets)].choices)
            if 0 < int(event.key) <= len(choices):
                self._bets.append(choices[int(event.key) - 1])
                self._revealed = len(self._bets) == len(self._questions)
                self.refresh_frame()

    def action_go_on(self) -> None:
        """Show what was found, without further bets."""
        self._revealed = bool(self._questions)
        self.refresh_frame()

    def action_back(self) -> None:
        """Stop the run, or return to the lab."""
        if self._run is not None and not self._run.finished:
            self.stop_run()
        else:
            self.app.pop_screen()

    @work(exclusive=True, group="stop", exit_on_error=False)
    async def stop_run(self) -> None:
        """Stop the run, and wait until its process is gone."""
        assert self._run is not None
        await self._run.cancel()

    def refresh_frame(self) -> None:
        """Paint the moment: running, asking, shown."""
        if not self.is_mounted or self._run is None:
            return
        width = self.room
        place = f"{_('lab')} › {_('explain a file')} › {self._file.name}"
        if not self._run.finished:
            running = _(
                "Your file is running with fake tensors, four times over: as it is, and with one thing changed."
            )
            self.show(
                place,
                Content(running),
                _("running for {seconds} s").format(seconds=self.seconds) + APART + hint("back", _("stops it")),
            )
        elif self._questions and not self._revealed:
            asked = self._questions[len(self._bets)]
            number = _("Bet {number} of {all}: ").format(number=len(self._bets) + 1, all=len(self._questions))
            rows = [
                part for n, text in enumerate(asked.choices.values(), 1) for part in ((f"\n{n}  ", KEY), (text, ""))
            ]
            body = Content.assemble((number + asked.question + "\n", STRONG), *rows)
            keys = (
                f"{DIGITS.format(last=len(asked.choices))} {_('bet')}",
                hint("go_on", _("shows it without")),
                hints(("back",)),
            )
            self.show(place, body, APART.join(filter(None, keys)))
        else:
            self.show(place, self._found(width), _("↑ ↓ scroll") + APART + hints(("back",)))

    def _found(self, width: int) -> Content:
        assert self._run is not None
        result = self._run.result
        if not result.completed:
            return Content.styled(result.sentence, WRONG)
        curves = [Series(said(curve.title), tuple(curve.xs), tuple(curve.ys)) for curve in self._said.curves.values()]
        blocks = [Content.styled(peak_sentence(result), STRONG)]
        for asked, bet in zip(self._questions, self._bets, strict=False):
            right = bet == asked.answer
            words = _("You bet {bet}; measured: {measured}.")
            told = words.format(bet=asked.choices[bet], measured=asked.choices[asked.answer])
            verdict = f"{'✓' if right else '✗'} {asked.question} {told}"
            blocks.append(Content.styled(verdict, RIGHT if right else WRONG))
        blocks.append(Content("\n".join(found_lines(self._said, width))))
        blocks.append(Content("\n".join(chart(curves, width, 4 * len(curves)))))
        blocks += [Content.styled(said(note), QUIET) for note in self._said.notes]
        return Content("\n\n").join([block for block in blocks if block.plain.strip()])
