"""Cards as a function of the log: what each event does to the card it names, and the rows that keep the result."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from tutor.learning.cards import Card, advance
from tutor.learning.chances import chance
from tutor.learning.leaps import Reading, false_leaps
from tutor.learning.memory import Evidence, Memory, Rating, interval_days
from tutor.learning.parameters import Parameters, accept, default_parameters
from tutor.learning.records import Ref
from tutor.learning.schedule import MAXIMUM_DAYS
from tutor.learning.studyday import add_days
from tutor.store.events import Event

CARD_COLUMNS = [
    "item",
    "stability",
    "difficulty",
    "last_us",
    "first_day",
    "last_day",
    "due",
    "interval",
    "reps",
    "lapses",
    "recent",
    "rev",
    "suspended",
    "concept",
    "chance",
]
OTHER_KINDS = ("suspended", "resumed", "revised")
CARD_KINDS = ("answered", *OTHER_KINDS)
RATINGS = tuple(Rating)
_ANSWERS = "SELECT event.* FROM review JOIN event USING (device, seq) WHERE item = ?"
_OTHERS = f"SELECT * FROM event WHERE kind IN {OTHER_KINDS} AND json_extract(payload, '$.item') = ?"


_CHANGED = CARD_COLUMNS[1:]
# An update of the columns that differ leaves the indexes of the others alone, where a replaced row would be written into each.
_WRITE = f"INSERT INTO card VALUES ({','.join('?' * len(CARD_COLUMNS))}) ON CONFLICT (item) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}" for name in _CHANGED
)
_CHANGE = f"UPDATE card SET {', '.join(f'{name} = ?' for name in _CHANGED[:-2])} WHERE item = ?"


class Asked(NamedTuple):
    """What an answer says of its item, whatever becomes of the deck."""

    concept: str
    chance: float
    """That of a right answer without knowledge, by the item's form."""


def rebuild_card(db: sqlite3.Connection, item: str, parameters: Parameters) -> None:
    """Rebuild one card from its answers and the other events that name its item."""
    answers = [Event(*row) for row in db.execute(_ANSWERS, (item,))]
    others = [Event(*row) for row in db.execute(_OTHERS, (item,))]
    if others:  # `review` holds no answer that was undone; of the others only the log tells
        gone = undone_targets(db)
        others = [event for event in others if (event.device, event.seq) not in gone]
    leaps = leaps_of(db)
    card: Card | None = None
    asked = Asked("", 0.0)
    for event in sorted(answers + others, key=lambda one: one.order):
        data = event.data
        card = next_card(card, counted(event, leaps), data, parameters, (event.device, event.seq) in leaps)
        asked = asked_in(data) if event.kind == "answered" else asked
    write_card(db, card, item, asked)


def next_card(
    card: Card | None, event: Event, data: Mapping[str, Any], parameters: Parameters, moved: bool = False
) -> Card | None:
    """Return the card after one event that concerns it; the event's times are those that count (`counted`).

    An answer with a rating that is none of the four, or without a due day, moves no card. Where the event's time was `moved`, the due
    day it was given is as wrong as its time, and is chosen again.
    """
    if event.kind == "answered":
        if data["due"] is None or rating(data) is None:
            return card
        after = _answered(card, event, data, parameters)
        return _due_again(after, data, parameters) if moved else after
    if card is None:
        return None
    if event.kind == "revised":
        return _revised(card, data)
    return replace(card, suspended=event.kind == "suspended")


def asked_in(data: Mapping[str, Any]) -> Asked:
    """Return what an answer's payload says of its item."""
    return Asked(str(data["concept"]), chance(str(data["kind"]), len(data["options"])))


def rating(data: Mapping[str, Any]) -> int | None:
    """Return an answer's rating, None where it has none of the four."""
    return int(data["rating"]) if data["rating"] in RATINGS else None


def milliseconds(data: Mapping[str, Any]) -> int:
    """Return how long an answer took, 0 where that is not known."""
    ms = data["ms"]
    return max(0, round(ms)) if isinstance(ms, int | float) else 0


def counted(event: Event, leaps: Mapping[Ref, Reading]) -> Event:
    """Return the event with the time and the study day that count."""
    reading = leaps.get((event.device, event.seq))
    return replace(event, utc_us=reading.utc_us, study_day=reading.study_day) if reading else event


def leaps_of(db: sqlite3.Connection) -> dict[Ref, Reading]:
    """Return the events that were written while the clock stood far ahead, with the times that count for them."""
    if db.execute("SELECT 1 FROM event WHERE clock_suspect = 1 LIMIT 1").fetchone() is None:
        return {}
    rows = db.execute("SELECT device, seq, utc_us, study_day FROM event ORDER BY hlc, device, seq")
    return false_leaps(((device, seq), utc_us, day) for device, seq, utc_us, day in rows)


def _answered(card: Card | None, event: Event, data: Mapping[str, Any], parameters: Parameters) -> Card:
    return advance(
        card,
        data["item"],
        int(data["rev"]),
        Evidence(int(data["rating"]), probability(data)),
        event.utc_us,
        event.study_day,
        data["due"],
        int(data["interval"]),
        parameters,
    )


def probability(data: Mapping[str, Any]) -> float:
    """Return an answer's q within 0 and 1; 1, which is plain evidence, where there is none."""
    value = math.nan if data["q"] is None else float(data["q"])
    return 1.0 if math.isnan(value) else min(max(value, 0.0), 1.0)


def _due_again(card: Card, data: Mapping[str, Any], parameters: Parameters) -> Card:
    wished = interval_days(card.memory.stability, float(data["retention"]), parameters)
    days = 1 if data["rating"] == Rating.AGAIN else round(min(max(wished, 1.0), MAXIMUM_DAYS))
    return replace(card, due=add_days(card.last_day, days), interval=days)


def _revised(card: Card, data: Mapping[str, Any]) -> Card | None:
    if data["choice"] == "reset":
        return None
    memory = card.memory
    if data["choice"] == "halve":
        memory = Memory(memory.stability / 2, memory.difficulty)
    return replace(card, rev=int(data["new_rev"]), memory=memory)


def read_card(db: sqlite3.Connection, item: str) -> Card | None:
    """Return one card, or None."""
    row = db.execute("SELECT * FROM card WHERE item = ?", (item,)).fetchone()
    return card_of(row) if row else None


def card_of(row: Iterable[Any]) -> Card:
    """Return the card in a row of the card table."""
    (
        item,
        stability,
        difficulty,
        last_us,
        first_day,
        last_day,
        due,
        interval,
        reps,
        lapses,
        recent,
        rev,
        suspended,
        *_,
    ) = row
    memory = Memory(stability, difficulty)
    return Card(item, memory, last_us, first_day, last_day, due, interval, reps, lapses, recent, rev, bool(suspended))


def write_card(db: sqlite3.Connection, card: Card | None, item: str, asked: Asked | None = None) -> None:
    """Write a card, or remove it where there is none any more. `asked` is what its latest answer says of the item; without it what
    was said before holds."""
    if card is None:
        db.execute("DELETE FROM card WHERE item = ?", (item,))
        return
    c, m = card, card.memory
    values = (m.stability, m.difficulty, c.last_us, c.first_day, c.last_day, c.due, c.interval, c.reps, c.lapses, c.recent,
              c.rev, int(c.suspended))  # fmt: skip
    if asked is None:
        db.execute(_CHANGE, (*values, item))
    else:
        db.execute(_WRITE, (item, *values, *asked))


def undone_targets(db: sqlite3.Connection) -> set[tuple[str, int]]:
    """Return the places of all events that were undone."""
    rows = db.execute(
        "SELECT json_extract(payload, '$.target[0]'), json_extract(payload, '$.target[1]') FROM event "
        "WHERE kind = 'undone' AND kind != 'answered'"
    )
    return {(str(device), int(seq)) for device, seq in rows}


def has_parameters(db: sqlite3.Connection) -> bool:
    """Whether the log names a parameter set at all."""
    query = "SELECT 1 FROM event WHERE kind = 'parameters' AND kind != 'answered' LIMIT 1"
    return db.execute(query).fetchone() is not None


def parameters_in_force(db: sqlite3.Connection) -> Parameters:
    """Return the newest parameter set of the log that can be used, or the library's defaults.

    Sets of earlier versions are upgraded and weights out of range moved onto their bounds (`parameters.accept`); a set that is none
    is passed over.
    """
    gone = undone_targets(db)
    query = (
        "SELECT * FROM event WHERE kind = 'parameters' AND kind != 'answered' ORDER BY hlc DESC, device DESC, seq DESC"
    )
    for row in db.execute(query):
        event = Event(*row)
        if (event.device, event.seq) in gone:
            continue
        data = event.data
        try:
            weights = accept(data["weights"]).weights
        except (TypeError, ValueError):
            continue
        return Parameters(data["id"], weights, data["threshold"], data["step_version"])
    return default_parameters()
