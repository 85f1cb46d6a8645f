"""Rules of the lint on translated texts: what a question gives away in one language alone."""

from __future__ import annotations

from collections.abc import Iterator

from tutor.content.form import form_faults
from tutor.content.model import Item, Library, Problem
from tutor.content.source import Source, read_toml
from tutor.content.text import folded
from tutor.content.wording import ALL_OF, ASKS_WHICH, BY_PLACE, MAX_OPTION, MAX_STEM_WORDS, NEGATED, absolute


def check_translation(library: Library, lang: str) -> Iterator[Problem]:
    """Yield what the texts of one language give away, where they are translated."""
    for deck in library.decks:
        if lang not in deck.languages:
            continue
        overlay = read_toml(deck.path.parent / f"{lang}.toml")
        for item in deck.items:
            if item.lang != lang:
                continue
            yield from _shuffled(item, overlay)
            if not deck.as_served:
                yield from (_at(item, overlay, words, rule) for rule, words in form_faults(item))
                yield from _absolute(item, overlay)
                yield from _negated(item, overlay)
                yield from _long(item, overlay)


def _shuffled(item: Item, overlay: Source) -> Iterator[Problem]:
    """Yield what breaks when options are shuffled, and options that read the same."""
    for text in (item.stem, item.why, *(option.text for option in item.options)):
        if BY_PLACE[item.lang].search(text):
            words = f"a text of {item.id} speaks of an option by its place; options are shuffled, so name what it says."
            yield _at(item, overlay, words, "E3", "error")
    for option in item.options:
        if ALL_OF[item.lang].search(option.text):
            words = f"option {option.key!r} of {item.id} stands for all or none of the others; ask with kind multi."
            yield _at(item, overlay, words, "E2", "error")
    texts = [folded(option.text, item.lang) for option in item.options]
    if len(set(texts)) < len(texts):
        yield _at(item, overlay, f"two options of {item.id} read the same; make them differ.", "E6", "error")


def _absolute(item: Item, overlay: Source) -> Iterator[Problem]:
    if item.kind != "choice":
        return
    for option in item.options:
        found = absolute(option.text, item.lang) if option.key not in item.answer else None
        if found:
            words = f"option {option.key!r} of {item.id} says {found!r}; absolute words give a wrong option away."
            yield _at(item, overlay, words, "W2")


def _negated(item: Item, overlay: Source) -> Iterator[Problem]:
    found = NEGATED[item.lang].search(item.stem) if ASKS_WHICH.search(item.stem) else None
    if found and not found[1].isupper():
        words = f"the stem of {item.id} asks for what is not so; ask the other way round."
        yield _at(item, overlay, words, "W3")


def _long(item: Item, overlay: Source) -> Iterator[Problem]:
    """Yield what is longer than a terminal shows well. Vietnamese writes its syllables apart: half as many words again."""
    words, most = len(item.stem.split()), MAX_STEM_WORDS * 3 // 2 if item.lang == "vi" else MAX_STEM_WORDS
    if words > most:
        yield _at(item, overlay, f"the stem of {item.id} has {words} words; keep it to {most}.", "W7")
    if any(len(option.text) > MAX_OPTION for option in item.options):
        yield _at(item, overlay, f"an option of {item.id} is longer than {MAX_OPTION} characters; shorten it.", "W7")


def _at(item: Item, overlay: Source, message: str, rule: str, severity: str = "warning") -> Problem:
    return Problem(str(overlay.path), overlay.table(f"item.{item.id}"), message, rule, severity)
