"""Checks overlays against the texts they translate: stale, missing, orphaned, and code that was translated with the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tutor.content.gaps import blanked, named_gaps
from tutor.content.model import Deck, Item, Problem
from tutor.content.shape import is_entry, tables
from tutor.content.source import Source, read_toml
from tutor.content.text import code_spans, normal

_DRAWN = re.compile(r"\{\w+\}")


def check_overlays(deck: Deck, languages: Sequence[str]) -> list[Problem]:
    """Return the problems of a deck's overlays in `languages`; a deck without an overlay is no problem."""
    problems: list[Problem] = []
    for lang in languages:
        path = deck.path.parent / f"{lang}.toml"
        if path.exists():
            source = read_toml(path)
            problems += _overlay(deck, lang, source)
            problems += source.problems
    return problems


def _overlay(deck: Deck, lang: str, source: Source) -> Iterator[Problem]:
    entries: Mapping[str, Any] = tables(source, "item", "[item.ID]")
    items = {item.id: item for item in deck.items}
    for id, entry in entries.items():
        line = source.table(f"item.{id}")
        if id not in items:
            yield Problem(
                str(source.path), line, f"{id!r} is no item of {deck.id}; correct the id or drop the entry.", "W9"
            )
            continue
        if is_entry(entry):
            yield from _entry(items[id], entry, lang, source, line)
        else:
            yield Problem(str(source.path), line, f"the {lang} text of {id} holds what is not text; quote it.", "W9")
    for id in items:
        if id not in entries:
            yield Problem(str(source.path), 1, f"{id} has no {lang} text; the English one is shown.", "W9", "warning")


def _entry(item: Item, entry: Mapping[str, Any], lang: str, source: Source, line: int) -> Iterator[Problem]:
    if entry.get("of") != item.text_hash:
        yield Problem(
            str(source.path),
            line,
            f"the {lang} text of {item.id} is stale: it translates {entry.get('of')!r}, the present text is {item.text_hash!r}; renew it.",
            "W9",
        )
    table = "rubric" if item.kind == "explain" else "option"
    options, stem = entry.get(table, {}), entry.get("stem")
    shown = blanked(normal(stem), item.gaps) if isinstance(stem, str) else None
    pairs = [("stem", item.stem, shown), ("why", item.why, entry.get("why"))]
    pairs += [(f"{table} {o.key}", o.text, options.get(o.key)) for o in item.options]
    for name, base, text in pairs:
        if not isinstance(text, str) or not text.strip():
            yield Problem(str(source.path), line, f"{name} of {item.id} is missing in {lang}; add it.", "W9")
        elif code_spans(base) != code_spans(normal(text)):
            yield Problem(
                str(source.path),
                line,
                f"code spans of {name} of {item.id} differ from the English ones; copy code, do not translate it.",
                "E7",
            )
    if item.family and _drawn(item.stem, item.why) != _drawn(stem, entry.get("why")):
        wanted = ", ".join(sorted(_drawn(item.stem, item.why)))
        yield Problem(str(source.path), line, f"the {lang} text of {item.id} must name what is drawn: {wanted}.", "W9")
    keys = [gap.key for gap in item.gaps]
    if isinstance(stem, str) and sorted(named_gaps(stem, keys)) != sorted(keys):
        wanted = ", ".join(f"{{{key}}}" for key in keys)
        yield Problem(str(source.path), line, f"the {lang} stem of {item.id} must name each gap once: {wanted}.", "W9")
    known = {table: {o.key for o in item.options}, "gap": set(keys)}
    for name in ("option", "rubric", "gap"):
        for key in entry.get(name, {}):
            if key not in known.get(name, ()):
                yield Problem(str(source.path), line, f"{item.id} has no {name} {key!r}; correct the key.", "W9")


def _drawn(*texts: object) -> set[str]:
    """Return the numbers that texts of a numeric family leave to be drawn."""
    return {name for text in texts if isinstance(text, str) for name in _DRAWN.findall(text)}
