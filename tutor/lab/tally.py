"""Collects what a run says into its result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tutor.content.experiments import Experiment
from tutor.content.model import Scalar
from tutor.lab.endings import Ending
from tutor.lab.messages import Claim, Measure, Message, Prediction, RunResult


class Tally:
    """What one run has said so far."""

    def __init__(self, experiment: Experiment, params: Mapping[str, Scalar]) -> None:
        self.passed: bool | None = None
        """What `done` said; None until then."""
        self._experiment = experiment
        self._meta: Mapping[str, Any] = {"version": experiment.version, "params": experiment.settings(params)}
        self._seconds: float | None = None
        self._predictions: list[Prediction] = []
        self._measures: list[Measure] = []
        self._claims: list[Claim] = []

    def hear(self, message: Message) -> None:
        """Take in one message."""
        said = message.fields
        match message.type:
            case "meta":
                self._meta = said
            case "prediction":
                more = (str(said.get("unit", "")), str(said.get("source", "")))
                self._predictions.append(Prediction(said["name"], said["op"], said["value"], *more))
            case "measure":
                more = (str(said.get("unit", "")), str(said.get("instrument", "")))
                self._measures.append(Measure(said["name"], said["value"], *more))
            case "claim":
                self._claims.append(Claim(said["name"], said["left"], said["op"], said["right"], said["passed"]))
            case "done":
                # An experiment that says all is well although a claim failed is not believed.
                self.passed = said["passed"] and all(claim.passed for claim in self._claims)
                self._seconds = float(said["seconds"])

    def result(self, ending: Ending, seconds: float) -> RunResult:
        """Return the result; `seconds` is the time it took as seen from here, used where the run did not say."""
        return RunResult(
            ending=ending.word,
            sentence=ending.sentence,
            seconds=seconds if self._seconds is None else self._seconds,
            version=self._meta["version"],
            torch=str(self._meta.get("torch", "")),
            device=str(self._meta.get("device", "")),
            params=self._meta["params"],
            predictions=tuple(self._predictions),
            measures=tuple(self._measures),
            claims=tuple(self._claims),
        )
