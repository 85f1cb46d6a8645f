"""An experiment taken up freely in the lab: its settings, its bets, and its runs side by side.

No miss led here, so a run moves no card and climbs no ladder; it is kept as a `ran` event, with its bet beside what was
measured, and counts in the report.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from tutor.content.experiments import Bet, Experiment
from tutor.content.model import Scalar
from tutor.content.runs import RunResult
from tutor.i18n import _
from tutor.lab import glossary
from tutor.lab.endings import ending_words
from tutor.lab.messages import Message
from tutor.lab.recording import Recording
from tutor.lab.supervisor import Run
from tutor.learning.bets import bet_holds
from tutor.learning.offers import run_record
from tutor.learning.state import Offer
from tutor.report.run import Sheet
from tutor.store import Stored
from tutor.study import showing, wording
from tutor.study.desk import Desk


@dataclass(frozen=True)
class Column:
    """One run in the comparison: its head, its bet, and its values by measure, all in words."""

    head: str
    changed: str
    bet: str
    values: Mapping[str, str] = field(default_factory=dict)


class Exploration:
    """One experiment open in the lab."""

    def __init__(self, desk: Desk, experiment: Experiment, item: str = "") -> None:
        self.desk, self.experiment, self.item = desk, experiment, item
        self.changed: dict[str, Scalar] = {}
        self.sheets: list[Sheet] = []
        self.recording = Recording()
        self.past = [run for run in desk.store.runs() if run.payload["experiment"] == experiment.id]
        self._run: Run | None = None
        self._bet: tuple[Bet | None, Any] = (None, None)

    @property
    def running(self) -> bool:
        """Whether a run is in motion."""
        return self._run is not None

    @property
    def settings(self) -> dict[str, Scalar]:
        """All parameters as the next run will have them."""
        return self.experiment.settings(self.changed)

    def change(self, typed: Mapping[str, str]) -> str:
        """Take over parameters as typed. Return one sentence where one cannot be used; then nothing is changed."""
        changed: dict[str, Scalar] = {}
        for name, text in typed.items():
            parameter = self.experiment.parameters[name]
            try:
                value = parameter.read(text)
            except ValueError as fault:
                return str(fault)
            if value != parameter.default:
                changed[name] = value
        self.changed = changed
        return ""

    def start(self, bet: Bet | None = None, wager: Any = None) -> None:
        """Begin a run; then iterate `messages()`."""
        self.recording, self._bet = Recording(), (bet, wager)
        self._run = self.desk.lab.run(self.experiment, self.changed)

    async def messages(self) -> AsyncIterator[Message]:
        """Yield what the run says; when it has ended it lies on top of `sheets`, and in the log."""
        run = self._run
        if run is None:
            return
        async for message in run:
            self.recording.hear(message)
            yield message
        if self._run is run:
            self._run = None
            self._keep(run.result)

    async def cancel(self) -> None:
        """Stop the run in motion, if any; the iteration then ends by itself."""
        if self._run is not None:
            await self._run.cancel()

    def columns(self) -> list[Column]:
        """Return the runs to compare, the latest first: those of this visit, then those of earlier days."""
        units = {measure.name: measure.unit for sheet in self.sheets for measure in sheet.result.measures}
        number = len(self.sheets)
        here = [
            _of_sheet(sheet, _("run {number}").format(number=number - n))
            for n, sheet in enumerate(reversed(self.sheets))
        ]
        return here + [_of_past(self.experiment, run, units) for run in reversed(self.past)]

    def _keep(self, result: RunResult) -> None:
        bet, wager = self._bet
        now = self.desk.now()
        day = self.desk.day(now)
        self.sheets.append(Sheet(self.experiment, day, result, self.recording, bet, wager))
        if not result.completed:
            return
        asked = bet or next(iter(self.experiment.bets.values()), None)
        offer = Offer("run", self.experiment, self.changed, asked, None, None, self.item)
        ran = run_record(offer, wager, result, None, miss=None)
        self.desk.store.append("ran", asdict(ran) | {"item": self.item or None}, now, day)


def changes_in_words(experiment: Experiment, params: Mapping[str, Any]) -> str:
    """Return the parameters that differ from the defaults, or `as it comes`."""
    parts = [
        f"{name} {wording.number(value) if isinstance(value, int | float) else value}"
        for name, value in params.items()
        if name in experiment.parameters and value != experiment.parameters[name].default
    ]
    return ", ".join(parts) or _("as it comes")


def _of_sheet(sheet: Sheet, head: str) -> Column:
    result = sheet.result
    if not result.completed:
        return Column(head, changes_in_words(sheet.experiment, result.params), ending_words(result.ending))
    held = {claim.name: claim.passed for claim in result.claims}
    values = {
        glossary.said(m.name): showing.measured_value(sheet.experiment, m.name, m.value, m.unit)
        + _sign(held.get(m.name))
        for m in result.measures
    }
    bet = showing.bet_words(sheet.bet, sheet.wager) + _sign(sheet.bet_right)
    return Column(head, changes_in_words(sheet.experiment, result.params), bet, values)


def _of_past(experiment: Experiment, run: Stored, units: Mapping[str, str]) -> Column:
    data = run.payload
    bet = next((bet for bet in experiment.bets.values() if bet.metric == data["metric"]), None)
    values = {
        glossary.said(claim["name"]): showing.measured_value(
            experiment, claim["name"], claim["left"], units.get(claim["name"], "")
        )
        + _sign(claim["passed"])
        for claim in data["claims"]
    }
    values[glossary.said(data["metric"])] = showing.bet_words(bet, data["measured"])
    right = bet_holds(bet, data["bet"], data["measured"]) if bet and data["bet"] is not None else None
    changed = changes_in_words(experiment, data["params"])
    return Column(wording.short_day(run.study_day), changed, showing.bet_words(bet, data["bet"]) + _sign(right), values)


def _sign(held: bool | None) -> str:
    return {None: "", True: " ✓", False: " ✗"}[held]
