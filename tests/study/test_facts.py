"""Confirming a deck: every experiment once for each set of parameters, every item counted once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any, cast

from tests.support import choice
from tutor.content.model import ExperimentLink, Item
from tutor.content.runs import Claim, RunResult
from tutor.lab.catalogue import load_catalogue
from tutor.lab.supervisor import Supervisor
from tutor.paths import resources
from tutor.study.facts import Facts, confirm

CATALOGUE, _ = load_catalogue(resources("experiments"))


@dataclass
class Ended:
    """A run that says nothing on its way."""

    result: RunResult

    async def __aiter__(self) -> AsyncIterator[object]:
        """Say nothing."""
        for message in ():
            yield message


class Lab:
    """Notes what is asked of it; every run ends as told."""

    def __init__(self, ending: str = "passed") -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.ending = ending

    def run(self, experiment: Any, params: Any) -> Ended:
        """End at once."""
        self.asked.append((experiment.id, dict(params)))
        held = self.ending == "passed"
        return Ended(
            RunResult(self.ending, "" if held else "It cannot.", 1.0, claims=(Claim("less", 1, "<", 2, held),))
        )


def linked(id: str, **changes: Any) -> Item:
    """Return an item that leads to an experiment, without a bet."""
    return replace(choice(id, "rng.replay"), experiment=ExperimentLink("rng-replay", changes))


async def confirmed(lab: Lab, *items: Item) -> Facts:
    """Confirm the items with the lab."""
    return await confirm(items, CATALOGUE, cast(Supervisor, lab), lambda *_: None)


async def test_an_experiment_runs_once_for_each_set_of_parameters() -> None:
    """Three items, two sets: two runs."""
    lab = Lab()
    facts = await confirmed(lab, linked("a"), linked("b"), linked("c", p=0.3))
    assert sorted(lab.asked, key=str) == [("rng-replay", {"p": 0.3}), ("rng-replay", {})]
    assert (facts.runs, facts.measurement, facts.problems) == (2, 3, [])


async def test_each_item_is_counted_once() -> None:
    """By formula, by measurement, by source only."""
    computed = choice("n", "mem.units", kind="numeric", options=(), answer=("4",), sources=("arithmetic: 2 · 2",))
    facts = await confirmed(Lab(), linked("a"), computed, choice("s", "mem.units"))
    assert (facts.formula, facts.measurement, facts.both, facts.source, facts.unconfirmed) == (1, 1, 0, 1, 0)


async def test_what_is_not_shown_is_an_error_and_not_confirmed() -> None:
    """With the item's file and line."""
    facts = await confirmed(Lab("failed"), linked("a"))
    assert (facts.measurement, facts.unconfirmed) == (0, 1)
    assert [problem.severity for problem in facts.problems] == ["error"]


async def test_what_cannot_run_here_is_a_warning_and_not_confirmed() -> None:
    """A machine without torch does not make a deck wrong."""
    facts = await confirmed(Lab("unavailable"), linked("a"))
    assert (facts.measurement, facts.unconfirmed) == (0, 1)
    assert [problem.severity for problem in facts.problems] == ["warning"]
