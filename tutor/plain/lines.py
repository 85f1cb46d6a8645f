"""One prompt, one line: reading a learner's line and writing ours. Nothing is redrawn, nothing depends on colour."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable
from typing import TextIO

WIDTH = 100


class EndOfInput(Exception):
    """The input ended; the sitting ends with it and nothing answered is lost."""


class Lines:
    """The two streams of line mode."""

    def __init__(self, source: TextIO | None = None, sink: TextIO | None = None) -> None:
        self._source = source or sys.stdin
        self._sink = sink or sys.stdout

    def say(self, *paragraphs: str) -> None:
        """Write paragraphs, wrapped by words; an empty one is an empty line."""
        for paragraph in paragraphs:
            for line in paragraph.split("\n"):
                self._sink.write("\n".join(textwrap.wrap(line, WIDTH, break_long_words=False)) + "\n")
        self._sink.flush()

    def options(self, texts: Iterable[str]) -> None:
        """Write numbered options, later lines of a long one indented."""
        for place, text in enumerate(texts, start=1):
            self._sink.write(
                textwrap.fill(text, WIDTH, initial_indent=f"  {place}  ", subsequent_indent="     ") + "\n"
            )
        self._sink.flush()

    def ask(self, prompt: str) -> str:
        """Write a prompt and return the line that answers it, stripped. Raises EndOfInput."""
        typed_by_hand = self._source.isatty()
        self._sink.write(f"{prompt}> " if typed_by_hand else f"{prompt}>\n")
        self._sink.flush()
        line = self._source.readline()
        if not line:
            raise EndOfInput
        return line.strip()
