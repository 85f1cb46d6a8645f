"""What other rooms may ask of the learner's file; a damaged or busy file is one sentence."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

from tutor.learning.cards import Candidate, Card
from tutor.learning.parameters import Parameters
from tutor.learning.records import History
from tutor.paths import Home
from tutor.store import past, read, remembered
from tutor.store.cards import has_parameters, parameters_in_force
from tutor.store.events import Event
from tutor.store.file import reading
from tutor.store.habits import first_sights
from tutor.store.projections import read_events
from tutor.store.remembered import Memories

P = ParamSpec("P")
R = TypeVar("R")


class Reader:
    """Reads one connection."""

    def __init__(self, home: Home, db: sqlite3.Connection, device: str = "") -> None:
        self.home = home
        self.device = device
        self._db = db

    def cards(self) -> dict[str, Card]:
        """Return every card by item."""
        return self.ask(read.cards)

    def lookup(self) -> Mapping[str, Card]:
        """Return the cards by item, each read when it is asked for."""
        return past.cards(self)

    def due(self, day: str) -> list[str]:
        """Return the items due on study day `day`, the one that has waited longest first."""
        return self.ask(past.due, day)

    def likeliest_forgotten(self, day: str, utc_us: int, most: int) -> list[Candidate]:
        """Return the first `most` cards due on study day `day`, the one most likely forgotten at `utc_us` first; equal ones by id."""
        return self.ask(past.likeliest_forgotten, day, utc_us, most)

    def candidates(self, items: Sequence[str] | None = None) -> list[Candidate]:
        """Return the cards that may come up, of some items or of all."""
        return self.ask(past.candidates, items)

    def other_revisions(self) -> list[str]:
        """Return the items whose card was made by another revision than the first."""
        return self.ask(past.other_revisions)

    def loads(self) -> dict[str, int]:
        """Return how many cards are due on each study day that has any."""
        return self.ask(past.loads)

    def waiting_until(self, day: str, last: str, without: Sequence[str]) -> dict[str, int]:
        """Return how many cards, but those of some items, are due on each study day to `last`, all up to `day` together under `day`."""
        return self.ask(read.waiting_until, day, last, without)

    def history(self, day: str) -> History:
        """Return what a sitting on study day `day` needs to know of the past."""
        return past.history(self, day)

    def parameters(self) -> Parameters:
        """Return the parameter set in force."""
        return self.look(parameters_in_force)

    def has_parameters(self) -> bool:
        """Whether the log names a parameter set at all."""
        return self.look(has_parameters)

    def settings(self) -> dict[str, Any]:
        """Return the last recorded value of each setting."""
        return self.look(read.settings)

    def last_answer(self) -> read.Stored | None:
        """Return this device's latest answer that was not undone."""
        return self.ask(read.last_answer, self.device)

    def answers(self) -> Iterator[read.Stored]:
        """Yield every answer that was not undone, in order."""
        answers = self.ask(read.answers)
        with reading(self.home):
            yield from answers

    def runs(self) -> list[read.Stored]:
        """Return every run, in order."""
        return self.ask(read.runs)

    def days(self) -> list[read.DayRow]:
        """Return the study days with answers, in order."""
        return self.ask(read.days)

    def held(self) -> list[read.Held]:
        """Return every card's row for the statistics."""
        return self.ask(read.held)

    def memories(self, utc_us: int, items: Sequence[str], often: int) -> Memories:
        """Return by concept what recall is expected at an instant of some items, in ascending order, which others have a card, and
        which of all were answered `often` times or more."""
        return self.ask(remembered.memories, utc_us, self.parameters(), items, often)

    def standings(self) -> list[read.Standing]:
        """Return per concept what the latest answers to its items were."""
        return self.ask(read.standings)

    def answers_to(self, items: Iterable[str]) -> list[read.Put]:
        """Return every answer to some items that was not undone, in order."""
        return self.ask(read.answers_to, items)

    def sealed_sights(self, items: Iterable[str]) -> list[read.Sight]:
        """Return the one answer to each of some sealed items, in order of time."""
        return self.ask(read.sealed_sights, items)

    def first_sights(self) -> tuple[int, int]:
        """Return how many of the last first answers there are, and how many of them were right."""
        return self.ask(first_sights)

    def flips(self) -> list[read.Stored]:
        """Return the bets on flipped parameters, in order."""
        return [offer for offer in self.of_kind("offered") if offer.payload["outcome"] == "flipped"]

    def picked_myths(self) -> list[read.Picked]:
        """Return every myth that was ever picked, most often first."""
        return self.ask(read.picked_myths)

    def picks(self, items: Iterable[str], myths: Iterable[str]) -> list[read.Picks]:
        """Return how often each of some items was answered, and how often with each of some myths."""
        return self.ask(read.picks, items, myths)

    def set_aside(self) -> frozenset[str]:
        """Return the items that are suspended, with a card or without."""
        return self.look(read.set_aside)

    def leeches(self) -> list[read.Stored]:
        """Return, for each item that is set aside because it was missed too often, the event that did it; the latest last."""
        return self.look(read.leeches)

    def flags(self) -> list[read.Stored]:
        """Return the flagged items with their notes."""
        return self.look(read.kind, "flagged")

    def of_kind(self, name: str) -> list[read.Stored]:
        """Return every event of one kind that was not undone, in order."""
        return self.look(read.kind, name)

    def newest(self) -> tuple[int, str] | None:
        """Return time (microseconds UTC) and study day of the last thing the learner did."""
        return self.look(read.newest)

    def through(self) -> dict[str, int]:
        """Return the number of the last event of each device."""
        return self.look(read.through)

    def events(self) -> Iterator[Event]:
        """Yield every event in the one order."""
        with reading(self.home):
            yield from read_events(self._db)

    def look(self, at: Callable[Concatenate[sqlite3.Connection, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return what a look at the log finds."""
        with reading(self.home):
            return at(self._db, *args, **kwargs)

    def ask(self, look: Callable[Concatenate[sqlite3.Connection, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return what a look at the projections finds."""
        return self.look(look, *args, **kwargs)
