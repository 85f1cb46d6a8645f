"""Which words of a screen, a page or a report are English where another language is spoken.

A word counts as English where the interface, the decks or the experiments use it in English, unless a translated text uses it too (then it
is a term that the translator kept) or it is among the terms listed here. Code spans, paths, settings, ids and names with digits are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tests import messages
from tutor.content.experiments import Catalogue, Experiment
from tutor.content.load import load_library
from tutor.content.model import Library
from tutor.lab.catalogue import load_catalogue
from tutor.paths import resources
from tutor.store.projections import PROJECTIONS

KEYS = {"ctrl", "esc"}
FORMATS = {"csv", "gb", "gib", "html", "json", "kib", "mib", "svg", "toml"}
SETTINGS = {
    "ask",
    "auto",
    "confidence",
    "false",
    "interview",
    "lab",
    "lang",
    "off",
    "retention",
    "rollover",
    "theme",
    "true",
}
"""Names and values in `config.toml`."""
NAMES = {"brier", "tutor"}
KINDS = {"choice", "cloze", "explain", "multi", "numeric", "order", "predict"}
"""Kinds of question, as a deck names them."""
PARAMETERS = {"batch", "blocks", "calls", "channels", "dropout", "seed", "tokens", "width"}
"""Parameters of experiments and units, as they are typed."""
LOOK_ALIKE = {
    "vi": {"an", "do", "so", "to"},
    "tr": {"an", "in", "on", "per", "sa"},
}
"""Words of a language that look like English ones."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_CODE = re.compile(
    r"`[^`]*`"
    r"|\S*[/\\]\S*"  # paths
    r"|[\w-]*[._=][\w.=-]*\w"  # files, attributes, settings
    r"|\b\w+(?:-\w+)+\b"  # ids
    r"|\b\w*\d\w*\b"  # formats, shapes
    r"|\w+\(\)"
)


def words(text: str) -> set[str]:
    """Return the words of a text without code, in small letters; only ASCII is folded, so no Turkish letter changes."""
    return {word.lower() for word in _WORD.findall(_CODE.sub(" ", text)) if word.isascii()}


def english_in(text: str, lang: str) -> set[str]:
    """Return the English words of a text that is in another language."""
    terms = KEYS | FORMATS | SETTINGS | NAMES | set(PROJECTIONS) | KINDS | PARAMETERS | LOOK_ALIKE[lang] | _ids()
    return (words(text) & _english()) - _kept(lang) - terms


@cache
def _ids() -> frozenset[str]:
    """Return the ids of decks and experiments."""
    catalogue, _problems = load_catalogue(resources("experiments"))
    return frozenset(catalogue) | {path.parent.name for path in resources("decks").glob("*/deck.toml")}


@cache
def _english() -> frozenset[str]:
    texts = [*_interface(), *_texts("en")]
    return frozenset(word for text in texts for word in words(text))


@cache
def _kept(lang: str) -> frozenset[str]:
    """Return the words that translated texts have: those of the catalogue, and those of decks and experiments that are not English."""
    catalogue = messages.read(messages.catalogue(lang))
    texts = [text for entry, said in catalogue.items() for text in said if text != entry[0]]
    texts += set(_texts(lang)) - set(_texts("en"))
    return frozenset(word for text in texts for word in words(text))


def _interface() -> Iterator[str]:
    return (text for entry in messages.gather() for text in entry)


@cache
def _texts(lang: str) -> tuple[str, ...]:
    catalogue, _problems = load_catalogue(resources("experiments"), lang)
    return (*_of_decks(load_library([resources("decks")], lang, catalogue)), *_of_experiments(catalogue))


def _of_decks(library: Library) -> Iterator[str]:
    for deck in library.decks:
        yield from (deck.title, deck.blurb)
    for item in library.items.values():
        yield from (item.stem, item.why, *(option.text for option in item.options))
    for concept in library.concepts.values():
        yield from (concept.title, concept.text)
    for myth in library.myths.values():
        yield from (myth.text, myth.why)


def _of_experiments(catalogue: Catalogue) -> Iterator[str]:
    for experiment in catalogue.values():
        yield from (experiment.title, experiment.question, experiment.shows, experiment.explanation)
        yield from (parameter.title for parameter in experiment.parameters.values())
        yield from _asked(experiment)


def _asked(experiment: Experiment) -> Iterator[str]:
    asked = [*experiment.bets.values(), *experiment.flips]
    if experiment.observation:
        yield from (experiment.observation.question, *experiment.observation.choices.values())
    for one in asked:
        yield from (one.question, *one.choices.values())
