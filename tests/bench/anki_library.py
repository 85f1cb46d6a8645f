"""Anki's own library at work, in a process of its own: `python -m tests.bench.anki_library FILE CARDS` fills a file and obeys lines.

`open` closes the file, opens it and asks for the next card; `answer` answers that card Good; `undo` takes the answer back. Each is
answered by its wall-clock and CPU milliseconds. Anki is licensed under the AGPL: it is measured here and is no part of the tutor.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from tests.bench.peers import FOLDER

NOTE = f"insert into notes values ({','.join('?' * 11)})"
CARD = f"insert into cards values ({','.join('?' * 18)})"
WHOLE_DAY = 86_400
Took = tuple[float, float]
"""Wall-clock and CPU milliseconds."""


def installed() -> bool:
    """Whether Anki is there."""
    return (FOLDER / "anki").is_dir()


class Anki:
    """Anki's library on a file of `cards` cards, a fifteenth of them due. A context manager."""

    def __init__(self, path: Path, cards: int) -> None:
        environ = os.environ | {"PYTHONPATH": f"{FOLDER}{os.pathsep}{FOLDER.parents[1]}"}
        command = [sys.executable, "-m", "tests.bench.anki_library", str(path), str(cards)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=environ
        )
        self("open")  # the first in a process loads what later ones find

    def __enter__(self) -> Anki:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def __call__(self, order: str) -> Took:
        """Have `open`, `answer` or `undo` done and return what it took."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(f"{order}\n")
        wall, cpu = self._process.stdout.readline().split()
        return float(wall), float(cpu)


def timed(work: Callable[[], object]) -> Took:
    """Return what some work took."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return 1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - cpu)


def fill(path: str, cards: int) -> None:
    """Write a collection of review cards of the Basic note type."""
    from anki.collection import Collection  # type: ignore[import-not-found]

    collection = Collection(path)
    kind = collection.models.by_name("Basic")["id"]
    collection.close()
    now = int(time.time())
    base = (now - 700 * WHOLE_DAY) * 1000
    db = sqlite3.connect(path)
    db.executemany(
        NOTE, ((base + n, f"g{n}", kind, now, -1, "", f"q{n}\x1fa", f"q{n}", 0, 0, "") for n in range(cards))
    )
    rows = (
        (base + n, base + n, 1, 0, now, -1, 2, 2, n % 300 - 20, 1 + n % 300, 2500, 10, 1, 0, 0, 0, 0, "")
        for n in range(cards)
    )
    db.executemany(CARD, rows)
    db.commit()
    db.close()


def obey(path: str) -> None:
    """Do what each line of standard input asks for."""
    from anki.collection import Collection
    from anki.scheduler.v3 import CardAnswer  # type: ignore[import-not-found]

    collection = Collection(path)

    def reopen() -> None:
        nonlocal collection
        collection = Collection(path)
        collection.sched.get_queued_cards(fetch_limit=1).cards[0]

    for line in sys.stdin:
        match line.strip():
            case "open":
                collection.close()
                took = timed(reopen)
            case "answer":
                queued = collection.sched.get_queued_cards(fetch_limit=1).cards[0]
                card = collection.get_card(queued.card.id)
                card.start_timer()
                said = collection.sched.build_answer(card=card, states=queued.states, rating=CardAnswer.GOOD)
                took = timed(lambda said=said: collection.sched.answer_card(said))
            case _:
                took = timed(lambda: collection.undo())
        print(*took, flush=True)
    collection.close()


if __name__ == "__main__":
    fill(sys.argv[1], int(sys.argv[2]))
    obey(sys.argv[1])
