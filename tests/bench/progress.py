"""The figures of the Progress screen at 100,000 cards and a million reviews, beside the graphs of Anki's own library.

Anki is no dependency of the tutor. Where it is wanted: `pip install --target build/peers anki`; the bench says when it is absent.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

from tests.bench.bulk import CONCEPTS, DAYS, TODAY, fill
from tests.bench.peers import FOLDER
from tests.support import FakeClock, choice, library
from tutor.content.model import Library
from tutor.paths import Home
from tutor.report import build_report
from tutor.store import Store, open_store

CARDS, REVIEWS = 100_000, 1_000_000
Figure = tuple[str, float, str] | tuple[str, float, str, float]


def shelf(cards: int = CARDS) -> Library:
    """Return a library that holds every item of the log."""
    items = [choice(f"i-{n}", f"k{n % CONCEPTS}") for n in range(cards)]
    return replace(library(), items={item.id: item for item in items})


def ours(store: Store, items: Library, clock: FakeClock, rounds: int = 7) -> float:
    """Return the median milliseconds of one report model, every figure of the Progress screen."""
    times = []
    for _ in range(rounds):
        started = time.process_time()
        build_report(store, items, {}, TODAY, clock.utc_us)
        times.append(time.process_time() - started)
    return median(times) * 1000


ANKI = """
import sqlite3, statistics, sys, time
from anki.collection import Collection
path, cards, reviews, days = sys.argv[1], *map(int, sys.argv[2:])
col = Collection(path)
kind = col.models.by_name("Basic")["id"]
col.close()
now = int(time.time())
base, span = (now - days * 86400) * 1000, days * 86400 * 1000
db = sqlite3.connect(path)
db.executemany(f"insert into notes values ({','.join('?' * 11)})",
    ((base + n, f"g{n}", kind, now, -1, "", f"q{n}\x1fa", f"q{n}", 0, 0, "") for n in range(cards)))
db.executemany(f"insert into cards values ({','.join('?' * 18)})",
    ((base + n, base + n, 1, 0, now, -1, 2, 2, n % 300, 1 + n % 300, 2500, reviews // cards, 1, 0, 0, 0, 0, "") for n in range(cards)))
db.executemany(f"insert into revlog values ({','.join('?' * 9)})",
    ((base + n * span // reviews, base + n % cards, -1, 1 if n % 8 == 0 else 3, 1 + n % 300, 1 + n % 200, 2500, 4000, 1)
     for n in range(reviews)))
db.commit()
db.close()
col = Collection(path)
times = []
for _ in range(7):
    started = time.process_time()
    col._backend.graphs(search="", days=0)
    times.append(time.process_time() - started)
print(statistics.median(times) * 1000)
col.close()
"""


def anki(folder: Path, cards: int = CARDS, reviews: int = REVIEWS) -> float | None:
    """Return the median milliseconds of Anki's graphs over all time on as many cards and reviews, or None where it is absent."""
    if not (FOLDER / "anki").is_dir():
        return None
    arguments = [str(folder / "anki.anki2"), str(cards), str(reviews), str(DAYS)]
    environ = os.environ | {"PYTHONPATH": str(FOLDER)}
    done = subprocess.run(
        [sys.executable, "-c", ANKI, *arguments], capture_output=True, text=True, check=True, env=environ
    )
    return float(done.stdout.split()[-1])


def measure(cards: int = CARDS, reviews: int = REVIEWS) -> list[Figure]:
    """Return the milliseconds of both and their ratio, with its aim."""
    with tempfile.TemporaryDirectory() as place:
        home, clock = Home(Path(place) / "home"), FakeClock()
        fill(home, clock, cards, reviews)
        items = shelf(cards)
        with open_store(home, clock, read_only=True) as store:
            took = ours(store, items, clock)
        name = f"Progress at {cards:,} cards, {reviews:,} reviews"
        figures: list[Figure] = [(name, took, "ms")]
        theirs = anki(Path(place), cards, reviews)
        if theirs is None:
            print("Anki's graphs: no peer, since pip found no `anki` for this machine; ours are given alone")
        else:
            figures += [
                ("Anki's graphs on as many", theirs, "ms"),
                ("Progress / Anki's graphs", took / theirs, "x", 0.25),
            ]
    return figures


if __name__ == "__main__":
    for figure in measure(*(int(argument) for argument in sys.argv[1:])):
        print(*figure)
