"""The decks that come with the program: complete, sound, and in three languages where that is promised."""

from __future__ import annotations

import pytest

from tutor.content.families import FAMILIES, instance
from tutor.content.lint import check
from tutor.content.load import load_library
from tutor.content.model import Library
from tutor.content.spoken import check_experiments, overlay_path, translate_experiment
from tutor.lab.catalogue import load_catalogue
from tutor.paths import resources

CATALOGUE, _ = load_catalogue(resources("experiments"))
SEED_CONCEPTS = (
    "ckpt.tradeoff", "mem.saved-for-backward", "ckpt.sqrt-schedule", "ckpt.overhead-depends", "ckpt.api-torch", "ckpt.replay",
    "ckpt.combine", "ckpt.selective", "rng.replay", "opt.state-untouched",
)  # fmt: skip

MEMORY = ("activation-memory", "checkpointing", "optimizer-state", "randomness")
"""The decks that are promised in three languages, with their concepts and myths."""


def shelf(lang: str = "en") -> Library:
    """Return the shipped library."""
    return load_library([resources("decks")], lang, CATALOGUE)


def test_the_lint_finds_nothing() -> None:
    """No error and no warning in any deck, experiment or language."""
    assert check([resources("decks")], CATALOGUE, ["en", "vi", "tr"]) == []
    assert check_experiments(CATALOGUE, ["vi", "tr"]) == []


@pytest.mark.parametrize("lang", ["vi", "tr"])
def test_seed_quizzes_and_memory_decks_are_translated(lang: str) -> None:
    """Each text is in the language, so its translation is there and fresh; guides, concepts and myths are there too."""
    base, other = shelf(), shelf(lang)
    for deck in (deck for deck in other.decks if deck.quiz or deck.id in MEMORY):
        assert [item.id for item in deck.items if item.lang != lang] == []
        assert deck.guide is not None
        assert deck.guide.name == f"guide.{lang}.md"
    concepts = {id: concept for id, concept in base.concepts.items() if concept.deck in MEMORY}
    assert [id for id, concept in concepts.items() if concept.text == other.concepts[id].text] == []
    myths = {id: myth for id, myth in base.myths.items() if myth.concept in concepts}
    assert [id for id, myth in myths.items() if myth.why == other.myths[id].why] == []


@pytest.mark.parametrize("lang", ["vi", "tr"])
def test_every_deck_says_in_the_language_what_it_is_about(lang: str) -> None:
    """Its blurb, also where the questions are in English only; those say so."""
    blurbs = {deck.id: deck.blurb for deck in shelf().decks}
    other = shelf(lang).decks
    assert [deck.id for deck in other if not deck.blurb or deck.blurb == blurbs[deck.id]] == []
    assert {deck.id for deck in other if lang in deck.languages} == {d.id for d in other if d.quiz} | set(MEMORY)


@pytest.mark.parametrize("lang", ["vi", "tr"])
def test_every_experiment_is_translated(lang: str) -> None:
    """An overlay is there for each; that it is whole and fresh is what the check above has said."""
    lacking = [id for id, one in CATALOGUE.items() if not overlay_path(one, lang).exists()]
    assert lacking == []
    assert all(translate_experiment(one, lang).explanation != one.explanation for one in CATALOGUE.values())


@pytest.mark.parametrize("concept", SEED_CONCEPTS)
def test_each_seed_concept_has_two_written_transfers(concept: str) -> None:
    """Two unseen surfaces at least, and generated ones after them where a family or an experiment exists."""
    transfers = [item for item in shelf().scheduled() if item.concept == concept and item.transfer_of]
    assert len(transfers) >= 2


def test_every_scheduled_wrong_option_names_its_myth() -> None:
    """The diagnosis has a belief for each way of being wrong."""
    library = shelf()
    for item in library.scheduled():
        if item.kind in ("choice", "multi"):
            wrong = [option for option in item.options if option.key not in item.answer]
            assert all(option.myth in library.myths for option in wrong), item.id


@pytest.mark.parametrize("kind", ["order", "cloze", "explain"])
def test_each_kind_is_asked(kind: str) -> None:
    """At least two of each in the scheduled decks, over two decks or more."""
    decks = [item.deck for item in shelf().scheduled() if item.kind == kind]
    assert len(decks) >= 2 and len(set(decks)) >= 2


def test_every_combination_a_numeric_item_lists_can_be_drawn_often_enough() -> None:
    """At least half of what a deck lists keeps its slips apart: fresh numbers do not run out."""
    import itertools

    for item in shelf().items.values():
        if not item.family:
            continue
        family = FAMILIES[item.family]
        lists = [item.params.get(name, values) for name, values in family.ranges.items()]
        drawn = [
            instance(family, dict(zip(family.ranges, values, strict=True)), item.tolerance)
            for values in itertools.product(*lists)
        ]
        assert sum(one is not None for one in drawn) >= 4, item.id
