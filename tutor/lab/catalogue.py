"""The catalogue: what the tutor knows of each experiment without torch, and whether it can run here."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from tutor.content import rows
from tutor.content.experiments import Catalogue, Experiment
from tutor.content.kept import Kept, stamp_of
from tutor.content.model import BASE, UNREAD, Problem
from tutor.i18n import _

FORKS = sys.platform == "linux"
"""Whether a process that has loaded torch can be forked safely."""

Found = tuple[dict[str, Experiment], list[Problem]]
_read_found: Callable[[Any], Found] = rows.together(rows.named(rows.read_experiment), rows.listed(rows.read_problem))


def load_catalogue(root: Path, lang: str = BASE, kept: Kept | None = None) -> tuple[Catalogue, tuple[Problem, ...]]:
    """Return the experiments below `root` by id in `lang`, in the order of their folders, and what is wrong with their files.

    They are taken from `kept` where no file of theirs has changed; what is read anew is there for the caller to save.
    """

    def make() -> Found:
        from tutor.lab.descriptions import read_descriptions

        return read_descriptions(root)

    kept = kept or Kept()
    folders = [place for place in root.iterdir() if place.is_dir()] if root.is_dir() else []
    found, problems = kept.get(str(root), stamp_of(folders, (".toml", ".py")), _read_found, make, _lasting)
    return in_language(found, lang), tuple(problems)


def in_language(catalogue: Catalogue, lang: str) -> Catalogue:
    """Return the catalogue in `lang`. An overlay is opened when its experiment is looked at first, so a start opens none."""
    if lang == BASE:
        return catalogue
    from tutor.content.spoken import spoken

    return spoken(catalogue, lang)


def _lasting(found: Found) -> bool:
    """Whether reading the same files again would give the same."""
    return all(problem.rule != UNREAD for problem in found[1])


@cache
def torch_is_here() -> bool:
    """Whether torch is installed; every folder that Python imports from is asked, so it is asked once."""
    return importlib.util.find_spec("torch") is not None


def why_not(experiment: Experiment) -> str:
    """Return why an experiment cannot run here, in one sentence; empty where it can."""
    if not torch_is_here():
        said = _("{experiment} needs {module}, which is not installed; `pip install {module}` brings it.")
        return said.format(experiment=experiment.id, module="torch")
    if "fork" in experiment.needs and not FORKS:
        said = _("{experiment} forks its processes, which torch is safe with on Linux alone; run it on Linux.")
        return said.format(experiment=experiment.id)
    if "gloo" in experiment.needs and not _loopback():
        said = _(
            "{experiment} joins processes over the loopback interface, which is not up here; `ip link set lo up` starts it."
        )
        return said.format(experiment=experiment.id)
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
