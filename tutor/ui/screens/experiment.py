"""One experiment in the lab: its question, its settings, the run in motion, and its runs side by side."""

from __future__ import annotations

from typing import Any

from textual import work
from textual.content import Content

from tutor.content.experiments import Bet, Experiment
from tutor.i18n import _
from tutor.lab import glossary
from tutor.lab.catalogue import why_not
from tutor.lab.endings import ending_words
from tutor.study import showing, wording
from tutor.study.exploring import Exploration, changes_in_words
from tutor.ui.actions import hint, hints, keyed
from tutor.ui.live import run_lines
from tutor.ui.runs import side_by_side
from tutor.ui.theme import QUIET, RIGHT, STRONG, WRONG
from tutor.ui.widgets.frame import FrameScreen
from tutor.ui.wrapping import APART


class ExperimentScreen(FrameScreen):
    """Bet, run, change a parameter, run again, compare."""

    def __init__(self, exploration: Exploration) -> None:
        super().__init__()
        self.exploration = exploration
        self._said = ""

    def on_mount(self) -> None:
        """Paint the front."""
        self.refresh_frame()

    def action_run(self) -> None:
        """Run with the settings shown, without a bet."""
        self._start(None, None)

    def action_bet(self) -> None:
        """Choose a bet, lay it, and run."""

        def laid(bet: tuple[Bet, Any] | None) -> None:
            if bet is not None:
                self._start(*bet)

        from tutor.ui.screens.wager import WagerScreen

        if not self.exploration.running:
            self.app.push_screen(WagerScreen(self.exploration.experiment), laid)

    def action_parameters(self) -> None:
        """Change the parameters of the next run."""

        def changed(kept: bool | None) -> None:
            if kept:
                changes = changes_in_words(self.exploration.experiment, self.exploration.settings)
                self._said = _("Next run: {changes}.").format(changes=changes)
                self.refresh_frame()

        from tutor.ui.screens.form import FormScreen

        if not self.exploration.running:
            self.app.push_screen(FormScreen(self.exploration), changed)

    def action_source(self) -> None:
        """Read the source, the lines that matter marked."""
        self.app.show_source(self.exploration.experiment)

    def action_write(self) -> None:
        """Write the latest run of this visit as JSON and SVG beside the learner's data."""
        from tutor.study.run_files import write_run

        if self.exploration.running:
            self._say(keyed(_("{back} stops the run; when it has ended, {write} writes it.")))
        elif not self.exploration.sheets:
            self._say(keyed(_("Run it first; then {write} writes the run as JSON and SVG.")))
        else:
            paths = write_run(self.exploration.sheets[-1], self.app.desk.home.folder / "runs")
            self._say(_("Written: {first} and {second}").format(first=paths[0], second=paths[1].name))

    def action_back(self) -> None:
        """Stop what runs; else return to where the experiment was opened."""
        if self.exploration.running:
            self.stop_run()
        else:
            self.app.pop_screen()

    def _start(self, bet: Bet | None, wager: Any) -> None:
        if self.exploration.running:
            self._say(keyed(_("One run at a time; {back} stops this one.")))
            return
        reason = why_not(self.exploration.experiment)
        if reason:
            self._say(reason)
            return
        self._said = ""
        self.exploration.start(bet, wager)
        self.refresh_frame()
        self.body.scroll_home(animate=False)
        self.follow_run()

    @work(exclusive=True, group="run", exit_on_error=False)
    async def follow_run(self) -> None:
        """Draw what the run shows, as it comes."""
        await self.follow(self.exploration.messages())
        self._say("")

    @work(exclusive=True, group="stop", exit_on_error=False)
    async def stop_run(self) -> None:
        """Stop the run in motion, and wait until its process is gone."""
        await self.exploration.cancel()

    def _say(self, sentence: str) -> None:
        self._said = sentence
        self.refresh_frame()

    def refresh_frame(self) -> None:
        """Paint the experiment at the present size."""
        if not self.is_mounted:
            return
        experiment = self.exploration.experiment
        about = _("about {seconds} s").format(seconds=wording.number(experiment.seconds))
        place = f"{_('lab')} › {showing.family_words(experiment.family)} › {experiment.id} · {about}"
        keys = (
            _("running for {seconds} s").format(seconds=self.seconds) + APART + hint("back", _("stops it"))
            if self.exploration.running
            else hints(("run", "bet", "parameters", "source", "write", "back"))
        )
        body = paint_experiment(self.exploration, self.room, self.size.height)
        self.show(place, body, "\n".join(line for line in (self._said, keys) if line))


def paint_experiment(exploration: Exploration, width: int, height: int) -> Content:
    """Return the body: the scene, the settings, the run in motion or the latest, and all runs side by side."""
    experiment = exploration.experiment
    settings = Content.styled(settings_line(experiment, exploration.settings), QUIET)
    if exploration.running:
        here = Content.styled(_("{id} is running on this machine.").format(id=experiment.id), STRONG)
        blocks = [here, settings, Content("\n".join(run_lines(exploration.recording, width, max(6, height - 9))))]
    else:
        ending = _ending(exploration) if exploration.sheets else []
        blocks = [Content.styled(experiment.title, STRONG), *ending, Content(experiment.question), settings]
        blocks.append(Content("\n".join(run_lines(exploration.recording, width, max(6, height // 2)))))
        blocks.append(side_by_side(exploration.columns(), width))
        if exploration.sheets and exploration.sheets[-1].result.completed:
            blocks.append(Content(experiment.explanation))
    return Content("\n\n").join([block.rstrip() for block in blocks if block.plain.strip()])


def settings_line(experiment: Experiment, settings: dict[str, Any]) -> str:
    """Return all parameters with their units on one line."""
    words = []
    for name, value in settings.items():
        unit = experiment.parameters[name].unit
        shown = str(value).lower() if isinstance(value, bool) else wording.quantity(value, "" if unit == name else unit)
        words.append(f"{name} {shown}")
    return " · ".join(words)


def _ending(exploration: Exploration) -> list[Content]:
    """The latest run's ending in words: every claim held, which did not with its values, or why it ended early."""
    sheet = exploration.sheets[-1]
    result = sheet.result
    if not result.completed:
        return [
            Content.styled(
                f"{_('The run ended early: {ending}.').format(ending=ending_words(result.ending))} {result.sentence}",
                WRONG,
            )
        ]
    blocks = []
    verdict = showing.bet_verdict(sheet.bet_right)
    if verdict and sheet.bet is not None:
        measured = showing.bet_words(sheet.bet, result.measured(sheet.bet.metric))
        told = _("{verdict}: you bet {bet}, measured here {measured}.")
        told = told.format(verdict=verdict, bet=showing.bet_words(sheet.bet, sheet.wager), measured=measured)
        blocks.append(Content.styled(told, RIGHT if sheet.bet_right else WRONG))
    lost = [claim for claim in result.claims if not claim.passed]
    if not lost:
        every = _("✓ all {count} claims held on this machine").format(count=len(result.claims))
        blocks.append(Content.styled(every, RIGHT))
    for claim in lost:
        left, right = (
            showing.measured_value(exploration.experiment, claim.name, side) for side in (claim.left, claim.right)
        )
        values = _("{left} is not {op} {right}").format(left=left, op=claim.op, right=right)
        blocks.append(Content.styled(f"✗ {glossary.said(claim.name)}: {showing.not_shown()}: {values}", WRONG))
    return [Content("\n").join(blocks)]
