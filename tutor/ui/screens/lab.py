"""The lab: every experiment by family, what it shows, how long it takes, and when it was last run here."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tutor.content.experiments import Experiment
from tutor.i18n import _
from tutor.lab.catalogue import why_not
from tutor.study import showing, wording
from tutor.study.desk import Desk
from tutor.ui.actions import hints
from tutor.ui.screens.decks import under
from tutor.ui.theme import QUIET, STRONG
from tutor.ui.widgets.choices import Choices
from tutor.ui.widgets.frame import FrameScreen
from tutor.ui.wrapping import APART

ID = 20
"""Columns of an experiment's name where its figures stand beside it."""


class LabScreen(FrameScreen):
    """A list to choose an experiment from; `concept` narrows it to what shows that concept."""

    def __init__(self, concept: str = "", item: str = "") -> None:
        super().__init__()
        self._concept, self._item = concept, item
        self._fault = ""

    def compose_body(self) -> ComposeResult:
        """Add the list."""
        yield Choices(id="experiments", markup=False)

    def on_mount(self) -> None:
        """Fill the list and put the cursor on its first experiment."""
        self.refresh_frame()
        self.query_one(Choices).focus()

    def on_screen_resume(self) -> None:
        """Coming back from an experiment, its last run has changed."""
        self.refresh_frame()

    def refresh_frame(self) -> None:
        """Paint place and keys, and write the list anew at the present width, the cursor where it was."""
        if self.is_mounted:
            self.query_one(Choices).fill(rows(self.app.desk, self._concept, max(30, self.size.width - 8)))
            keys = _("↑ ↓ choose") + APART + hints(("open", "explain", "back", "help"))
            self.show(self._place, Content(""), "\n".join(line for line in (self._fault, keys) if line))

    @property
    def _place(self) -> str:
        concept = self.app.desk.library.concepts.get(self._concept)
        return f"{_('lab')} › {concept.title}" if concept else _("lab")

    def action_open(self) -> None:
        """Open the experiment under the cursor."""
        options = self.query_one(Choices)
        if options.highlighted is not None:
            self._open(options.get_option_at_index(options.highlighted).id)

    def action_explain(self) -> None:
        """Ask for a file of the learner's own, and run it: naming it is the consent."""

        def named(path: str | None) -> None:
            file = Path(path or "").expanduser()
            fault = not_a_file(file) if path else ""
            if fault:
                self._fault = fault
                self.refresh_frame()
            elif path:
                self.app.push_screen(ExplainScreen(file))

        from tutor.study.explaining import not_a_file
        from tutor.ui.screens.explain import ExplainScreen
        from tutor.ui.screens.note import NoteScreen

        self.app.push_screen(
            NoteScreen(_("Which file defines model() and batch()? It will be run with your rights."), "run"), named
        )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the experiment chosen by a key or the mouse."""
        self._open(event.option_id)

    def _open(self, id: str | None) -> None:
        if id is not None:
            self.app.show_experiment(self.app.desk.catalogue[id], self._item)


def rows(desk: Desk, concept: str, width: int) -> list[Option]:
    """Return the list: a line for each family, then its experiments. Where none shows the concept, all of them."""
    every = list(desk.catalogue.values())
    shown = [experiment for experiment in every if concept in experiment.concepts] if concept else every
    last = {run.payload["experiment"]: run for run in desk.store.runs()}
    options: list[Option] = []
    for family, members in groupby(shown or every, key=lambda experiment: experiment.family):
        options.append(Option(Content.styled(showing.family_words(family), STRONG), disabled=True))
        for experiment in members:
            run = last.get(experiment.id)
            ran = (
                _("never run here") if run is None else _("last run {day}").format(day=wording.short_day(run.study_day))
            )
            held = (
                {"passed": " " + showing.held(True), "failed": " " + showing.held(False)}.get(run.payload["ending"], "")
                if run
                else ""
            )
            options.append(Option(_row(experiment, ran + held, width), id=experiment.id))
    return options


def _row(experiment: Experiment, ran: str, width: int) -> Content:
    reason = why_not(experiment)
    about = _("about {seconds} s").format(seconds=wording.number(experiment.seconds)) + f" · {ran}"
    about = _("cannot run here: {reason}").format(reason=reason) if reason else about
    beside = len(experiment.id) <= ID and 2 + ID + len(about) <= width
    head = f" {experiment.id:<{ID}} " if beside else f" {experiment.id}\n"
    return Content.assemble(
        (head, STRONG), (about if beside else under(about, width), QUIET), "\n" + under(experiment.shows, width)
    )
