"""Explaining a learner's own training step: what the lab must know to run it, the three bets on it, and what was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutor.content.experiments import Experiment, Parameter
from tutor.content.runs import RunResult
from tutor.i18n import _, marked
from tutor.lab.recording import Recording
from tutor.study import wording
from tutor.study.tables import table_lines

LIMIT_S = 300.0
_CHANGES = {
    "checkpointing": marked("checkpointing the repeated blocks"),
    "bf16": marked("everything in bf16"),
    "sgd": marked("plain SGD"),
    "fsdp": marked("sharding over {ranks} ranks"),
    "none": marked("none of these"),
}


_PHASES = {"forward": marked("forward"), "backward": marked("backward"), "step": marked("the optimizer's step")}


def phase_words(phase: str) -> str:
    """Return a phase of a step in words."""
    return _(_PHASES.get(phase, phase))


@dataclass(frozen=True)
class Asked:
    """One question about the model: its choices by key, and the key that came true."""

    question: str
    choices: Mapping[str, str]
    answer: str


def explainer() -> Experiment:
    """Return what the supervisor must know; it is in no catalogue, since it needs a file."""
    return Experiment(
        id="explain",
        version=1,
        title="",
        question="",
        shows="",
        family="",
        module="experiments.explain",
        concepts=(),
        myths=(),
        seconds=10,
        explanation="",
        parameters={
            "file": Parameter("file", "choice", ""),
            "ranks": Parameter("ranks", "int", 8, min=1, max=4096),
        },
        bets={},
    )


def not_a_file(file: Path) -> str:
    """Return what to do where there is no such file; empty where there is."""
    said = _("{file}: there is no such file; name a Python file that defines model() and batch().")
    return "" if file.is_file() else said.format(file=file)


def questions_of(result: RunResult, ranks: int) -> list[Asked]:
    """Return the three questions about this model, with what the runs answered."""
    changes = [name for name in _CHANGES if name == "none" or result.measured(f"peak, {name}") is not None]
    return [
        Asked(
            _("In which phase does the step reach its peak?"),
            {name: phase_words(name) for name in _PHASES},
            str(result.measured("phase")),
        ),
        Asked(
            _("Which category is largest at the peak?"),
            {
                "parameter": _("parameters"),
                "gradient": _("gradients"),
                "optimizer-state": _("optimizer state"),
                "activation": _("activations"),
                "other": _("buffers and the batch"),
            },
            str(result.measured("largest category")),
        ),
        Asked(
            _("Which change lowers the peak most?"),
            {name: _(_CHANGES[name]).format(ranks=ranks) for name in changes},
            str(result.measured("saves most")),
        ),
    ]


def document(file: Path, ranks: int, result: RunResult, said: Recording) -> dict[str, Any]:
    """Return all that was found as one JSON value."""
    measured = {measure.name: measure.value for measure in result.measures}
    return {
        "file": str(file),
        "torch": result.torch,
        "ranks": ranks,
        "peak_bytes": measured["peak"],
        "phase": measured["phase"],
        "largest_category": measured["largest category"],
        "operation": measured["operation at the peak"],
        "tensor": measured["tensor at the peak"],
        "at_the_peak": said.tables.get("at the peak", []),
        "changes": said.tables.get("what changes would leave", []),
        "saves_most": measured["saves most"],
        "timeline": {
            name: [
                {"operation": x, "mib": y, "phase": phase}
                for x, y, phase in zip(curve.xs, curve.ys, curve.phases, strict=True)
            ]
            for name, curve in said.curves.items()
        },
        "questions": [
            {"question": asked.question, "choices": dict(asked.choices), "answer": asked.answer}
            for asked in questions_of(result, ranks)
        ],
        "notes": said.notes,
    }


def peak_sentence(result: RunResult) -> str:
    """Return the peak with its phase, its operation and its tensor."""
    peak = wording.quantity(result.measured("peak"), "B")
    at, tensor = result.measured("operation at the peak"), result.measured("tensor at the peak")
    said = _("Peak {peak} in {phase}, at {at}, whose largest new tensor is {tensor}.")
    return said.format(peak=peak, phase=phase_words(str(result.measured("phase"))), at=at, tensor=tensor)


def found_lines(said: Recording, width: int) -> list[str]:
    """Return the tables of what was found as rows of text, an empty line between them."""
    tables = [table_lines([_row(row) for row in rows], width) for rows in said.tables.values()]
    return [line for table in tables for line in ("", *table)][1:]


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its bytes in words and its shares in per cent."""
    shares = {key: f"{row[key]:.0%}" for key in ("share", "of_peak") if key in row}
    return {**row, "bytes": wording.quantity(row["bytes"], "B"), **shares}
