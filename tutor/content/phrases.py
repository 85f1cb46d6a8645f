"""What numeric questions say beside their own texts, in other languages: a family's working, and the names of slips.

Both stand in English where they are computed, and a slip's English name is what the log keeps. `numbers.LANG.toml` beside the decks
says them in a language, keyed by the English; what it lacks, or says with other numbers, is shown in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from tutor.content.families import FAMILIES
from tutor.content.model import BASE, Item, Library, Problem
from tutor.content.source import read_toml, unknown_keys
from tutor.content.text import code_spans, normal
from tutor.paths import resources

SAID = "said"
"""The table of a file of phrases."""
_DRAWN = re.compile(r"\{\w+\}")
_WORD = re.compile(r"[A-Za-z]{4,}")


def phrase(english: str, item: Item) -> str:
    """Return a phrase in the language an item is shown in, as the folder of its deck has it, else the program's."""
    if item.lang == BASE:
        return english
    own = _said(numbers_path(Path(item.path).parent.parent, item.lang)).get(english)
    return own or _said(numbers_path(resources("decks"), item.lang)).get(english, english)


def numbers_path(root: Path, lang: str) -> Path:
    """Return where a folder of decks has its phrases in `lang`, whether or not they are there."""
    return root / f"numbers.{lang}.toml"


def phrases_of(item: Item) -> Iterator[str]:
    """Yield what is to be translated of a numeric item: the names of its slips, and its family's working where that has words."""
    family = FAMILIES.get(item.family)
    yield from item.slips if family is None else family.slips
    if family is not None and _WORD.search(_DRAWN.sub("", family.working)):
        yield family.working


def lacking(items: Sequence[Item], root: Path, lang: str) -> list[str]:
    """Return the phrases of `items` that neither the folder nor the program says in `lang`."""
    said = {**_said(numbers_path(resources("decks"), lang)), **_said(numbers_path(root, lang))}
    return list(dict.fromkeys(text for item in items for text in phrases_of(item) if text not in said))


def check_numbers(library: Library, languages: Sequence[str]) -> list[Problem]:
    """Return the problems of the phrases beside the decks of `library`; a folder without them is no problem."""
    problems: list[Problem] = []
    for root in dict.fromkeys(deck.path.parent.parent for deck in library.decks):
        decks = [deck for deck in library.decks if deck.path.parent.parent == root]
        for lang in languages:
            path = numbers_path(root, lang)
            if not path.exists():
                continue
            problems += _faults(path, [item for deck in decks for item in deck.items])
            asked = [item for deck in decks if lang in deck.languages for item in deck.items]
            for text in lacking(asked, root, lang):
                told = f"{text!r} is not said in {lang}; the English is shown."
                problems.append(Problem(str(path), 1, told, "W9", "warning"))
    return problems


def _faults(path: Path, items: Sequence[Item]) -> Iterator[Problem]:
    source = read_toml(path)
    unknown_keys(source, source.values, ("schema", "lang", SAID), 1, path.name)
    families = {text for family in FAMILIES.values() for text in (*family.slips, family.working)}
    known = families | {text for item in items for text in item.slips}
    for english, text in _table(source.values).items():
        line = next((n for n, written in enumerate(source.lines, start=1) if english in written), 1)
        if english not in known:
            source.complain(line, f"no numeric question says {english!r}; correct or drop it.", "W9")
        elif not _sound(english, text):
            source.complain(line, f"{english!r} must keep its numbers in braces and its code; correct it.", "W9")
    yield from source.problems


def _said(path: Path) -> Mapping[str, str]:
    """Return the sound phrases of a file, read again when it has changed."""
    return _read(path, path.stat().st_mtime_ns) if path.exists() else {}


@lru_cache(maxsize=8)
def _read(path: Path, _changed: int) -> Mapping[str, str]:
    table = _table(read_toml(path).values)
    return {english: normal(text) for english, text in table.items() if _sound(english, text)}


def _table(values: Mapping[str, Any]) -> Mapping[str, Any]:
    table = values.get(SAID, {})
    return table if isinstance(table, dict) else {}


def _sound(english: str, text: Any) -> bool:
    """Whether a translation is a text with the same numbers left to be drawn and the same code."""
    same_numbers = isinstance(text, str) and sorted(_DRAWN.findall(english)) == sorted(_DRAWN.findall(text))
    return same_numbers and bool(text.strip()) and code_spans(english) == code_spans(text)
