"""The experiments there are, read from their NAME.toml without loading torch: a list must not cost two seconds."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from tutor.content.experiments import Experiment
from tutor.content.model import Problem
from tutor.content.source import read_toml
from tutor.lab.description import parse_experiment
from tutor.lab.endings import NO_TORCH
from tutor.lab.overlay import translate


def load_catalogue(root: Path, lang: str = "en") -> tuple[dict[str, Experiment], tuple[Problem, ...]]:
    """Return the experiments under the folder `root` by id, in file order, and what is wrong with others."""
    catalogue: dict[str, Experiment] = {}
    problems: list[Problem] = []
    for path in sorted(root.glob("*/*.toml")):
        if "." in path.stem:
            continue
        source = read_toml(path)
        script = path.with_suffix(".py")
        experiment = None
        if not source.problems:
            experiment = parse_experiment(source, f"{root.name}.{path.parent.name}.{path.stem}", str(script))
        if experiment and not script.is_file():
            source.complain(1, f"there is no {script.name} beside it; write the experiment or remove this file.")
        elif experiment and experiment.id in catalogue:
            other = catalogue[experiment.id].source
            source.complain(source.key("id", 1), f"id {experiment.id!r} is taken by {other}; choose another.")
        elif experiment:
            catalogue[experiment.id], wording = _in_language(experiment, path, lang)
            problems += wording
        problems += source.problems
    return catalogue, tuple(problems)


def why_not(experiment: Experiment) -> str:
    """Return the sentence that says why `experiment` cannot run here, or '' where it can."""
    return NO_TORCH if importlib.util.find_spec("torch") is None else ""


def _in_language(experiment: Experiment, path: Path, lang: str) -> tuple[Experiment, list[Problem]]:
    overlay = path.with_name(f"{path.stem}.{lang}.toml")
    if not overlay.is_file():
        return experiment, []
    source = read_toml(overlay)
    if not source.problems:
        experiment = translate(experiment, source)
    return experiment, source.problems
