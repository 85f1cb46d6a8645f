"""Checks of what all decks share: the concepts, the myths, their translations, and the heads of the overlays.

Loading shows English where a translation is stale and says nothing; this is where its author learns of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tutor.content.model import Deck, Library, Problem
from tutor.content.source import Source, read_toml, unknown_keys
from tutor.content.text import code_spans, hash_text, normal

HEAD_KEYS = ("schema", "deck", "lang", "title", "level_label", "blurb")
OVERLAY_KEYS = (*HEAD_KEYS, "item")
ENTRY_KEYS = ("of", "stem", "why", "option", "rubric", "gap")
SHARED = {"concept": ("title", "text"), "myth": ("text", "why")}
"""The tables of `concepts.toml` and `myths.toml`, each with the texts its translation repeats, in the order they are hashed."""


def check_vocabulary(roots: Sequence[Path], library: Library, languages: Sequence[str]) -> list[Problem]:
    """Return the problems of concepts, myths and their overlays below `roots`. `library` is in the base language."""
    problems: list[Problem] = []
    for root in roots:
        for table in SHARED:
            base = read_toml(root / f"{table}s.toml") if (root / f"{table}s.toml").exists() else None
            if base is None or base.problems:
                continue
            problems += _links(base, table, library)
            for lang in languages:
                problems += _translation(base, table, root / f"{table}s.{lang}.toml", library)
    return problems


def check_heads(deck: Deck, languages: Sequence[str]) -> list[Problem]:
    """Return what is wrong with the head of a deck's overlays, and keys that mean nothing in them."""
    problems: list[Problem] = []
    for lang in languages:
        whole, head = (deck.path.parent / name for name in (f"{lang}.toml", f"head.{lang}.toml"))
        for path, keys in ((whole, OVERLAY_KEYS), (head, HEAD_KEYS)):
            source = read_toml(path) if path.exists() else None
            if source is not None and (path == head or not source.problems):  # told with its questions otherwise
                problems += _head(source, deck, lang, keys)
        if whole.exists() and head.exists():
            told = f"{whole.name} beside it has the head already, and this one is not read; remove it."
            problems.append(Problem(str(head), 1, told, "W9"))
    return problems


def _head(source: Source, deck: Deck, lang: str, keys: Sequence[str]) -> list[Problem]:
    unknown_keys(source, source.values, keys, 1, f"the {lang} overlay of {deck.id}")
    for key, right in (("deck", deck.id), ("lang", lang)):
        if source.values.get(key, right) != right:
            line = source.key(key, 1)
            source.complain(line, f"{key} is {source.values[key]!r} in {source.path.name}; write {right!r}.")
    for id, entry in _tables(source.values.get("item")).items():
        if isinstance(entry, dict):
            unknown_keys(source, entry, ENTRY_KEYS, source.table(f"item.{id}"), f"the {lang} text of {id}")
    return source.problems


def _links(source: Source, table: str, library: Library) -> Iterator[Problem]:
    """Yield concepts of no deck and myths of no concept."""
    decks = {deck.id for deck in library.decks}
    known, key = (decks, "deck") if table == "concept" else (set(library.concepts), "concept")
    for id, entry in _tables(source.values.get(table)).items():
        name = entry.get(key) if isinstance(entry, dict) else None
        if isinstance(name, str) and name not in known:
            line = source.table(f"{table}.{id}")
            yield Problem(str(source.path), line, f"{key} {name!r} of {table} {id} does not exist; correct the name.")


def _translation(base: Source, table: str, path: Path, library: Library) -> Iterator[Problem]:
    """Yield stale, missing and orphaned entries of one overlay, and code that was translated with the rest.

    An entry is missed where a translated deck owns it or asks with it: a deck is put into a language as a whole, or not yet.
    """
    if not path.exists():
        return
    overlay = read_toml(path)
    yield from overlay.problems
    if overlay.problems:
        return
    lang = path.stem.split(".")[-1]
    entries, originals = _tables(overlay.values.get(table)), _tables(base.values.get(table))
    for id, entry in entries.items():
        line = overlay.table(f"{table}.{id}")
        if id not in originals or not isinstance(entry, dict) or not isinstance(originals[id], dict):
            yield Problem(str(path), line, f"there is no {table} {id!r}; correct the id or drop the entry.", "W9")
            continue
        for severity, message, rule in _entry(originals[id], entry, SHARED[table]):
            yield Problem(str(path), line, f"the {lang} text of {table} {id} {message}", rule, severity)
    shown = _shown(table, library, lang)
    for id, original in originals.items():
        if id not in entries and (id in shown or _deck(table, original, library) in shown):
            yield Problem(str(path), 1, f"{table} {id} has no {lang} text; the English one is shown.", "W9", "warning")


def _shown(table: str, library: Library, lang: str) -> set[str]:
    """Return the decks that have an overlay in `lang`, and the concepts or myths their questions lead to."""
    decks = [deck for deck in library.decks if lang in deck.languages]
    items = [item for deck in decks for item in deck.items]
    if table == "concept":
        return {deck.id for deck in decks} | {item.concept for item in items}
    return {deck.id for deck in decks} | {myth for item in items for myth in item.myths}


def _deck(table: str, entry: Any, library: Library) -> str | None:
    """Return the deck of a concept's table, or of the concept a myth's table names."""
    name = entry.get("deck" if table == "concept" else "concept") if isinstance(entry, dict) else None
    if table == "concept":
        return name
    concept = library.concepts.get(name) if isinstance(name, str) else None
    return concept.deck if concept else None


def _entry(
    original: Mapping[str, Any], entry: Mapping[str, Any], texts: tuple[str, str]
) -> Iterator[tuple[str, str, str]]:
    words = [normal(str(original.get(name, ""))) for name in texts]
    if entry.get("of") != (present := hash_text(*words)):
        yield "error", f"is stale: it translates {entry.get('of')!r}, the present text is {present!r}; renew it.", "W9"
    for name, english in zip(texts, words, strict=True):
        text = entry.get(name)
        if not isinstance(text, str):
            yield "error", f"has no {name!r}; add it.", "W9"
        elif code_spans(english) != code_spans(normal(text)):
            yield "error", f"differs from the English one in the code spans of {name!r}; copy code.", "E7"


def _tables(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
