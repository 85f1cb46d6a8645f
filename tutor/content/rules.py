"""Rules of the lint about what a question gives away or leaves out: its form, its numbers, its words in each language."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

from tutor.content.families import FAMILIES, instance
from tutor.content.model import Deck, Item, Library, Option, Problem
from tutor.content.source import Source, read_toml

ABSOLUTE = {
    "vi": ("luôn luôn", "luôn", "tất cả", "không bao giờ", "hoàn toàn", "tuyệt đối"),
    "tr": ("asla", "her zaman", "daima", "bütün", "tamamen", "hiçbir", "kesinlikle"),
}
"""Words that give a wrong option away, in the languages of the overlays."""
NEGATED = {
    "vi": re.compile(r"\b(không đúng|không phải|ngoại trừ)\b[^.?]*\?", re.IGNORECASE),
    "tr": re.compile(r"\b(değildir|değil|hariç)\b[^.?]*\?", re.IGNORECASE),
}
_ASKS_WHICH = re.compile(r"\b(nào|hangisi|hangileri)\b", re.IGNORECASE)
_BYTE_UNITS = ("B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB")
_CODE = re.compile(r"`[^`]*`")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_SMALL = {"0", "1", "2"}
_ORDINAL = re.compile(r"(first|second|third|then|next|after that|finally|lastly|\d+[.)])\b", re.IGNORECASE)
MAX_COMBINATIONS = 20_000


def check_library(library: Library) -> Iterator[Problem]:
    """Yield what the items of a library in its base language give away or leave out."""
    yield from _twins(library)
    for deck in library.decks:
        for item in deck.items:
            if item.family:
                yield from _askable(item)
            yield from _sealed(item, deck, library)
            if item.transfer_of in library.items:
                yield from _same_numbers(item, library.items[item.transfer_of])
            if not deck.as_served:
                yield from _form(item)
            yield from _given_away(item)


def _sealed(item: Item, deck: Deck, library: Library) -> Iterator[Problem]:
    """Yield what would let a learner meet a sealed item, or its like, outside a mock interview."""
    if item.sealed and deck.quiz:
        yield _error(item, f"{item.id} is sealed, but a quiz asks all its items; drop one of the two.", "sealed")
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
    if item.sealed and not any(other.concept == item.concept for other in library.scheduled()):
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


def check_translation(library: Library, lang: str) -> Iterator[Problem]:
    """Yield what the texts of one language give away, where they are translated."""
    for deck in library.decks:
        if lang not in deck.languages or deck.as_served:
            continue
        overlay = read_toml(deck.path.parent / f"{lang}.toml")
        for item in deck.items:
            if item.lang == lang:
                yield from _absolute(item, overlay)
                yield from _negated(item, overlay)


def _twins(library: Library) -> Iterator[Problem]:
    """Yield the later of two items that read the same."""
    first: dict[str, Item] = {}
    for item in library.items.values():
        twin = first.setdefault(item.text_hash, item)
        if twin is not item:
            yield _warning(item, f"{item.id} reads the same as {twin.id} ({twin.path}:{twin.line}); drop one.", "twin")


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
    """Yield the key that differs in form from all its rivals."""
    if item.kind != "choice" or len(item.options) < 3:
        return
    key = item.option(item.answer[0])
    rivals = [option for option in item.options if option is not key]
    for words, form in _FORMS.items():
        if len({form(option) for option in rivals}) == 1 and form(key) != form(rivals[0]):
            yield _warning(
                item, f"the key of {item.id} and its rivals differ in form ({words}); write them alike.", "W5"
            )


_FORMS: dict[str, Callable[[Option], bool]] = {
    "sentence or phrase": lambda option: option.text.rstrip().endswith((".", "!")),
    "number or words": lambda option: bool(re.match(r"[\d.,]+\s*\S*$", option.text)),
    "code or words": lambda option: option.text.startswith("`") and option.text.endswith("`"),
    "capital or not": lambda option: option.text[:1].isupper(),
    "one word or several": lambda option: len(option.text.split()) == 1,
}
"""What of an option's form can be seen at a glance."""


def _absolute(item: Item, overlay: Source) -> Iterator[Problem]:
    if item.kind != "choice":
        return
    for option in item.options:
        found = _said(option, ABSOLUTE.get(item.lang, ())) if option.key not in item.answer else None
        if found:
            words = f"option {option.key!r} of {item.id} says {found!r}; absolute words give a wrong option away."
            yield _at_translation(item, overlay, words, "W2")


def _said(option: Option, words: tuple[str, ...]) -> str | None:
    text = option.text.casefold()
    return next((word for word in words if re.search(rf"(?<!\w){word}(?!\w)", text)), None)


def _negated(item: Item, overlay: Source) -> Iterator[Problem]:
    pattern = NEGATED.get(item.lang)
    found = pattern.search(item.stem) if pattern and _ASKS_WHICH.search(item.stem) else None
    if found and not found[1].isupper():
        words = f"the stem of {item.id} asks for what is not so; ask the other way round."
        yield _at_translation(item, overlay, words, "W3")


def _at_translation(item: Item, overlay: Source, message: str, rule: str) -> Problem:
    return Problem(str(overlay.path), overlay.table(f"item.{item.id}"), message, rule, "warning")


def _error(item: Item, message: str, rule: str = "E5") -> Problem:
    return Problem(item.path, item.line, message, rule)


def _warning(item: Item, message: str, rule: str = "E5") -> Problem:
    return Problem(item.path, item.line, message, rule, "warning")
