"""Every question about memory leads to an experiment that shows it, and what it leads to holds."""

from __future__ import annotations

import importlib
import json

import pytest

from tests.experiments.support import run
from tutor.content.facts import not_shown
from tutor.content.load import load_library
from tutor.content.model import ExperimentLink
from tutor.lab.catalogue import load_catalogue
from tutor.paths import resources

CATALOGUE, _ = load_catalogue(resources("experiments"))
LIBRARY = load_library([resources("decks")], "en", CATALOGUE)
SEEDS = [item for item in LIBRARY.items.values() if item.id.startswith("seed-")]
MEMORY = ("activation-memory", "checkpointing", "optimizer-state", "randomness")
NOT_ABOUT_MEMORY = {
    "mem.units",
    "opt.formats",
    "opt.loss-scaling",
    "rng.nonassoc",
    "rng.det-flags",
    "rng.streams",
    "rng.parallel-seeds",
}
"""Concepts of number formats, units and determinism: no experiment of the lab is about them."""
WITHOUT = {"ckp-6w4f", "opt-6y2f"}
"""Questions on a missing gradient and on a vanishing update: nothing is measured that an experiment shows."""
LINKS = [(f"item {item.id}", item.experiment) for item in LIBRARY.items.values() if item.experiment]
LINKS += [(f"myth {myth.id}", myth.experiment) for myth in LIBRARY.myths.values() if myth.experiment]
CHANGED = sorted({(link.id, json.dumps(dict(link.set), sort_keys=True)) for _, link in LINKS if link.set})


def test_each_seed_question_leads_to_an_experiment() -> None:
    """All sixteen."""
    assert len(SEEDS) == 16
    assert [item.id for item in SEEDS if item.experiment is None] == []


def test_each_memory_item_leads_to_an_experiment() -> None:
    """All but those that are about numbers alone, named above."""
    missing = {
        item.id
        for item in LIBRARY.items.values()
        if item.deck in MEMORY and item.concept not in NOT_ABOUT_MEMORY and item.experiment is None
    }
    assert missing == WITHOUT


@pytest.mark.parametrize(("where", "link"), LINKS, ids=[where for where, _ in LINKS])
def test_a_link_can_be_followed(where: str, link: ExperimentLink) -> None:
    """The experiment exists, has the bet, and takes the parameters."""
    experiment = CATALOGUE[link.id]
    assert link.bet in experiment.bets, where
    assert experiment.faults(link.set) == []


@pytest.mark.parametrize(("id", "changed"), CHANGED)
def test_what_a_link_sets_holds(id: str, changed: str) -> None:
    """With the parameters a link gives, all that its items rest on is shown; `test_every.py` does the same for the defaults."""
    said = run(importlib.import_module(CATALOGUE[id].module), **json.loads(changed))
    assert said.failed == []
    result = said.result(CATALOGUE[id], json.loads(changed))
    for item in LIBRARY.items.values():
        if item.experiment and item.experiment.id == id and dict(item.experiment.set) == json.loads(changed):
            assert list(not_shown(item, CATALOGUE[id], result)) == []
