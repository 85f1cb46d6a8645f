"""The learner's file beside Anki's own library: opened to the first card, answered and taken back, in turn with Anki in one run."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

from tests.bench.anki_library import Anki, Took, installed, timed
from tests.bench.answer import payload
from tests.bench.bulk import fill
from tests.bench.progress import shelf
from tests.support import FakeClock
from tutor.content.model import Library
from tutor.learning import moves
from tutor.paths import Home
from tutor.store import open_store
from tutor.study.desk import Desk
from tutor.study.sitting import Sitting

SIZES = (1_000, 10_000, 100_000)
ANSWERED_AT = 10_000
Times = tuple[float, float, float]
"""Wall-clock milliseconds of an answer, of its undoing, and of laying the answer over cards and figures afterwards."""
Figure = tuple[str, float, str, float | None]
"""Name, value, unit, and the aim it must not exceed."""


class Shelf(Desk):
    """A desk whose library holds the questions of the log; both programs find them read, for Anki keeps them in its file."""

    def __init__(self, home: Home, clock: FakeClock, items: Library) -> None:
        super().__init__(home, clock)
        self.__dict__["library"] = items
        self.available  # noqa: B018 - which experiments run here is found out once a program

    def reopen(self) -> None:
        """Open the file anew and pose the first question."""
        self.store = open_store(self.home, self.clock)
        Sitting(self, replace(self.rules(), confidence=False))


def decked(cards: int) -> Library:
    """Return a library that holds every item of the log in its deck."""
    items = shelf(cards)
    deck = replace(items.decks[0], items=tuple(items.items.values()))
    return replace(items, decks=(deck,))


def measure(sizes: tuple[int, ...] = SIZES, rounds: int = 7, answers: int = 40) -> Iterator[Figure]:
    """Yield each figure as it is found; what has no peer here is given without a ratio and a line says so."""
    if not installed():
        print("beside Anki's library: no peer, since pip found no `anki` for this machine; ours are given alone")
    for cards in sizes:
        with tempfile.TemporaryDirectory() as place:
            folder, clock = Path(place), FakeClock()
            home = Home(folder / "home")
            fill(home, clock, cards, cards)
            with Shelf(home, clock, decked(cards)) as desk:
                if not installed():
                    yield from _alone(desk, cards, rounds, answers)
                    continue
                with Anki(folder / "collection.anki2", cards) as anki:
                    yield from _opened(desk, anki, cards, rounds)
                    if cards == ANSWERED_AT:
                        yield from _answered(desk, anki, answers)


def _open(desk: Shelf) -> Took:
    desk.store.close()
    return timed(desk.reopen)


def _opened(desk: Shelf, anki: Anki, cards: int, rounds: int) -> Iterator[Figure]:
    _open(desk)
    pairs = [(_open(desk), anki("open")) for _ in range(rounds)]
    name = f"file opened to first card, {cards:,} cards"
    yield f"{name}, ms of CPU", median(ours[1] for ours, _ in pairs), "ms", None
    yield f"{name}: Anki's library, ms of CPU", median(theirs[1] for _, theirs in pairs), "ms", None
    yield f"{name} / Anki's library", median(ours[1] / theirs[1] for ours, theirs in pairs), "x", 0.25


def _answered(desk: Shelf, anki: Anki, rounds: int) -> Iterator[Figure]:
    """Answer and take back in turn; wall clock, since most of a durable answer is waiting for the disk."""
    sitting = Sitting(desk, replace(desk.rules(), confidence=False))
    sitting.settle()  # as on the screen, once the first question is painted
    whole: list[tuple[Times, Took]] = []
    stored: list[tuple[Times, Took]] = []
    for _ in range(rounds):
        for found, pair in ((whole, _through(sitting)), (stored, _stored(desk))):
            found.append((pair, (anki("answer")[0], anki("undo")[0])))
    yield from _beside("step of the session and store", whole)
    yield from _beside("store alone", stored)


def _beside(what: str, rows: list[tuple[Times, Took]]) -> Iterator[Figure]:
    for at, order in enumerate(("answer", "undo")):
        both = [(ours[at], theirs[at]) for ours, theirs in rows]
        name = f"durable {order}, {ANSWERED_AT:,} cards, {what}, p50"
        yield name, median(ours for ours, _ in both), "ms", None
        yield f"{name}: Anki's library", median(theirs for _, theirs in both), "ms", None
        yield f"{name} / Anki's library", median(ours / theirs for ours, theirs in both), "x", 1.0
    followed = median(ours[2] for ours, _ in rows)
    yield f"then laid over cards and figures, {ANSWERED_AT:,} cards, {what}, p50", followed, "ms", None


def _through(sitting: Sitting) -> Times:
    """Return milliseconds from a right answer to its committed verdict, and of taking it back, with a look at the verdict in between."""
    desk = sitting.desk
    answer = timed(lambda: sitting.send(moves.Answer(desk.now(), choice=("good",))))
    followed = timed(sitting.settle)
    undo = timed(lambda: sitting.send(moves.Undo(desk.now())))
    sitting.settle()
    return answer[0], undo[0], followed[0]


def _stored(desk: Desk) -> Times:
    """Return milliseconds of the answer's event and of the event that undoes it; cards and figures follow in between, as on the screen."""
    store, now, day, refs = desk.store, desk.now(), desk.day(), []
    answer = timed(lambda: refs.append(store.append("answered", payload("i-1", day), now, day)))
    followed = timed(store.settle)
    undo = timed(lambda: store.undo(refs[0], now, day))
    store.settle()
    return answer[0], undo[0], followed[0]


def _alone(desk: Shelf, cards: int, rounds: int, answers: int) -> Iterator[Figure]:
    _open(desk)
    opened = [_open(desk)[1] for _ in range(rounds)]
    yield f"file opened to first card, {cards:,} cards, ms of CPU (no peer)", median(opened), "ms", None
    if cards == ANSWERED_AT:
        sitting = Sitting(desk, replace(desk.rules(), confidence=False))
        both = [_through(sitting) for _ in range(answers)]
        for at, order in enumerate(("answer", "undo")):
            yield f"durable {order}, {cards:,} cards, p50 (no peer)", median(times[at] for times in both), "ms", None


if __name__ == "__main__":
    import sys

    for figure in measure(tuple(int(argument) for argument in sys.argv[1:]) or SIZES):
        print(*figure, flush=True)
