"""Loading: ten decks of a thousand items each, beside the bare reading of their TOML and beside the shipped decks."""

from __future__ import annotations

import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tutor.content.load import load_library

Figure = tuple[str, float, str, float | None]
DECKS, ITEMS, REPEATS = 10, 1_000, 5
HEAD = 'schema = 1\ndeck = "{deck}"\nlang = "en"\ntitle = "Many"\n'
ITEM = """
[[item]]
id = "{deck}-{number}"
kind = "choice"
concept = "mem.units"
level = "easy"
rev = 1
stem = 'Which is question {number}?'
answer = ["a"]
why = 'So.'
sources = ["a book"]

[item.option.a]
text = 'One'

[item.option.b]
text = 'Two'
myth = "two"
"""


def write(root: Path) -> list[Path]:
    """Write the decks and return their files."""
    files = []
    for number in range(DECKS):
        deck = f"many{number}"
        path = root / deck / "deck.toml"
        path.parent.mkdir()
        items = (ITEM.format(deck=deck, number=place) for place in range(ITEMS))
        path.write_text(HEAD.format(deck=deck) + "".join(items), encoding="utf-8")
        files.append(path)
    return files


def measure() -> Iterator[Figure]:
    """Yield seconds to load 10,000 items, and how many times the bare reading of their TOML that is."""
    with tempfile.TemporaryDirectory() as place:
        files = write(Path(place))
        loads, bare = [], []
        for _ in range(REPEATS):
            started = time.perf_counter()
            for file in files:
                tomllib.loads(file.read_text(encoding="utf-8"))
            bare.append(time.perf_counter() - started)
            started = time.perf_counter()
            assert len(load_library([Path(place)], "en", {}).items) == DECKS * ITEMS
            loads.append(time.perf_counter() - started)
    yield "10,000 items loaded, checked and hashed", median(loads), "s", 1.0
    yield "10,000 items loaded / their TOML read by tomllib", median(loads) / median(bare), "x", None


if __name__ == "__main__":
    for figure in measure():
        print(figure)
