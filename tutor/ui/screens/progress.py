"""Progress: how the learner stands, in the report's own figures; from here the report is written and the memory model fitted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textual import work
from textual.content import Content

from tutor.i18n import _, marked
from tutor.study.calibration import CalibrationJob
from tutor.study.fitting import FitJob, adopt
from tutor.study.jobs import JobProgress
from tutor.study.reporting import report_of
from tutor.study.verdict import Verdict, words
from tutor.ui.actions import hint, hints
from tutor.ui.calibration import calibration_lines
from tutor.ui.progress import progress_body
from tutor.ui.theme import STRONG
from tutor.ui.widgets.frame import FrameScreen
from tutor.ui.wrapping import APART

STAGES = {
    "check": marked("on the first four fifths"),
    "whole": marked("on all reviews"),
    "evaluate": marked("on what came before each part"),
}


class ProgressScreen(FrameScreen):
    """Scrolls; w writes the report, c evaluates the memory model, f fits it, esc stops either or goes back."""

    def __init__(self) -> None:
        super().__init__()
        self._report: dict[str, Any] = {}
        self._said = ""
        self._verdict: tuple[str, ...] = ()
        self._evaluation: Mapping[str, Any] = {}
        self._job: FitJob | CalibrationJob | None = None

    def on_mount(self) -> None:
        """Read the figures once; only a fit changes them while this screen is open."""
        self.read_again()

    def read_again(self) -> None:
        """Read the figures and paint."""
        self._report = report_of(self.app.desk)
        self.refresh_frame()

    def refresh_frame(self) -> None:
        """Paint the figures at the present width."""
        if not self.is_mounted or not self._report:
            return
        width = max(34, self.size.width - 6)
        figures = progress_body(self._report, self.app.desk.catalogue, width)
        shown = ("report", "calibration", "fit", "back", "help")
        keys = hint("back", _("stops it")) if self._job else _("↑ ↓ scroll") + APART + hints(shown)
        told = calibration_lines(self._evaluation, width) if self._evaluation else self._verdict
        above = [Content.styled(line, "" if place else STRONG) for place, line in enumerate(told)]
        body = Content("\n").join([*above, Content(""), figures]) if above else figures
        self.show(_("progress"), body, "\n".join(line for line in (self._said, keys) if line))

    def action_report(self) -> None:
        """Write the report beside the data."""
        self._say(self.app.write_report())

    def action_fit(self) -> None:
        """Fit the memory model to the learner's answers, in a process of its own."""
        if self._job is None:
            self._job = FitJob(self.app.desk)
            self._verdict, self._evaluation = (), {}
            self._say(_("Fitting the memory model to your answers."))
            self.follow_fit(self._job)

    def action_calibration(self) -> None:
        """Evaluate the memory model on the learner's answers, in a process of its own."""
        if self._job is None:
            self._job = CalibrationJob(self.app.desk)
            self._say(_("Holding what was predicted against your answers."))
            self.follow_evaluation(self._job)

    def action_back(self) -> None:
        """Stop a fit or an evaluation in motion; else return to Today."""
        if self._job is not None:
            self.stop_job(self._job)
        else:
            self.app.pop_screen()

    @work(exclusive=True, group="fit")
    async def follow_fit(self, job: FitJob) -> None:
        """Say how far the fit is; take a better set up, and say so with its figures."""
        await job.start()
        async for progress in job:
            self._say(progress_words(progress))
        self._job = None
        self._said = ""
        if job.result is None:
            self._say(job.why)
            return
        adopted = adopt(self.app.desk, job.result)
        self._verdict = verdict_lines(job.result, adopted)
        self.read_again()
        self.body.scroll_home(animate=False)

    @work(exclusive=True, group="fit")
    async def follow_evaluation(self, job: CalibrationJob) -> None:
        """Say how far the evaluation is, then show it above the figures."""
        await job.start()
        async for progress in job:
            self._say(progress_words(progress))
        self._job = None
        self._evaluation = job.result or {}
        self._say(job.why)
        if job.result:
            self.body.scroll_home(animate=False)

    @work(exclusive=True, group="stop")
    async def stop_job(self, job: FitJob | CalibrationJob) -> None:
        """Stop the task, and wait until its process is gone."""
        await job.cancel()

    def _say(self, sentence: str) -> None:
        self._said = sentence
        self.refresh_frame()


def progress_words(progress: JobProgress) -> str:
    """Return where a fit stands."""
    said = _("Fitting {stage}: step {step} of at most {most}, log loss {loss:.4f}")
    return said.format(
        stage=_(STAGES[progress.stage]), step=progress.iteration, most=progress.iterations, loss=progress.log_loss
    )


def verdict_lines(verdict: Verdict, adopted: bool) -> tuple[str, ...]:
    """Return a fit's verdict, its first line saying what became of it."""
    head = (
        _("The memory model was fitted to you and is in use; `tutor fit --undo` takes it back.")
        if adopted
        else _("The memory model stays as it was.")
    )
    return head, *words(verdict)
