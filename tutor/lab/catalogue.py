"""The catalogue: every `experiments/*/NAME.toml` read into values, without torch. A broken file is reported, the rest load."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tutor.content.experiments import Bet, Experiment, Flip, Observation, Parameter
from tutor.content.model import Problem
from tutor.content.source import Source, read_toml
from tutor.content.text import normal

FORKS = sys.platform == "linux"
"""Whether a process that has loaded torch can be forked safely."""


def load_catalogue(root: Path, lang: str = "en") -> tuple[dict[str, Experiment], tuple[Problem, ...]]:
    """Return the experiments below `root` by id, in the order of their folders, and what is wrong with their files."""
    found: dict[str, Experiment] = {}
    problems: list[Problem] = []
    for path in sorted(root.glob("*/*.toml")):
        if "." in path.stem:
            continue  # an overlay
        source = read_toml(path)
        if not source.problems:
            words = (
                read_toml(path.with_suffix(f".{lang}.toml")).values
                if path.with_suffix(f".{lang}.toml").exists()
                else {}
            )
            try:
                experiment = _experiment(path, source.values, words)
                _check(source, experiment, found)
                found.setdefault(experiment.id, experiment)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                source.complain(1, f"lacks or misstates {error}; compare it with another experiment's file.")
        problems += source.problems
    return found, tuple(problems)


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


def why_not(experiment: Experiment) -> str:
    """Return why an experiment cannot run here, in one sentence; empty where it can."""
    if importlib.util.find_spec("torch") is None:
        return f"{experiment.id} needs torch, which is not installed; `pip install torch` brings it."
    if "fork" in experiment.needs and not FORKS:
        return f"{experiment.id} forks its processes, which torch is safe with on Linux alone; run it on Linux."
    if "gloo" in experiment.needs and not _loopback():
        return f"{experiment.id} joins processes over the loopback interface, which is not up here; `ip link set lo up` starts it."
    return ""


def _loopback() -> bool:
    """Whether this machine reaches itself; asks for a route and sends nothing."""
    import socket

    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("127.0.0.1", 9))
    except OSError:
        return False
    return True


def _experiment(path: Path, values: Mapping[str, Any], words: Mapping[str, Any]) -> Experiment:
    def text(key: str) -> str:
        return normal(str(words.get(key, values[key])))

    spoken = words.get("bets", {})  # an overlay may write [bets.ID] tables, or [[bets]] with ids
    said = spoken if isinstance(spoken, dict) else {bet["id"]: bet for bet in spoken}
    bets = {bet["id"]: _bet(bet, said.get(bet["id"], {})) for bet in values.get("bets", [])}
    seen, seen_words = values.get("observation"), words.get("observation", {})
    flips = list(zip(values.get("flips", []), [*words.get("flips", []), *[{}] * 99], strict=False))
    return Experiment(
        id=values["id"],
        version=values["version"],
        title=text("title"),
        question=text("question"),
        shows=text("shows"),
        family=values["family"],
        module=f"experiments.{path.parent.name}.{path.stem}",
        concepts=tuple(values["concepts"]),
        myths=tuple(values.get("myths", ())),
        seconds=float(values["seconds"]),
        explanation=text("explanation"),
        parameters={name: _parameter(name, table) for name, table in values.get("parameters", {}).items()},
        bets=bets,
        observation=_observation(seen, seen_words) if seen else None,
        flips=tuple(_flip(flip, other) for flip, other in flips),
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


def _bet(table: Mapping[str, Any], words: Mapping[str, Any]) -> Bet:
    return Bet(
        id=table["id"],
        kind=table["kind"],
        question=normal(words.get("question", table["question"])),
        metric=table["metric"],
        choices={**table.get("choices", {}), **words.get("choices", {})},
        unit=table.get("unit", ""),
        tolerance=float(table.get("tolerance", 0.1)),
    )


def _observation(table: Mapping[str, Any], words: Mapping[str, Any]) -> Observation:
    return Observation(
        normal(words.get("question", table["question"])),
        table["metric"],
        {**table["choices"], **words.get("choices", {})},
    )


def _flip(table: Mapping[str, Any], words: Mapping[str, Any]) -> Flip:
    return Flip(
        bet=table["for"],
        set=table.get("set", {}),
        question=normal(words.get("question", table["question"])),
        choices={**table["choices"], **words.get("choices", {})},
        answer=table["answer"],
        why=normal(words.get("why", table["why"])),
    )
