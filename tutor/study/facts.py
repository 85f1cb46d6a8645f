"""Confirms what decks state: computes their numbers and runs their experiments, each set of parameters once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tutor.content.experiments import Catalogue, Experiment
from tutor.content.facts import by_formula, not_shown, wrong_numbers
from tutor.content.model import ExperimentLink, Item, Problem
from tutor.content.runs import RunResult
from tutor.lab.supervisor import Supervisor

Tell = Callable[[Experiment, int, int], None]
"""Told before each run: the experiment, its place among the runs, and how many there are."""


@dataclass
class Facts:
    """How many items are confirmed and how, and what could not stand."""

    formula: int = 0
    """Items whose number a formula or written arithmetic computes."""
    measurement: int = 0
    """Items whose experiment ran here and showed every claim."""
    both: int = 0
    """Items counted in `formula` and in `measurement`."""
    source: int = 0
    """Items that rest on their source alone."""
    unconfirmed: int = 0
    """Items that something contradicts, or whose experiment cannot run here and that nothing else confirms."""
    runs: int = 0
    problems: list[Problem] = field(default_factory=list)


async def confirm(items: Iterable[Item], catalogue: Catalogue, lab: Supervisor, tell: Tell) -> Facts:
    """Return what of the items is confirmed on this machine. Runs every experiment they name; closes nothing."""
    asked = list(items)
    results = await _results([item.experiment for item in asked if item.experiment], catalogue, lab, tell)
    facts = Facts(runs=len(results))
    for item in asked:
        faults = list(wrong_numbers(item))
        computed, shown, unavailable = by_formula(item), False, False
        if item.experiment:
            result = results[_key(item.experiment)]
            unavailable = result.ending == "unavailable"
            lacking = list(not_shown(item, catalogue[item.experiment.id], result))
            shown = not lacking
            if unavailable:
                facts.problems.append(Problem(item.path, item.line, lacking[0], "facts", "warning"))
            else:
                faults += lacking
        facts.problems += [Problem(item.path, item.line, fault, "facts") for fault in faults]
        _count(facts, computed, shown, bool(faults) or (unavailable and not computed))
    return facts


def _count(facts: Facts, computed: bool, shown: bool, wanting: bool) -> None:
    facts.unconfirmed += wanting
    if not wanting:
        facts.formula += computed
        facts.measurement += shown
        facts.both += computed and shown
        facts.source += not (computed or shown)


async def _results(
    links: Iterable[ExperimentLink], catalogue: Catalogue, lab: Supervisor, tell: Tell
) -> dict[str, RunResult]:
    """Run each experiment once for each set of parameters."""
    wanted = {_key(link): link for link in links}
    results = {}
    for place, (key, link) in enumerate(sorted(wanted.items()), start=1):
        tell(catalogue[link.id], place, len(wanted))
        run = lab.run(catalogue[link.id], link.set)
        async for _ in run:
            pass
        results[key] = run.result
    return results


def _key(link: ExperimentLink) -> str:
    return f"{link.id} {json.dumps(dict(link.set), sort_keys=True)}"
