"""Adds an item to a deck file: a fresh id and the tables its kind needs, for the author to fill in."""

from __future__ import annotations

import re
import secrets
from collections.abc import Container
from pathlib import Path

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that are not taken for one another."""
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_HEAD = """schema = 1
deck = "{deck}"
lang = "en"
title = "{title}"
level = "medium"
quiz = false
as_served = false
"""
_ITEM = """
[[item]]
id = "{id}"
kind = "{kind}"
concept = "{concept}"
level = "medium"
rev = 1
stem = ''
{answer}why = ''
sources = [""]
"""
_ANSWERS = {
    "choice": 'answer = ["right"]\n',
    "multi": 'answer = ["right", "too"]\n',
    "order": 'answer = ["one", "two", "three"]\n',
    "numeric": 'answer = [""]\nunit = ""\ntolerance = 0.01\n',
}
_TABLES = {
    "choice": ("option.right", "option.wrong", "option.other"),
    "multi": ("option.right", "option.too", "option.wrong"),
    "order": ("option.one", "option.two", "option.three"),
    "explain": ("rubric",),
    "cloze": ("gap.word",),
}
_BODIES = {
    "cloze": 'accept = [""]\n',
    "explain": "first = ''\nsecond = ''\nthird = ''\nfourth = ''\n",
}
KINDS = ("choice", "multi", "numeric", "order", "cloze", "explain")
"""The kinds that can be begun without naming an experiment."""


def fresh_id(prefix: str, taken: Container[str]) -> str:
    """Return a random id that is not taken: a prefix and four characters that say nothing about the text."""
    while True:
        id = f"{prefix}-{''.join(secrets.choice(ALPHABET) for _ in range(4))}"
        if id not in taken:
            return id


def add_item(path: Path, kind: str, concept: str, id: str) -> int:
    """Write an unfilled item at the end of a deck file, and the file if there is none; return the item's line.

    Raises OSError where the file cannot be written and UnicodeDecodeError where it is no text.
    """
    if path.exists():
        before = path.read_text(encoding="utf-8")
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        name = path.parent.name
        before = _HEAD.format(deck=name, title=name.replace("-", " ").capitalize())
    before += "" if before.endswith("\n") else "\n"
    text = before + _ITEM.format(id=id, kind=kind, concept=concept, answer=_ANSWERS.get(kind, "")) + _tables(kind)
    path.write_text(text, encoding="utf-8")
    return before.count("\n") + 2


def _tables(kind: str) -> str:
    """Return the tables of a kind's options, points or gaps, each wrong option with a place for its myth."""
    wrong = ("option.wrong", "option.other") if kind in ("choice", "multi") else ()
    body = _BODIES.get(kind, "text = ''\n")
    return "".join(
        f"\n[item.{name}]\n{body}" + ('myth = ""\n' if name in wrong else "") for name in _TABLES.get(kind, ())
    )
