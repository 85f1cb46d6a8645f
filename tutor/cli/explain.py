"""`tutor explain FILE.py`: where the memory of a learner's own training step goes, with three bets on it."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from tutor.cli.context import CANNOT, CRASHED, OK, USAGE, Common, common, fail, print_json
from tutor.content.experiments import Experiment, Parameter
from tutor.content.model import Scalar
from tutor.content.runs import RunResult
from tutor.lab.catalogue import why_not
from tutor.lab.recording import Recording
from tutor.lab.supervisor import Supervisor
from tutor.paths import resources
from tutor.plain.lines import EndOfInput, Lines
from tutor.study import wording
from tutor.study.tables import table_lines
from tutor.ui.widgets.curve import Series, chart

LIMIT_S = 300.0
_EXIT = {"passed": OK, "unavailable": CANNOT, "refused": USAGE, "cancelled": 130}
_CHANGES = {
    "checkpointing": "checkpointing the repeated blocks",
    "bf16": "everything in bf16",
    "sgd": "plain SGD",
    "fsdp": "sharding over {ranks} ranks",
    "none": "none of these",
}


@dataclass(frozen=True)
class Asked:
    """One question about the model: its choices by key, and the key that came true."""

    question: str
    choices: Mapping[str, str]
    answer: str


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--ranks",
    type=click.IntRange(1, 4096),
    default=8,
    show_default=True,
    help="GPUs that would share weights, gradients and state.",
)
@click.option("--timeout", type=click.FloatRange(min=0.1), help="Seconds the run may take.")
@common
def explain(shared: Common, file: Path, ranks: int, timeout: float | None) -> None:
    """Show where the memory of a training step of your own goes.

    FILE defines model() and batch(), and may define optimizer(parameters) and loss(output, batch). Without loss(), model is called with
    what batch() returns and the mean of the squared output goes backward; with it, batch() returns (inputs, targets). Its code is run in a
    process of its own, with your rights: naming the file is your consent. Tensors hold no data, so a large model needs no memory.
    """
    if not file.is_file():
        fail(f"{file}: there is no such file; name a Python file that defines model() and batch().", USAGE)
    experiment = _experiment()
    reason = why_not(experiment)
    if reason:
        fail(reason, CANNOT)
    click.echo(f"{file}: running it with fake tensors, four times over", err=True)
    try:
        result, said = asyncio.run(_run(experiment, {"file": str(file.resolve()), "ranks": ranks}, timeout or LIMIT_S))
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    if not result.completed:
        fail(result.sentence, _EXIT.get(result.ending, CRASHED))
    if shared.json:
        print_json(document(file, ranks, result, said))
        return
    questions = questions_of(result, ranks)
    lines = Lines()
    bets = _bets(lines, questions) if sys.stdin.isatty() else None
    _tell(lines, result, said)
    for number, asked in enumerate(questions, start=1):
        bet = f"you bet {asked.choices[bets[number - 1]]}; " if bets else ""
        lines.say(f"{number}. {asked.question} {bet}measured: {asked.choices[asked.answer]}.")


def questions_of(result: RunResult, ranks: int) -> list[Asked]:
    """Return the three questions about this model, with what the runs answered."""
    changes = [name for name in _CHANGES if name == "none" or result.measured(f"peak, {name}") is not None]
    return [
        Asked(
            "In which phase does the step reach its peak?",
            {"forward": "forward", "backward": "backward", "step": "the optimizer's step"},
            str(result.measured("phase")),
        ),
        Asked(
            "Which category is largest at the peak?",
            {
                "parameter": "parameters",
                "gradient": "gradients",
                "optimizer-state": "optimizer state",
                "activation": "activations",
                "other": "buffers and the batch",
            },
            str(result.measured("largest category")),
        ),
        Asked(
            "Which change lowers the peak most?",
            {name: _CHANGES[name].format(ranks=ranks) for name in changes},
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


def _tell(lines: Lines, result: RunResult, said: Recording) -> None:
    width = min(100, shutil.get_terminal_size().columns)
    curves = [Series(curve.title, tuple(curve.xs), tuple(curve.ys)) for curve in said.curves.values()]
    click.echo("\n".join(chart(curves, width, 4 * len(curves))))
    lines.say("")
    peak = wording.quantity(result.measured("peak"), "B")
    phase = {"step": "the optimizer's step"}.get(str(result.measured("phase")), str(result.measured("phase")))
    lines.say(
        f"Peak {peak} in {phase}, at {result.measured('operation at the peak')}, "
        f"whose largest new tensor is {result.measured('tensor at the peak')}."
    )
    for rows in said.tables.values():
        click.echo("\n" + "\n".join(table_lines([_row(row) for row in rows], width)))
    lines.say("", *said.notes, "")


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its bytes in words and its shares in per cent."""
    shares = {key: f"{row[key]:.0%}" for key in ("share", "of_peak") if key in row}
    return {**row, "bytes": wording.quantity(row["bytes"], "B"), **shares}


def _bets(lines: Lines, questions: list[Asked]) -> list[str] | None:
    """Ask the three questions before anything is shown; None where the input ends."""
    given = []
    try:
        for asked in questions:
            lines.say("", asked.question)
            lines.options(asked.choices.values())
            keys = list(asked.choices)
            while not (line := lines.ask("your bet")).isdigit() or not 1 <= int(line) <= len(keys):
                lines.say(f"Type a number from 1 to {len(keys)}.")
            given.append(keys[int(line) - 1])
    except EndOfInput:
        return None
    lines.say("")
    return given


async def _run(experiment: Experiment, params: Mapping[str, Scalar], limit_s: float) -> tuple[RunResult, Recording]:
    supervisor, said = Supervisor(resources("experiments").parent), Recording()
    try:
        motion = supervisor.run(experiment, params, timeout_s=limit_s)
        async for message in motion:
            said.hear(message)
        return motion.result, said
    finally:
        await supervisor.close()


def _experiment() -> Experiment:
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
