"""Commands about experiments: list them, run one."""

from __future__ import annotations

import asyncio
import json
import tomllib
from collections.abc import Mapping

import click

from tutor.cli.context import CANNOT, CRASHED, NOT_IN_ORDER, OK, USAGE, Common, common, fail, print_json
from tutor.config import load_config
from tutor.content.experiments import Experiment
from tutor.content.model import Scalar
from tutor.content.runs import RunResult
from tutor.i18n import choose_language
from tutor.lab.catalogue import load_catalogue, why_not
from tutor.lab.messages import Message
from tutor.lab.supervisor import Supervisor
from tutor.paths import Home, resources
from tutor.study import wording

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
        click.echo(
            f"{experiment.id:<18} {experiment.family:<16} about {wording.number(experiment.seconds)} s  {experiment.shows}"
        )
        if reason:
            click.echo(f"{'':<18} cannot run here: {reason}")


@lab.command()
@click.argument("id")
@click.option("--set", "changes", multiple=True, metavar="K=V", help="Change a parameter; may be repeated.")
@click.option("--memory-mb", type=click.IntRange(min=64), help="Memory the run may use above the warm worker.")
@click.option("--timeout", type=click.FloatRange(min=0.1), help="Seconds the run may take.")
@common
def run(shared: Common, id: str, changes: tuple[str, ...], memory_mb: int | None, timeout: float | None) -> None:
    """Run one experiment: exit 0 if every claim held, 1 if one did not, 3 if it crashed, 4 if it cannot run here."""
    experiment = _catalogue(shared).get(id)
    if experiment is None:
        fail(f"There is no experiment {id!r}; `tutor lab list` lists them.", USAGE)
    params = dict(_setting(experiment, change) for change in changes)
    faults = experiment.faults(params)
    if faults:
        fail(faults[0], USAGE)
    reason = why_not(experiment)
    if reason:
        fail(reason, CANNOT)
    try:
        result = asyncio.run(_run(experiment, params, shared.json, memory_mb, timeout))
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    if result.sentence:
        click.echo(f"tutor: {result.sentence}", err=True)
    raise SystemExit(_EXIT.get(result.ending, CRASHED))


async def _run(
    experiment: Experiment, params: Mapping[str, Scalar], as_json: bool, memory_mb: int | None, timeout: float | None
) -> RunResult:
    supervisor = Supervisor(resources("experiments").parent, memory_mb=memory_mb, timeout_s=timeout)
    try:
        click.echo(
            f"{experiment.id}: starting, about {wording.number(experiment.seconds)} s once torch is loaded", err=True
        )
        motion = supervisor.run(experiment, params)
        async for message in motion:
            if as_json:
                click.echo(json.dumps(message.json(), ensure_ascii=False))
            else:
                _tell(message)
        return motion.result
    finally:
        await supervisor.close()


def _tell(message: Message) -> None:
    fields = message.fields
    match message.type:
        case "prediction":
            click.echo(
                f"theory    {fields['name']}: {fields['op']} {wording.quantity(fields['value'], str(fields.get('unit', '')))}"
            )
        case "measure":
            click.echo(f"measured  {fields['name']}: {wording.quantity(fields['value'], str(fields.get('unit', '')))}")
        case "claim":
            mark = "✓ held" if fields["passed"] else f"✗ {wording.NOT_SHOWN}"
            left, right = wording.quantity(fields["left"]), wording.quantity(fields["right"])
            click.echo(f"claim     {fields['name']}: {left} {fields['op']} {right}  {mark}")
        case "note" | "event":
            click.echo(str(fields.get("text", "")), err=True)


def _catalogue(shared: Common) -> Mapping[str, Experiment]:
    lang = choose_language(shared.lang, load_config(Home.find(shared.home).config).lang)
    catalogue, problems = load_catalogue(resources("experiments"), lang)
    for problem in problems:
        click.echo(str(problem), err=True)
    return catalogue


def _setting(experiment: Experiment, change: str) -> tuple[str, Scalar]:
    """Read `k=v`: a TOML value, or the bare word of a choice."""
    name, sign, text = change.partition("=")
    if not sign:
        fail(f"--set {change}: write a parameter as name=value.", USAGE)
    parameter = experiment.parameters.get(name)
    try:
        value: Scalar = tomllib.loads(f"v = {text}")["v"]
    except tomllib.TOMLDecodeError:
        value = text
    if parameter and parameter.type == "float" and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    return name, value


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
