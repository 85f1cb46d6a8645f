"""Commands about experiments: list them, run one."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import click

from tutor.cli.context import CANNOT, CRASHED, NOT_IN_ORDER, OK, USAGE, Common, common, fail, print_json
from tutor.config import load_config
from tutor.content.experiments import Experiment
from tutor.content.model import Scalar
from tutor.content.runs import RunResult
from tutor.i18n import _
from tutor.lab import glossary
from tutor.lab.catalogue import load_catalogue, why_not
from tutor.lab.messages import Message
from tutor.lab.recording import Recording
from tutor.lab.supervisor import Supervisor
from tutor.learning.studyday import study_day
from tutor.paths import Home, resources
from tutor.report.run import Sheet
from tutor.study import showing, wording
from tutor.study.run_files import SUFFIXES, write_run_file
from tutor.study.tables import table_lines

_EXIT = {"passed": OK, "failed": NOT_IN_ORDER, "unavailable": CANNOT, "refused": USAGE, "cancelled": 130}


@click.group()
def lab() -> None:
    """List the experiments, or run one."""


@lab.command("list")
@click.option("--ids", is_flag=True, help="Only the ids, one a line.")
@common
def list_(shared: Common, ids: bool) -> None:
    """The experiments, with what each shows."""
    catalogue = _catalogue(shared)
    if ids:
        click.echo("\n".join(catalogue))
        return
    if shared.json:
        print_json([_summary(experiment) for experiment in catalogue.values()])
        return
    for experiment in catalogue.values():
        reason = why_not(experiment)
        about = _("about {seconds} s").format(seconds=wording.number(experiment.seconds))
        click.echo(f"{experiment.id:<18} {showing.family_words(experiment.family):<16} {about}  {experiment.shows}")
        if reason:
            click.echo(f"{'':<18} {_('cannot run here: {reason}').format(reason=reason)}")


@lab.command()
@click.argument("id")
@click.option("--set", "changes", multiple=True, metavar="K=V", help="Change a parameter; may be repeated.")
@click.option("--memory-mb", type=click.IntRange(min=64), help="Memory the run may use above the warm worker.")
@click.option("--timeout", type=click.FloatRange(min=0.1), help="Seconds the run may take.")
@click.option(
    "--export", type=click.Path(path_type=Path, dir_okay=False), help="Write the run to FILE.json or FILE.svg."
)
@common
def run(
    shared: Common,
    id: str,
    changes: tuple[str, ...],
    memory_mb: int | None,
    timeout: float | None,
    export: Path | None,
) -> None:
    """Run one experiment: exit 0 if every claim held, 1 if one did not, 3 if it crashed, 4 if it cannot run here."""
    experiment = _catalogue(shared).get(id)
    if experiment is None:
        fail(_("There is no experiment {id!r}; `tutor lab list` lists them.").format(id=id), USAGE)
    params = dict(_setting(experiment, change) for change in changes)
    if export and export.suffix.lower() not in SUFFIXES:
        said = _("--export {file}: name a file that ends in {suffixes}.")
        fail(said.format(file=export.name, suffixes=_(" or ").join(SUFFIXES)), USAGE)
    reason = why_not(experiment)
    if reason:
        fail(reason, CANNOT)
    try:
        result, recording = asyncio.run(_run(experiment, params, shared.json, memory_mb, timeout))
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    if export and result.completed:
        write_run_file(Sheet(experiment, _today(shared), result, recording), export)
        click.echo(_("Written: {file}").format(file=export), err=True)
    if result.sentence:
        click.echo(f"tutor: {_(result.sentence)}", err=True)
    raise SystemExit(_EXIT.get(result.ending, CRASHED))


async def _run(
    experiment: Experiment, params: Mapping[str, Scalar], as_json: bool, memory_mb: int | None, timeout: float | None
) -> tuple[RunResult, Recording]:
    supervisor = Supervisor(resources("experiments").parent, memory_mb=memory_mb, timeout_s=timeout)
    recording, progress = Recording(), Progress(experiment)
    try:
        motion = supervisor.run(experiment, params)
        async for message in motion:
            recording.hear(message)
            progress.hear(message)
            if as_json:
                click.echo(json.dumps(message.json(), ensure_ascii=False))
            else:
                _tell(experiment, message)
        for rows in () if as_json else recording.tables.values():
            click.echo("\n".join(table_lines(rows, shutil.get_terminal_size().columns)))
        return motion.result, recording
    finally:
        progress.end()
        await supervisor.close()


class Progress:
    """One line on stderr: what runs and for how long. Rewritten in place on a terminal, written once elsewhere."""

    def __init__(self, experiment: Experiment) -> None:
        self._id, self._live = experiment.id, sys.stderr.isatty()
        self._started = self._shown = time.monotonic()
        said = _("starting, about {seconds} s once torch is loaded")
        self._said(said.format(seconds=wording.number(experiment.seconds)))

    def hear(self, message: Message) -> None:
        """Tell a new phase, at most five times a second."""
        now = time.monotonic()
        phase = glossary.said(str(message.fields.get("phase") or message.fields.get("title") or ""))
        if self._live and phase and now - self._shown > 0.2:
            self._shown = now
            self._said(f"{now - self._started:.1f} s, {phase}")

    def end(self) -> None:
        """Leave the line."""
        if self._live:
            click.echo("\r\033[K", nl=False, err=True)

    def _said(self, words: str) -> None:
        click.echo(
            f"\r\033[K{self._id}: {words}" if self._live else f"{self._id}: {words}", nl=not self._live, err=True
        )


def _today(shared: Common) -> str:
    return study_day(shared.clock().now(), load_config(Home.find(shared.home).config).rollover).isoformat()


def _tell(experiment: Experiment, message: Message) -> None:
    fields = message.fields

    def worded(side: str, unit: str = "") -> str:
        return showing.measured_value(experiment, fields["name"], fields[side], unit)

    match message.type:
        case "prediction":
            value = worded("value", str(fields.get("unit", "")))
            click.echo(f"{_('theory'):<9} {glossary.said(fields['name'])}: {fields['op']} {value}")
        case "measure":
            value = worded("value", str(fields.get("unit", "")))
            click.echo(f"{_('measured'):<9} {glossary.said(fields['name'])}: {value}")
        case "claim":
            mark = showing.held(fields["passed"])
            left, right = worded("left"), worded("right")
            click.echo(f"{_('claim'):<9} {glossary.said(fields['name'])}: {left} {fields['op']} {right}  {mark}")
        case "note" | "event":
            click.echo(glossary.said(str(fields.get("text", ""))), err=True)


def _catalogue(shared: Common) -> Mapping[str, Experiment]:
    catalogue, problems = load_catalogue(resources("experiments"), shared.language())
    for problem in problems:
        click.echo(str(problem), err=True)
    return catalogue


def _setting(experiment: Experiment, change: str) -> tuple[str, Scalar]:
    """Read `k=v` as the parameter's type says."""
    name, sign, text = change.partition("=")
    if not sign:
        fail(_("--set {change}: write a parameter as name=value.").format(change=change), USAGE)
    parameter = experiment.parameters.get(name)
    if parameter is None:
        fail(experiment.faults({name: text})[0], USAGE)
    try:
        return name, parameter.read(text)
    except ValueError as fault:
        fail(str(fault), USAGE)


def _summary(experiment: Experiment) -> dict[str, object]:
    reason = why_not(experiment)
    return {
        "id": experiment.id,
        "title": experiment.title,
        "family": experiment.family,
        "concepts": list(experiment.concepts),
        "seconds": experiment.seconds,
        "parameters": [
            {
                "name": p.name,
                "type": p.type,
                "default": p.default,
                "min": p.min,
                "max": p.max,
                "choices": list(p.choices),
                "unit": p.unit,
                "title": p.title,
            }
            for p in experiment.parameters.values()
        ],
        "available": not reason,
        "why_not": reason,
    }
