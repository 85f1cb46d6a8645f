"""`tutor decks check --facts`: the numbers and experiments that decks state, confirmed on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import click

from tutor.content.experiments import Catalogue, Experiment
from tutor.content.lint import folders_of
from tutor.content.load import load_library
from tutor.content.model import Item
from tutor.i18n import _
from tutor.lab.supervisor import Supervisor
from tutor.paths import resources
from tutor.study.facts import Facts, confirm

PATIENCE_S = 300.0
"""Seconds a run may take here: nobody waits at a question, and a busy machine refutes nothing."""


def check_facts(roots: Sequence[Path], catalogue: Catalogue) -> Facts:
    """Return what is confirmed of the decks at or below `roots`; tells on stderr which experiment runs."""
    library = load_library(folders_of(roots), "en", catalogue)
    within = [item for item in library.items.values() if _below(item, roots)]
    try:
        return asyncio.run(_confirm(within, catalogue))
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def summary(facts: Facts) -> str:
    """Return the counts in one sentence."""
    total = facts.formula + facts.measurement - facts.both + facts.source + facts.unconfirmed
    said = _(
        "{total} items: {formula} confirmed by formula, {measurement} by measurement in {runs} runs ({both} by both), "
        "{source} by source only, {unconfirmed} not confirmed."
    )
    return said.format(
        total=total,
        formula=facts.formula,
        measurement=facts.measurement,
        runs=facts.runs,
        both=facts.both,
        source=facts.source,
        unconfirmed=facts.unconfirmed,
    )


async def _confirm(items: Sequence[Item], catalogue: Catalogue) -> Facts:
    lab = Supervisor(resources("experiments").parent, timeout_s=PATIENCE_S)
    try:
        return await confirm(items, catalogue, lab, _tell)
    finally:
        await lab.close()


def _tell(experiment: Experiment, place: int, runs: int) -> None:
    said = _("{place} of {runs}: {experiment}, about {seconds:g} s")
    click.echo(said.format(place=place, runs=runs, experiment=experiment.id, seconds=experiment.seconds), err=True)


def _below(item: Item, roots: Sequence[Path]) -> bool:
    return any(Path(item.path).resolve().is_relative_to(root.resolve()) for root in roots)
