"""Every question about memory leads to an experiment that shows it, and what it leads to holds."""

from __future__ import annotations

import importlib
import json

import pytest

from tests.experiments.support import run
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
    """With the parameters a link gives every claim holds; the defaults are run by the test of every experiment."""
    assert run(importlib.import_module(CATALOGUE[id].module), **json.loads(changed)).failed == []


def test_every_experiment_is_led_to() -> None:
    """No experiment waits for a question: an item or a myth leads to it, or it shows a concept that has items."""
    linked = {link.id for _, link in LINKS}
    asked = {item.concept for item in LIBRARY.items.values()}
    shown = {id for id, experiment in CATALOGUE.items() if set(experiment.concepts) & asked}
    assert set(CATALOGUE) - linked - shown == set()


def test_experiments_show_concepts_of_the_map() -> None:
    """A concept an experiment names is on the map."""
    named = {concept for experiment in CATALOGUE.values() for concept in experiment.concepts}
    assert named <= set(LIBRARY.concepts)
