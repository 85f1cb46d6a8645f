"""What other rooms may ask of the learner's file; a damaged or busy file is one sentence."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tutor.i18n import _
from tutor.learning.cards import Card
from tutor.learning.parameters import Parameters
from tutor.learning.records import History
from tutor.paths import Home
from tutor.store import past, read, remembered
from tutor.store.cards import parameters_in_force
from tutor.store.errors import StoreError
from tutor.store.events import Event
from tutor.store.file import damaged
from tutor.store.habits import first_sights
from tutor.store.projections import read_events
from tutor.store.remembered import Memories


class Reader:
    """Reads one connection."""

    def __init__(self, home: Home, db: sqlite3.Connection, device: str = "") -> None:
        self.home = home
        self.device = device
        self._db = db

    def cards(self) -> dict[str, Card]:
        """Return every card by item."""
        with self._reading():
            return read.cards(self._db)

    def lookup(self) -> Mapping[str, Card]:
        """Return the cards by item, each read when it is asked for."""
        return past.cards(self._db, self._reading)

    def cards_of(self, items: Sequence[str]) -> dict[str, Card]:
        """Return the cards of some items, those without one left out."""
        with self._reading():
            return read.cards_of(self._db, items)

    def due(self, day: str, utc_us: int) -> list[tuple[str, str]]:
        """Return the items due on study day `day`, each with the day since when, the one most likely forgotten at `utc_us` first."""
        with self._reading():
            return past.due(self._db, day, utc_us)

    def other_revisions(self) -> list[str]:
        """Return the items whose card was made by another revision than the first."""
        with self._reading():
            return past.other_revisions(self._db)

    def loads(self) -> dict[str, int]:
        """Return how many cards are due on each study day that has any."""
        with self._reading():
            return past.loads(self._db)

    def waiting_until(self, day: str, last: str, without: Sequence[str]) -> dict[str, int]:
        """Return how many cards, but those of some items, are due on each study day to `last`, all up to `day` together under `day`."""
        with self._reading():
            return read.waiting_until(self._db, day, last, without)

    def history(self, day: str) -> History:
        """Return what a sitting on study day `day` needs to know of the past."""
        with self._reading():
            return past.history(self._db, day, self._reading)

    def parameters(self) -> Parameters:
        """Return the parameter set in force."""
        with self._reading():
            return parameters_in_force(self._db)

    def has_parameters(self) -> bool:
        """Whether the log names a parameter set at all."""
        with self._reading():
            return (
                self._db.execute(
                    "SELECT 1 FROM event WHERE kind = 'parameters' AND kind != 'answered' LIMIT 1"
                ).fetchone()
                is not None
            )

    def settings(self) -> dict[str, Any]:
        """Return the last recorded value of each setting."""
        with self._reading():
            return read.settings(self._db)

    def last_answer(self) -> read.Stored | None:
        """Return this device's latest answer that was not undone."""
        with self._reading():
            return read.last_answer(self._db, self.device)

    def answers(self) -> Iterator[read.Stored]:
        """Yield every answer that was not undone, in order."""
        with self._reading():
            yield from read.answers(self._db)

    def runs(self) -> list[read.Stored]:
        """Return every run, in order."""
        with self._reading():
            return read.runs(self._db)

    def days(self) -> list[read.DayRow]:
        """Return the study days with answers, in order."""
        with self._reading():
            return read.days(self._db)

    def held(self) -> list[read.Held]:
        """Return every card's row for the statistics."""
        with self._reading():
            return read.held(self._db)

    def memories(self, utc_us: int, items: Sequence[str], often: int) -> Memories:
        """Return by concept what recall is expected at an instant of some items, in ascending order, which others have a card, and
        which of all were answered `often` times or more."""
        with self._reading():
            return remembered.memories(self._db, utc_us, self.parameters(), items, often)

    def standings(self) -> list[read.Standing]:
        """Return per concept what the latest answers to its items were."""
        with self._reading():
            return read.standings(self._db)

    def answers_to(self, items: Iterable[str]) -> list[read.Put]:
        """Return every answer to some items that was not undone, in order."""
        with self._reading():
            return read.answers_to(self._db, items)

    def sealed_sights(self, items: Iterable[str]) -> list[read.Sight]:
        """Return the one answer to each of some sealed items, in order of time."""
        with self._reading():
            return read.sealed_sights(self._db, items)

    def first_sights(self) -> tuple[int, int]:
        """Return how many of the last first answers there are, and how many of them were right."""
        with self._reading():
            return first_sights(self._db)

    def flips(self) -> list[read.Stored]:
        """Return the bets on flipped parameters, in order."""
        with self._reading():
            return [offer for offer in read.kind(self._db, "offered") if offer.payload["outcome"] == "flipped"]

    def picked_myths(self) -> list[read.Picked]:
        """Return every myth that was ever picked, most often first."""
        with self._reading():
            return read.picked_myths(self._db)

    def picks(self, items: Iterable[str], myths: Iterable[str]) -> list[read.Picks]:
        """Return how often each of some items was answered, and how often with each of some myths."""
        with self._reading():
            return read.picks(self._db, items, myths)

    def set_aside(self) -> frozenset[str]:
        """Return the items that are suspended, with a card or without."""
        return read.set_aside(self._db)

    def leeches(self) -> list[read.Stored]:
        """Return, for each item that is set aside because it was missed too often, the event that did it; the latest last."""
        with self._reading():
            return read.leeches(self._db)

    def flags(self) -> list[read.Stored]:
        """Return the flagged items with their notes."""
        with self._reading():
            return read.kind(self._db, "flagged")

    def of_kind(self, name: str) -> list[read.Stored]:
        """Return every event of one kind that was not undone, in order."""
        with self._reading():
            return read.kind(self._db, name)

    def newest(self) -> tuple[int, str] | None:
        """Return time (microseconds UTC) and study day of the last thing the learner did."""
        with self._reading():
            return read.newest(self._db)

    def through(self) -> dict[str, int]:
        """Return the number of the last event of each device."""
        with self._reading():
            return dict(self._db.execute("SELECT device, max(seq) FROM event GROUP BY device").fetchall())

    def events(self) -> Iterator[Event]:
        """Yield every event in the one order."""
        with self._reading():
            yield from read_events(self._db)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, ValueError) as error:  # a ValueError: an altered payload is no JSON any more
            if "locked" in str(error):
                said = _("{path} is in use by another program; close it and go on.")
                raise StoreError(said.format(path=self.home.database)) from error
            raise damaged(self.home, error) from error
