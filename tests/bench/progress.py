"""The figures of the Progress screen at 100,000 cards and a million reviews, beside the graphs of Anki's own library.

Anki is no dependency of the tutor. Where it is wanted: `pip install --target build/peers anki`; the bench says when it is absent.
"""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.answer import payload
from tests.bench.peers import FOLDER
from tests.support import FakeClock, choice, library
from tutor.content.model import Library
from tutor.learning.parameters import default_parameters
from tutor.learning.studyday import add_days
from tutor.paths import Home
from tutor.report import build_report
from tutor.store import Store, open_store
from tutor.store.events import COLUMNS, VERSION, canonical, chain_hash, tick
from tutor.store.projections import rebuild

CARDS, REVIEWS = 100_000, 1_000_000
DAYS, CONCEPTS, MYTHS = 700, 60, 90
TODAY = "2026-11-30"
Figure = tuple[str, float, str] | tuple[str, float, str, float]


def fill(home: Home, clock: FakeClock, cards: int = CARDS, reviews: int = REVIEWS) -> None:
    """Fill a home with a log over seven hundred days, event by event as the store writes them, in one transaction."""
    chance = random.Random(1)
    with open_store(home, clock) as store:
        device = store.device
    db = sqlite3.connect(home.database, isolation_level=None)
    db.execute("BEGIN")
    hlc, prev = "", ""
    for number in range(reviews):
        day = number * DAYS // reviews
        utc_us = clock.utc_us - (DAYS - day) * 86_400_000_000 + number
        item, right = number % cards, chance.random() < 0.87
        ahead = chance.randrange(1, 300)
        answer = payload(
            f"i-{item}",
            TODAY,
            concept=f"k{item % CONCEPTS}",
            correct=right,
            rating=3 if right else 1,
            predicted=None if number < cards else 0.9,
            sureness=chance.choice(("sure", "think", "guess", None)),
            myth=None if right else f"myth-{chance.randrange(MYTHS)}",
            due=add_days(TODAY, ahead - 20),
            interval=ahead,
        )
        hlc = tick(hlc, utc_us)
        fields: dict[str, Any] = {
            "device": device, "seq": number + 1, "kind": "answered", "v": VERSION, "hlc": hlc, "utc_us": utc_us,
            "mono_ms": number, "offset_min": 0, "zone": "UTC", "study_day": add_days(TODAY, day - DAYS), "clock_suspect": 0,
            "app": "bench", "prev": prev, "payload": canonical(answer),
        }  # fmt: skip
        prev = fields["hash"] = chain_hash(fields)
        db.execute(f"INSERT INTO event VALUES ({','.join('?' * len(COLUMNS))})", [fields[name] for name in COLUMNS])
    rebuild(db, default_parameters())
    db.execute("COMMIT")
    db.close()


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
        if theirs is not None:
            figures += [
                ("Anki's graphs on as many", theirs, "ms"),
                ("Progress / Anki's graphs", took / theirs, "x", 0.25),
            ]
    return figures


if __name__ == "__main__":
    for figure in measure(*(int(argument) for argument in sys.argv[1:])):
        print(*figure)
