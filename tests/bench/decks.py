"""Loading: ten decks of a thousand items each, from their text and as they were kept, beside the bare reading of their TOML."""

from __future__ import annotations

import tempfile
import time
import tomllib
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tutor.content.kept import SETTLED_NS, Kept
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
    """Yield seconds of processor time to load 10,000 items from their text and as they were kept, and how many times the bare TOML the text takes."""
    with tempfile.TemporaryDirectory() as place:
        files = write(Path(place))
        file = Path(place) / "cache" / "decks.json"
        time.sleep(SETTLED_NS / 1e9)
        values = Kept(file)
        load_library([Path(place)], "en", {}, values)
        values.save()
        anew, kept, bare = [], [], []
        for _ in range(REPEATS):
            started = time.process_time()
            for path in files:
                tomllib.loads(path.read_text(encoding="utf-8"))
            bare.append(time.process_time() - started)
            for seconds, using in ((anew, None), (kept, file)):
                started = time.process_time()
                assert len(load_library([Path(place)], "en", {}, Kept(using)).items) == DECKS * ITEMS
                seconds.append(time.process_time() - started)
        memory = peak(Path(place), file)
    yield "10,000 items loaded, checked and hashed, processor time", median(anew), "s", 1.0
    yield "10,000 items loaded as they were kept, processor time", median(kept), "s", 0.3
    yield "10,000 items loaded / their TOML read by tomllib", median(anew) / median(bare), "x", 1.5
    yield "memory of 10,000 items, peak while loaded as kept", memory, "MiB", 60


def peak(root: Path, file: Path) -> float:
    """Return MiB of Python's memory at its highest while the library is read from what was kept."""
    tracemalloc.start()
    library = load_library([root], "en", {}, Kept(file))
    highest = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    assert library.items
    return highest


if __name__ == "__main__":
    for figure in measure():
        print(figure)
