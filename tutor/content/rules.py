"""Rules of the lint about what a question gives away or leaves out: its form and its numbers."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict, deque
from collections.abc import Iterator, Set

from tutor.content.families import FAMILIES, instance
from tutor.content.form import form_faults
from tutor.content.model import Deck, Item, Library, Problem

_BYTE_UNITS = ("B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB")
_CODE = re.compile(r"`[^`]*`")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_SMALL = {"0", "1", "2"}
_ORDINAL = re.compile(r"(first|second|third|then|next|after that|finally|lastly|\d+[.)])\b", re.IGNORECASE)
MAX_COMBINATIONS = 20_000
_WORD = re.compile(r"[^\W\d_]{4,}")
ALIKE = 2 / 3
"""Share of their words from which two stems read alike; chosen so that two questions on one idea may share its terms."""
FEWEST_WORDS = 6
MAX_NEAR = 100
"""Items of a concept that each is compared with, the ones before it: a deck of thousands is checked in time that grows with its length."""


def check_library(library: Library) -> Iterator[Problem]:
    """Yield what the items of a library in its base language give away or leave out."""
    yield from _twins(library)
    yield from _siblings(library)
    taught = {item.concept for item in library.scheduled()}
    for deck in library.decks:
        for item in deck.items:
            if item.family:
                yield from _askable(item)
            yield from _sealed(item, deck, library, taught)
            if item.transfer_of in library.items:
                yield from _same_numbers(item, library.items[item.transfer_of])
            if not deck.as_served:
                yield from _form(item)
            yield from _given_away(item)


def _sealed(item: Item, deck: Deck, library: Library, taught: Set[str]) -> Iterator[Problem]:
    """Yield what would let a learner meet a sealed item, or its like, outside a mock interview."""
    if item.sealed and deck.quiz:
        yield _error(item, f"{item.id} is sealed, but a quiz asks all its items; drop one of the two.", "sealed")
    if item.sealed and item.kind == "predict":
        yield _error(item, f"{item.id} is sealed, but a mock interview runs no experiment; ask it otherwise.", "sealed")
    if item.sealed and item.transfer_of:
        yield _error(
            item, f"{item.id} is sealed and a transfer, which a miss would bring up; drop one of the two.", "sealed"
        )
    if item.transfer_of in library.items and library.items[item.transfer_of].sealed:
        yield _error(
            item,
            f"{item.id} is a transfer of {item.transfer_of}, which is sealed; name an item that is asked.",
            "sealed",
        )
    if item.sealed and item.concept not in taught:
        yield _error(
            item,
            f"{item.id} is sealed, but nothing teaches {item.concept}; a forecast needs practised items.",
            "sealed",
        )


def _given_away(item: Item) -> Iterator[Problem]:
    """Yield a gap that the rest of the stem fills, and a step that says itself where it stands."""
    for gap in item.gaps:
        said = next((text for text in gap.accept if re.search(rf"(?<!\w){re.escape(text)}(?!\w)", item.stem)), None)
        if said:
            yield _warning(
                item, f"the stem of {item.id} says {said!r}, which fills its gap {gap.key!r}; reword it.", "cloze"
            )
    if item.kind == "order":
        for option in item.options:
            if _ORDINAL.match(option.text):
                yield _warning(
                    item,
                    f"step {option.key!r} of {item.id} begins with its place; say what is done, not when.",
                    "order",
                )


def _twins(library: Library) -> Iterator[Problem]:
    """Yield the later of two items that read the same."""
    first: dict[str, Item] = {}
    for item in library.items.values():
        twin = first.setdefault(item.text_hash, item)
        if twin is not item:
            yield _warning(item, f"{item.id} reads the same as {twin.id} ({twin.path}:{twin.line}); drop one.", "twin")


def _siblings(library: Library) -> Iterator[Problem]:
    """Yield the later of two items of one concept that read alike but are not linked, so that a sitting may ask both."""
    by_concept: dict[str, deque[tuple[Item, set[str]]]] = defaultdict(lambda: deque(maxlen=MAX_NEAR))
    for item in library.items.values():
        if not item.scheduled or item.sealed:
            continue
        words = {word.casefold() for word in _WORD.findall(item.stem)}
        near = by_concept[item.concept]
        other = next((other for other, its_words in near if _alike(words, its_words) and not _told(item, other)), None)
        if other:
            yield _warning(
                item,
                f"{item.id} reads like {other.id} ({other.path}:{other.line}), which a sitting may ask beside it; "
                f'write transfer_of = "{other.id}" or reword one.',
                "W8",
            )
        near.append((item, words))


def _alike(words: Set[str], others: Set[str]) -> bool:
    both, every = len(words & others), len(words | others)
    return every >= FEWEST_WORDS and both >= ALIKE * every


def _told(item: Item, other: Item) -> bool:
    """Whether the author knows of the likeness, by a link, or reads of it as of twins."""
    return _linked(item, other) or item.text_hash == other.text_hash


def _linked(one: Item, other: Item) -> bool:
    return bool({one.id, one.transfer_of} & {other.id, other.transfer_of} - {""})


def _askable(item: Item) -> Iterator[Problem]:
    """Yield what a numeric question fails to say, and values that can never be drawn."""
    family = FAMILIES[item.family]
    choices = {name: item.params.get(name, values) for name, values in family.ranges.items()}
    for name, values in choices.items():
        if len(values) > 1 and f"{{{name}}}" not in item.stem:
            yield _error(
                item, f"the stem of {item.id} does not say {{{name}}}, without which it has no answer; name it."
            )
    if item.unit in _BYTE_UNITS and not re.search(rf"(?<!\w){item.unit}(?!\w)", item.stem):
        yield _warning(item, f"the stem of {item.id} does not name its unit {item.unit}; ask for it in words.")
    left = {(name, value) for name, values in choices.items() for value in values}
    for combination in itertools.islice(itertools.product(*choices.values()), MAX_COMBINATIONS):
        drawn = dict(zip(choices, combination, strict=True))
        if left and instance(family, drawn, family.tolerance) is not None:
            left -= set(drawn.items())
    for name, value in sorted(left, key=str):
        yield _warning(
            item, f"{name} = {value!r} of {item.id} is never drawn: a slip would equal the answer or another; drop it."
        )


def _same_numbers(item: Item, origin: Item) -> Iterator[Problem]:
    """Yield the numbers a written transfer shares with its origin; code and 0, 1, 2 are no numbers of a question."""
    shared = (_numbers(item) & _numbers(origin)) - _SMALL
    if shared:
        yield _warning(
            item, f"{item.id} shares the number {min(shared)} with {origin.id}; a transfer shares none.", "transfer"
        )
    if item.family and item.family == origin.family and item.params == origin.params:
        yield _warning(item, f"{item.id} draws from the same lists as {origin.id}; give it others.", "transfer")


def _numbers(item: Item) -> set[str]:
    texts = [item.stem, *(option.text for option in item.options)]
    return {number for text in texts for number in _NUMBER.findall(_CODE.sub(" ", text))}


def _form(item: Item) -> Iterator[Problem]:
    for rule, words in form_faults(item):
        yield _warning(item, words, rule)


def _error(item: Item, message: str, rule: str = "E5") -> Problem:
    return Problem(item.path, item.line, message, rule)


def _warning(item: Item, message: str, rule: str = "E5") -> Problem:
    return Problem(item.path, item.line, message, rule, "warning")
