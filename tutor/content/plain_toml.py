"""The plain part of TOML that decks are written in, read several times as fast as by `tomllib`.

A statement a line: headers and keys of bare or simply quoted names, and texts without escapes, whole and decimal numbers, flags and
lists of such texts. A text may run over lines between three quotes. Whatever else a file holds is left to `tomllib`: one value where it ends
with its line, else the whole file, and so is every file that breaks a rule, since its complaint names the line. What is read is
therefore always what `tomllib` reads.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_NAME = r"""(?:[A-Za-z0-9_-]+|"[^"\\\n]*"|'[^'\n]*')"""
_TEXT = r"""(?:"[^"\\\n]*"(?!")|'[^'\n]*'(?!'))"""
_KEY = rf"{_NAME}(?:[ \t]*\.[ \t]*{_NAME})*"
_GAP = r"[ \t\n]*"
_END = r"[ \t]*(?:\#[^\n]*)?(?:\n|\Z)"
_STATEMENT = re.compile(
    rf"""[ \t]*(?:
      (?P<blank>(?:\#[^\n]*)?(?:\n|\Z))
    | (?P<key>{_KEY})[ \t]*=[ \t]*(?:
        (?P<text>{_TEXT}){_END}
      | (?P<flag>true|false){_END}
      | (?P<whole>0|[1-9][0-9]*){_END}
      | (?P<decimal>(?:0|[1-9][0-9]*)\.[0-9]+){_END}
      | \[{_GAP}(?:(?P<texts>{_TEXT}(?:{_GAP},{_GAP}{_TEXT})*){_GAP},?{_GAP})?\]{_END}
      | '''\n?(?P<lines>.*?)'''(?!'){_END}
      | \"""\n?(?P<wrapped>.*?)\"""(?!"){_END}
      | (?P<other>[^\n]*)(?:\n|\Z)
      )
    | \[[ \t]*(?P<table>{_KEY})[ \t]*\]{_END}
    | \[\[[ \t]*(?P<array>{_KEY})[ \t]*\]\]{_END}
    )""",
    re.VERBOSE | re.DOTALL,
)
_NAMES = re.compile(_NAME)
_TEXTS = re.compile(_TEXT)


def loads(text: str) -> dict[str, Any]:
    """Return the values of a TOML text whose lines end in LF. Raises `tomllib.TOMLDecodeError`."""
    read = _plain(text)
    return tomllib.loads(text) if read is None else read


def _plain(text: str) -> dict[str, Any] | None:
    """Return the values of a plain text, or None where it is not plain."""
    if _CONTROL.search(text):
        return None
    root: dict[str, Any] = {}
    table, opened = root, _Opened()
    at, end = 0, len(text)
    match = _STATEMENT.match
    while at < end:
        stop = text.find("\n", at)
        line = text[at:stop] if stop >= 0 else text[at:]
        if not line:
            at += 1
            continue
        name, _, value = line.partition(" = ")  # the usual line, by which most of the time is saved
        if _is_text(value) and name.isidentifier() and name.isascii() and name not in table:
            table[name] = value[1:-1]
            at += len(line) + 1
            continue
        found = match(text, at)
        if found is None:
            return None
        at = found.end()
        kind = found.lastgroup
        if kind == "blank":
            continue
        if kind == "table" or kind == "array":
            names = _names(found[kind])
            made = opened.array(root, names) if kind == "array" else opened.table(root, names)
            if made is None:
                return None
            table = made
            continue
        place: dict[str, Any] | None = table
        name = found["key"]
        if not name.isidentifier():
            *way, name = _names(name)
            place = opened.inner(table, way)
        if place is None or name in place:
            return None
        try:
            place[name] = _value(found, kind)
        except (ValueError, RecursionError):
            return None
    return root


def _is_text(value: str) -> bool:
    """Whether the rest of a line is one text without escapes, and nothing else."""
    sign = value[:1]
    if sign == "'" or (sign == '"' and "\\" not in value):
        return value.find(sign, 1) == len(value) - 1 > 0
    return False


def _value(found: re.Match[str], kind: str | None) -> Any:
    """Return the value of a statement; raises ValueError where it is not plain."""
    if kind == "text":
        return found[kind][1:-1]
    if kind == "texts":
        return [one[1:-1] for one in _TEXTS.findall(found[kind])]
    if kind == "lines" or kind == "wrapped":
        inside: str = found[kind]
        if "'''" in inside or '"""' in inside or (kind == "wrapped" and "\\" in inside):
            raise ValueError(kind)
        return inside
    if kind == "whole":
        return int(found[kind])
    if kind == "decimal":
        return float(found[kind])
    if kind == "flag":
        return found[kind] == "true"
    if kind == "key":  # the one value without a group of its own: a list of nothing
        return []
    return tomllib.loads(f"v = {found['other']}")["v"]


class _Opened:
    """The tables and arrays that headers made, and the tables that dotted keys made: each may be added to by its own kind alone."""

    def __init__(self) -> None:
        self._tables: dict[int, dict[str, Any]] = {}
        self._arrays: dict[int, list[Any]] = {}
        self._dotted: dict[int, dict[str, Any]] = {}

    def table(self, root: dict[str, Any], names: list[str]) -> dict[str, Any] | None:
        """Return the new table of a header `[a.b]`, or None where there is something of that name."""
        place = self._way(root, names[:-1])
        if place is None or names[-1] in place:
            return None
        return self._new(place, names[-1])

    def array(self, root: dict[str, Any], names: list[str]) -> dict[str, Any] | None:
        """Return the new table that a header `[[a.b]]` adds to its array, or None where that is another value."""
        place = self._way(root, names[:-1])
        if place is None:
            return None
        array = place.get(names[-1])
        if array is None:
            array = place[names[-1]] = []
            self._arrays[id(array)] = array
        if id(array) not in self._arrays:
            return None
        made: dict[str, Any] = {}
        self._tables[id(made)] = made
        array.append(made)
        return made

    def inner(self, table: dict[str, Any], names: list[str]) -> dict[str, Any] | None:
        """Return the table that the last name of a key `a.b.c` stands in, or None where a header or a value made it."""
        for name in names:
            inside = table.get(name)
            if inside is None:
                inside = table[name] = {}
                self._dotted[id(inside)] = inside
            elif id(inside) not in self._dotted:
                return None
            table = inside
        return table

    def _way(self, root: dict[str, Any], names: list[str]) -> dict[str, Any] | None:
        """Return the table that holds the last name of a header; tables on the way are made."""
        place = root
        for name in names:
            inner = place.get(name)
            if inner is None:
                inner = self._new(place, name)
            elif id(inner) in self._arrays:
                inner = inner[-1]
            elif id(inner) not in self._tables:
                return None
            place = inner
        return place

    def _new(self, place: dict[str, Any], name: str) -> dict[str, Any]:
        made: dict[str, Any] = {}
        self._tables[id(made)] = made
        place[name] = made
        return made


def _names(key: str) -> list[str]:
    """Return the names of a key or a header, without quotes and the dots between."""
    return [name.strip("\"'") if name[0] in "\"'" else name for name in _NAMES.findall(key)]
