"""`tutor explain FILE.py`: where the memory of a learner's own training step goes, with three bets on it."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import click

from tutor.cli.context import CANNOT, CRASHED, OK, USAGE, Common, common, fail, print_json
from tutor.content.experiments import Experiment
from tutor.content.model import Scalar
from tutor.content.runs import RunResult
from tutor.i18n import _
from tutor.lab import glossary
from tutor.lab.catalogue import why_not
from tutor.lab.recording import Recording
from tutor.lab.supervisor import Supervisor
from tutor.paths import resources
from tutor.plain.lines import EndOfInput, Lines
from tutor.study.explaining import (
    LIMIT_S,
    Asked,
    document,
    explainer,
    found_lines,
    not_a_file,
    peak_sentence,
    questions_of,
)
from tutor.ui.widgets.curve import Series, chart

_EXIT = {"passed": OK, "unavailable": CANNOT, "refused": USAGE, "cancelled": 130}


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
    fault = not_a_file(file)
    if fault:
        fail(fault, USAGE)
    experiment = explainer()
    reason = why_not(experiment)
    if reason:
        fail(reason, CANNOT)
    click.echo(_("{file}: running it with fake tensors, four times over").format(file=file), err=True)
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
        measured = asked.choices[asked.answer]
        words = _("You bet {bet}; measured: {measured}.") if bets else _("measured: {measured}.")
        told = words.format(bet=asked.choices[bets[number - 1]] if bets else "", measured=measured)
        lines.say(f"{number}. {asked.question} {told}")


def _tell(lines: Lines, result: RunResult, said: Recording) -> None:
    width = min(100, shutil.get_terminal_size().columns)
    curves = [Series(glossary.said(curve.title), tuple(curve.xs), tuple(curve.ys)) for curve in said.curves.values()]
    click.echo("\n".join(chart(curves, width, 4 * len(curves))))
    lines.say("", peak_sentence(result))
    click.echo("\n" + "\n".join(found_lines(said, width)))
    lines.say("", *map(glossary.said, said.notes), "")


def _bets(lines: Lines, questions: list[Asked]) -> list[str] | None:
    """Ask the three questions before anything is shown; None where the input ends."""
    given = []
    try:
        for asked in questions:
            lines.say("", asked.question)
            lines.options(asked.choices.values())
            keys = list(asked.choices)
            while not (line := lines.ask(_("your bet"))).isdigit() or not 1 <= int(line) <= len(keys):
                lines.say(_("Type a number from 1 to {last}.").format(last=len(keys)))
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
