"""The shipped decks as a whole: enough of each kind, each concept from several sides, and a source for everything."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import pytest

from tutor.content.load import load_library
from tutor.content.model import Item
from tutor.content.transfers import generate_transfer
from tutor.lab.catalogue import load_catalogue
from tutor.paths import resources

CATALOGUE, _ = load_catalogue(resources("experiments"))
LIBRARY = load_library([resources("decks")], "en", CATALOGUE)
DECKS = [deck for deck in LIBRARY.decks if not deck.quiz]
ITEMS = [item for deck in DECKS for item in deck.items]
BY_CONCEPT: dict[str, list[Item]] = defaultdict(list)
for _item in LIBRARY.scheduled():
    BY_CONCEPT[_item.concept].append(_item)
APPLIED = ("numeric", "predict", "order", "cloze", "multi", "explain")
"""Kinds that cannot be answered by recognising a sentence."""
_END = re.compile(r"[.!?](?=\s|$)")
_FAULT = re.compile(
    r"find the error|what (is|'s) (wrong|the mistake|to be said)|mistake|which correction|makes the sum wrong|"
    r"does the claim (miss|overlook)|claims?:|says: |“|note says|plan (says|has)|colleague|\bestimate|about how (many|much|long)",
    re.IGNORECASE,
)
"""How interviewers put a faulty claim or a napkin sum before somebody."""


def test_ten_decks_and_the_quizzes() -> None:
    """With a guide each, which the lint holds to its length."""
    assert len(DECKS) == 10 and len(LIBRARY.decks) == 12
    assert all(deck.guide for deck in LIBRARY.decks)
    assert len(ITEMS) >= 300


@pytest.mark.parametrize("concept", LIBRARY.concepts)
def test_each_concept_is_asked_from_several_sides(concept: str) -> None:
    """Three scheduled items at least, on more than one level or of more than one kind, and a surface not seen before."""
    items = BY_CONCEPT[concept]
    assert len(items) >= 3
    assert len({item.kind for item in items} | {item.level for item in items}) >= 3
    assert any(item.kind in APPLIED or item.experiment or item.transfer_of for item in items)
    assert any(item.transfer_of or generate_transfer(item, 1, LIBRARY, CATALOGUE) for item in items)


def test_explanations_have_two_to_four_sentences_and_items_a_source() -> None:
    """What is true, and what the nearest wrong answer overlooks."""
    for item in ITEMS:
        assert 2 <= len(_END.findall(item.why)) <= 4, item.id
        assert item.sources, item.id


def test_enough_of_each_kind_and_evidence() -> None:
    """In as many decks as can ask it; sealed ones in all."""
    kinds, decks = Counter(item.kind for item in ITEMS), defaultdict(set)
    for item in ITEMS:
        decks[item.kind].add(item.deck)
    assert kinds["explain"] >= 40 and len(decks["explain"]) == 10
    assert len(decks["predict"]) >= 9
    assert all(len(item.options) == 4 for item in ITEMS if item.kind == "explain")
    assert sum(item.experiment is not None for item in ITEMS) >= 80
    sealed = [item for item in ITEMS if item.sealed]
    assert len(sealed) >= 60 and {item.deck for item in sealed} == {deck.id for deck in DECKS}


def test_faulty_claims_and_estimates_as_interviewers_put_them() -> None:
    """Forty at least: a claim to be refuted, or a sum to be done on a napkin."""
    faulty = [item for item in ITEMS if _FAULT.search(item.stem)]
    estimates = [item for item in ITEMS if item.kind == "numeric" and item.tolerance >= 0.02]
    assert len({item.id for item in [*faulty, *estimates]}) >= 40
    assert len(faulty) >= 30


def test_a_misconception_can_be_followed() -> None:
    """Most myths are met in more than one question."""
    met = Counter(myth for item in ITEMS for myth in set(item.myths))
    assert sum(times > 1 for times in met.values()) >= 0.6 * len(met)
