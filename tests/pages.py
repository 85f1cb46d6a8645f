"""Writes the pages of `docs/` that list what the product holds: `python -m tests.pages docs`. A test compares them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path

from tutor.content.experiments import Experiment
from tutor.lab.catalogue import load_catalogue
from tutor.paths import resources

HEAD = """# The experiments

Each runs from the lab (`l`), after a miss, as `tutor lab run ID`, or alone from a clone with `python -m`. Bytes, FLOPs, counts and phases are claimed
and repeat to the last digit; wall time is shown and never claimed. Measured on CPU builds of torch 2.13; untested on CUDA, macOS and Windows.
A run whose claims do not hold says *not shown on this machine*. This page is written by `make docs`.
"""


def experiments_page(catalogue: Mapping[str, Experiment]) -> str:
    """Return the page that lists every experiment by family, with its bets."""
    parts = [HEAD]
    for family, members in groupby(catalogue.values(), key=lambda experiment: experiment.family):
        parts.append(f"## {family.replace('_', ' ').capitalize()}\n")
        parts += [_entry(experiment) for experiment in members]
    return "\n".join(parts)


def _entry(experiment: Experiment) -> str:
    bets = "\n".join(f"- {bet.question}" for bet in experiment.bets.values())
    head = f"### `{experiment.id}`: {experiment.title}\n\n{experiment.shows} About {experiment.seconds:g} s warm; `python -m {experiment.module}`."
    return f"{head}\n\nBets:\n\n{bets}\n"


PAGES = {"experiments.md": lambda: experiments_page(load_catalogue(resources("experiments"))[0])}


def main(folder: Path) -> None:
    """Write every page."""
    for name, page in PAGES.items():
        (folder / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
