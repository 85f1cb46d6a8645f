"""One run of an experiment with all that was shown: the value an export is written from, and its JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from tutor.content.experiments import Bet, Experiment
from tutor.content.runs import RunResult
from tutor.lab.recording import Recording
from tutor.learning.bets import bet_holds

SCHEMA = 1


@dataclass(frozen=True)
class Sheet:
    """A run with its bet, as it was made on `day` (study day, ISO)."""

    experiment: Experiment
    day: str
    result: RunResult
    recording: Recording
    bet: Bet | None = None
    wager: Any = None

    @property
    def bet_right(self) -> bool | None:
        """Whether the bet held; None without a bet or a measurement."""
        measured = self.result.measured(self.bet.metric) if self.bet else None
        if self.bet is None or self.wager is None or measured is None:
            return None
        return bet_holds(self.bet, self.wager, measured)


def run_json(sheet: Sheet) -> str:
    """Return the run as one JSON document: what was bet, what theory says, what was measured, curves and tables."""
    result, recording = sheet.result, sheet.recording
    document = {
        "schema": SCHEMA,
        "experiment": sheet.experiment.id,
        "version": result.version,
        "title": sheet.experiment.title,
        "question": sheet.experiment.question,
        "day": sheet.day,
        "torch": result.torch,
        "device": result.device,
        "params": dict(result.params),
        "bet": sheet.bet
        and {
            "question": sheet.bet.question,
            "metric": sheet.bet.metric,
            "wager": sheet.wager,
            "right": sheet.bet_right,
        },
        "theory": [asdict(prediction) for prediction in result.predictions],
        "measures": [asdict(measure) for measure in result.measures],
        "claims": [asdict(claim) for claim in result.claims],
        "series": {name: asdict(curve) for name, curve in recording.curves.items()},
        "tables": recording.tables,
        "notes": recording.notes,
        "ending": result.ending,
        "sentence": result.sentence,
        "seconds": result.seconds,
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
