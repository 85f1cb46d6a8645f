"""Unseen questions without end: fresh numbers of a family, or an experiment with other parameters.

A generated transfer is asked once and never scheduled: it makes no card, so the daily load stays bounded.
"""

from __future__ import annotations

from dataclasses import replace

from tutor.content.experiments import Catalogue
from tutor.content.model import ExperimentLink, Item, Library
from tutor.i18n import _


def generate_transfer(item: Item, number: int, library: Library, catalogue: Catalogue) -> Item | None:
    """Return the `number`th generated transfer (from 1) of `item`, or None where its concept has neither family nor experiment."""
    id = f"{item.id}~{number}"
    numeric = _numeric_base(item, library)
    if numeric is not None:
        return replace(numeric, id=id, transfer_of=item.id, experiment=None, scheduled=False)
    return _prediction(item, id, number, library, catalogue)


def _numeric_base(item: Item, library: Library) -> Item | None:
    """Return a question with a family on the same concept, to be asked with fresh numbers; the item's own family first."""
    if item.family:
        return item
    from tutor.content.families import FAMILIES  # sixty closed forms, loaded with the first that is asked

    numeric = [other for other in library.items.values() if other.family and not other.sealed]
    kin = [other for other in numeric if FAMILIES[other.family].concept == item.concept]
    same = [other for other in numeric if other.concept == item.concept]
    return next(iter([*same, *kin]), None)


def _prediction(item: Item, id: str, number: int, library: Library, catalogue: Catalogue) -> Item | None:
    myths = [library.myths[id] for id in item.myths if id in library.myths]
    myth = next((belief for belief in myths if belief.experiment), None)
    link = item.experiment or (myth.experiment if myth else None)
    experiment = catalogue.get(link.id) if link else None
    if link is None or experiment is None or not experiment.variations:
        return None
    bases = [
        o
        for o in library.items.values()
        if o.kind == "predict"
        and o.experiment
        and o.experiment.id == experiment.id
        and o.id != item.id
        and not o.sealed
    ]
    if not bases:
        return None
    base = bases[number % len(bases)]
    assert base.experiment is not None
    changed = experiment.variations[number % len(experiment.variations)]
    told = ", ".join(f"{name} = {value}" for name, value in changed.items())
    stem = _("{stem} (this time with {changes})").format(stem=base.stem, changes=told)
    return replace(
        base,
        id=id,
        stem=stem,
        transfer_of=item.id,
        experiment=ExperimentLink(experiment.id, dict(changed), base.experiment.bet),
        scheduled=False,
    )
