"""A TOML file with its line numbers, so that every complaint about a deck can say where."""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import tomli

from tutor.content.model import UNREAD, Problem

MAX_BYTES = 2_000_000
MAX_NAMES = 16
"""Names that dots may join into one key: a reader of TOML keeps every beginning of a key, so that its memory grows with the square."""
MAX_PROBLEMS = 1_000
"""Sentences about one file; who has more to mend mends these first."""
_HEADER = re.compile(r"^\s*\[(\[)?([^\]]+)\]")
_QUOTES = {ord(sign): None for sign in "\"' "}
_NAME = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+"""
_DEEP = re.compile(rf"(?:^|[\[{{,])[ \t]*+(?:{_NAME}\.[ \t]*+){{{MAX_NAMES}}}")
"""A key where one may stand in a line, with more names than that. Nothing in it is tried twice, so that a line is gone through once."""
_AT_LINE = re.compile(r"\(at line (\d+)")


Place = int | tuple[str, "Place"]
"""A line, or a key at or after a place: its line is looked for only where there is something to complain of."""


@dataclass
class Source:
    """One parsed file: its values, its lines, and the problems found while reading it."""

    path: Path
    values: Mapping[str, Any]
    lines: list[str]
    problems: list[Problem] = field(default_factory=list)

    def complain(self, place: Place, message: str, rule: str = "", severity: str = "error") -> None:
        """Note a problem at a place."""
        self.problems.append(Problem(str(self.path), self.line(place), message, rule, severity))

    def told(self) -> list[Problem]:
        """Return the problems an author reads: of a file with too many the first ones, and how many more there are."""
        more = len(self.problems) - MAX_PROBLEMS
        if more <= 0:
            return self.problems
        said = f"{more} more problems in this file; mend those above first."
        return [*self.problems[:MAX_PROBLEMS], Problem(str(self.path), self.problems[MAX_PROBLEMS].line, said)]

    def tables(self, name: str) -> list[int]:
        """Return the lines of the headers `[[name]]`, in order."""
        return [line for line, array, table in self._headers if array and table == name]

    def table(self, name: str) -> int:
        """Return the line of the header `[name]`, or 1."""
        return self._first.get(name, 1)

    @cached_property
    def _first(self) -> dict[str, int]:
        """The line on which each table is headed first."""
        return {name: line for line, _, name in reversed(self._headers)}

    def line(self, place: Place) -> int:
        """Return the line of a place."""
        return place if isinstance(place, int) else self.key(place[0], self.line(place[1]))

    def key(self, key: str, start: int) -> int:
        """Return the line of `key =`, or of a table header that ends in it, at or after line `start`; else `start`.

        The search ends before the next `[[table]]`, whose keys are another's; from line 1 it goes through the file.
        """
        places = self._places.get(key, ())
        after = bisect_left(places, start)
        if after == len(places):
            return start
        later = bisect_right(self._arrays, start)
        end = self._arrays[later] if start > 1 and later < len(self._arrays) else len(self.lines) + 1
        return places[after] if places[after] < end else start

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """The lines on which each key, or a table header that ends in it, stands: found in one pass, asked for many times."""
        found: dict[str, list[int]] = {}
        for number, line in enumerate(self.lines, start=1):
            text = line.lstrip()
            if text[:1] == "[":
                name = text.strip("[] ").rsplit(".", 1)[-1]
            elif "=" in text:
                name = text.partition("=")[0]
            else:
                continue
            found.setdefault(_plain(name), []).append(number)
        return found

    @cached_property
    def _arrays(self) -> list[int]:
        """The lines of the headers `[[...]]`."""
        return [line for line, array, _ in self._headers if array]

    @cached_property
    def _headers(self) -> list[tuple[int, bool, str]]:
        """Every table header as (line, whether it is one of an array, its name without quotes)."""
        bracketed = ((number, line) for number, line in enumerate(self.lines, start=1) if line.lstrip()[:1] == "[")
        found = ((number, _HEADER.match(line)) for number, line in bracketed)
        return [(number, bool(match[1]), _plain(match[2])) for number, match in found if match]


def read_toml(path: Path) -> Source:
    """Read a TOML file; what is wrong with it is in the source's problems, and its values are then empty."""
    source = Source(path, {}, [])
    try:
        if path.stat().st_size > MAX_BYTES:
            source.complain(1, f"the file is larger than {MAX_BYTES // 1_000_000} MB; split it into several decks.")
            return source
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        source.complain(1, f"byte {error.start} is not UTF-8; save the file as UTF-8.")
        return source
    except OSError as error:
        source.complain(1, f"cannot be read: {error.strerror}; check its permissions.", UNREAD)
        return source
    source.lines = text.split("\n")
    dotted = ((number, line) for number, line in enumerate(source.lines, start=1) if line.count(".") >= MAX_NAMES)
    if deep := next((number for number, line in dotted if _DEEP.search(line)), 0):
        source.complain(deep, f"more than {MAX_NAMES} names joined by dots; a deck nests no deeper than four.")
        return source
    try:
        source.values = tomli.loads(text)
    except (ValueError, RecursionError) as error:
        found = _AT_LINE.search(str(error))
        source.complain(int(found[1]) if found else len(source.lines), f"not TOML: {_fault(error)}; mend this line.")
    return source


def _fault(error: ValueError | RecursionError) -> str:
    """Return what a reader of TOML stumbled over, in words."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if not isinstance(error, tomli.TOMLDecodeError):  # Python's own bound on the digits of a number
        return "a number has too many digits"
    return _AT_LINE.split(str(error))[0].strip(" (")


def unknown_keys(source: Source, table: Mapping[str, Any], known: Iterable[str], place: Place, where: str) -> None:
    """Complain about each key that means nothing here, with the nearest one that does."""
    names = list(known)
    unknown = table.keys() - names
    for key in table if unknown else ():
        if key in unknown:
            near = difflib.get_close_matches(key, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(names)}."
            source.complain((key, place), f"unknown key {key!r} in {where}; {hint}")


def text_of(source: Source, table: Mapping[str, Any], key: str, place: Place, where: str, required: bool = True) -> str:
    """Return a text value, complaining where it is missing, empty or not text."""
    if key not in table:
        if required:
            source.complain(place, f"{where} has no {key!r}; add one.")
        return ""
    value = table[key]
    if not isinstance(value, str):
        source.complain((key, place), f"{key} of {where} is {value!r}, not text; quote it.")
        return ""
    if required and not value.strip():
        source.complain((key, place), f"{key} of {where} is empty; write it.")
    return value


def _plain(table: str) -> str:
    return table.translate(_QUOTES)
