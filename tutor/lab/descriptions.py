"""Reads the descriptions of the experiments, `experiments/*/NAME.toml`, into values. A broken file is reported, the rest load."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tutor.content.experiments import Bet, Experiment, Flip, Observation, Parameter
from tutor.content.model import Problem
from tutor.content.source import Source, read_toml
from tutor.content.text import normal


def read_descriptions(root: Path) -> tuple[dict[str, Experiment], list[Problem]]:
    """Return the experiments below `root` by id, in the order of their folders, and what is wrong with their files."""
    found: dict[str, Experiment] = {}
    problems: list[Problem] = []
    for path in sorted(root.glob("*/*.toml")):
        if "." in path.stem:
            continue  # an overlay
        source = read_toml(path)
        if not source.problems:
            try:
                experiment = _experiment(path, source.values)
                _check(source, experiment, found)
                found.setdefault(experiment.id, experiment)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                source.complain(1, f"lacks or misstates {error}; compare it with another experiment's file.")
        problems += source.problems
    return found, problems


def _check(source: Source, experiment: Experiment, found: Mapping[str, Experiment]) -> None:
    """Complain about an id used twice, a default out of its own range, and a description without its experiment."""
    if experiment.id in found:
        source.complain(
            1, f"id {experiment.id!r} is already used by {found[experiment.id].source}; give one of them another."
        )
    if not Path(experiment.source).exists():
        source.complain(1, f"{Path(experiment.source).name} is not beside it; write it or remove the description.")
    for name, parameter in experiment.parameters.items():
        fault = parameter.fault(parameter.default)
        if fault:
            source.complain(source.table(f"parameters.{name}"), f"the default {fault}")


def _experiment(path: Path, values: Mapping[str, Any]) -> Experiment:
    seen = values.get("observation")
    return Experiment(
        id=values["id"],
        version=values["version"],
        title=normal(values["title"]),
        question=normal(values["question"]),
        shows=normal(values["shows"]),
        family=values["family"],
        module=f"experiments.{path.parent.name}.{path.stem}",
        concepts=tuple(values["concepts"]),
        myths=tuple(values.get("myths", ())),
        seconds=float(values["seconds"]),
        explanation=normal(values["explanation"]),
        parameters={name: _parameter(name, table) for name, table in values.get("parameters", {}).items()},
        bets={bet["id"]: _bet(bet) for bet in values.get("bets", ())},
        observation=Observation(normal(seen["question"]), seen["metric"], seen["choices"]) if seen else None,
        flips=tuple(_flip(flip) for flip in values.get("flips", ())),
        variations=tuple(table["set"] for table in values.get("variations", ())),
        source=str(path.with_suffix(".py")),
        look_at=tuple(values.get("look_at", ())),
        needs=tuple(values.get("needs", ())),
    )


def _parameter(name: str, table: Mapping[str, Any]) -> Parameter:
    return Parameter(
        name=name,
        type=table["type"],
        default=table["default"],
        title=table.get("title", ""),
        min=table.get("min"),
        max=table.get("max"),
        choices=tuple(table.get("choices", ())),
        unit=table.get("unit", ""),
    )


def _bet(table: Mapping[str, Any]) -> Bet:
    return Bet(
        id=table["id"],
        kind=table["kind"],
        question=normal(table["question"]),
        metric=table["metric"],
        choices=table.get("choices", {}),
        unit=table.get("unit", ""),
        tolerance=float(table.get("tolerance", 0.1)),
    )


def _flip(table: Mapping[str, Any]) -> Flip:
    return Flip(
        bet=table["for"],
        set=table.get("set", {}),
        question=normal(table["question"]),
        choices=table["choices"],
        answer=table["answer"],
        why=normal(table["why"]),
    )
