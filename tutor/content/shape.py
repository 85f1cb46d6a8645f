"""The shapes that the values of a deck file must have, checked before anything reads them.

TOML lets an author write a number where a table belongs. Said here once, the rest of the room can rely on what it reads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from tutor.content.source import Place, Source

Shape = Callable[[Any], bool]


def is_text(value: Any) -> bool:
    """Whether the value is text."""
    return isinstance(value, str)


def is_flag(value: Any) -> bool:
    """Whether the value is true or false."""
    return isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether the value is a finite number, and no flag."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def is_scalar(value: Any) -> bool:
    """Whether the value is what a parameter may be: text, a flag or a finite number."""
    return is_text(value) or is_flag(value) or is_number(value)


def is_texts(value: Any) -> bool:
    """Whether the value is a list of texts."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def is_choices(value: Any) -> bool:
    """Whether the value is one parameter value, or a list of at least one."""
    return is_scalar(value) or (isinstance(value, list) and bool(value) and all(is_scalar(one) for one in value))


def is_table(value: Any) -> bool:
    """Whether the value is a table."""
    return isinstance(value, dict)


def table_of(shape: Shape) -> Shape:
    """Return the shape of a table whose values all have `shape`."""
    return lambda value: isinstance(value, dict) and all(shape(one) for one in value.values())


ITEM: Mapping[str, tuple[Shape, str]] = {
    "family": (is_text, 'text, such as "rng.state_bytes"'),
    "params": (table_of(is_choices), "a table of lists, such as { n = [12, 24] }"),
    "unit": (is_text, 'text, such as "GB"'),
    "tolerance": (is_number, "a share from 0 to 0.5"),
    "slips": (table_of(is_number), 'a table of numbers, such as { "one moment only" = 21 }'),
    "transfer_of": (is_text, "the id of an item, in quotes"),
    "sealed": (is_flag, "true or false"),
}
LINK: Mapping[str, tuple[Shape, str]] = {
    "set": (table_of(is_scalar), "a table of parameters, such as { p = 0.5 }"),
    "bet": (is_text, "the id of a bet, in quotes"),
}
OPTION: Mapping[str, tuple[Shape, str]] = {"myth": (is_text, "the id of a myth, in quotes")}
GAP: Mapping[str, tuple[Shape, str]] = {
    "accept": (is_texts, 'a list of texts in quotes, such as ["no_grad", "inference_mode"]'),
    "slips": (table_of(is_text), 'a table of myths by the wrong text, such as { "eval" = "eval-frees-activations" }'),
    "ignore_case": (is_flag, "true or false"),
}
DECK: Mapping[str, tuple[Shape, str]] = {
    "level": (is_text, "text: easy, medium or hard"),
    "quiz": (is_flag, "true or false"),
    "as_served": (is_flag, "true or false"),
    "guide": (is_text, 'the name of a file, such as "guide.md"'),
    "blurb": (is_text, "a sentence in quotes"),
}
CONCEPT: Mapping[str, tuple[Shape, str]] = {
    "deck": (is_text, "the name of a deck, in quotes"),
    "requires": (is_texts, 'a list of concepts in quotes, such as ["rng.streams"]'),
}
MYTH: Mapping[str, tuple[Shape, str]] = {"concept": (is_text, "the id of a concept, in quotes")}


def misshapen(
    source: Source, table: Mapping[str, Any], shapes: Mapping[str, tuple[Shape, str]], place: Place, where: str
) -> bool:
    """Complain about each value that has not its shape; return whether there was one."""
    before = len(source.problems)
    for key, (shape, right) in shapes.items():
        if key in table and not shape(table[key]):
            source.complain((key, place), f"{key} of {where} must be {right}.")
    return len(source.problems) > before


def tables(source: Source, key: str, right: str) -> dict[str, Mapping[str, Any]]:
    """Return the tables named below `key`, complaining about what is none; `right` shows how one is written."""
    found = source.values.get(key, {})
    if not isinstance(found, dict):
        source.complain(source.key(key, 1), f"{key} is not a table of tables; write {right}.")
        return {}
    for name, value in found.items():
        if not isinstance(value, dict):
            source.complain(source.key(name, 1), f"{key} {name} is not a table; write {right}.")
    return {name: value for name, value in found.items() if isinstance(value, dict)}


def is_entry(entry: Any) -> bool:
    """Whether an overlay's entry is a table of texts, its options and points too, and its gaps lists of texts."""
    return (
        isinstance(entry, dict)
        and all(is_text(entry.get(key, "")) for key in ("of", "stem", "why"))
        and all(table_of(is_text)(entry.get(key, {})) for key in ("option", "rubric"))
        and table_of(is_texts)(entry.get("gap", {}))
    )
