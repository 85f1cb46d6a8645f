"""Read models: what sittings and reports ask of the log, as typed rows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tutor.frozen import dataclass
from tutor.learning.cards import Card
from tutor.learning.records import Ref
from tutor.store.cards import card_of, undone_targets


@dataclass(frozen=True, slots=True)
class Stored:
    """An event with its place, its time and its payload."""

    ref: Ref
    utc_us: int
    study_day: str
    payload: Mapping[str, Any]
    hlc: str = ""

    @property
    def order(self) -> tuple[str, str, int]:
        """Its place in the one order of all events."""
        return self.hlc, *self.ref


@dataclass(frozen=True, slots=True)
class DayRow:
    """The counts of one study day."""

    day: str
    answered: int
    right: int
    new: int
    scheduled: int
    recalled: int
    reviewed: int
    ms: int
    sure: int = 0
    """Answers said to be sure, and how many of them were right; `think` and `guess` likewise."""
    sure_right: int = 0
    think: int = 0
    think_right: int = 0
    guess: int = 0
    guess_right: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """How many items of a concept have a latest answer of one kind."""

    concept: str
    correct: bool
    sureness: str | None
    likely: bool
    """Whether a right answer was likely knowledge and not luck."""
    items: int


@dataclass(frozen=True, slots=True)
class Put:
    """An answer to a question that put myths to the test."""

    item: str
    utc_us: int
    day: str
    correct: bool
    sureness: str | None
    myth: str | None
    given: bool
    """False for "I don't know"."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A sealed item's one answer."""

    item: str
    concept: str
    day: str
    correct: bool
    forecast: float
    """The readiness in its concept when it was asked."""
    kind: str
    options: int


@dataclass(frozen=True, slots=True)
class Picked:
    """How often a myth's option was picked, and the study day of the last time."""

    myth: str
    times: int
    last: str


@dataclass(frozen=True, slots=True)
class Picks:
    """How often an item was answered, and how often with each myth."""

    item: str
    times: int
    myths: Mapping[str, int]


Held = tuple[str, float, int]
"""A card as the statistics need it: item, stability in days, instant of the last answer. A plain row, because there may be a hundred
thousand."""


def cards(db: sqlite3.Connection) -> dict[str, Card]:
    """Return every card by item."""
    return {row[0]: card_of(row) for row in db.execute("SELECT * FROM card")}


def days(db: sqlite3.Connection) -> list[DayRow]:
    """Return the study days with answers, in order."""
    return [DayRow(*row) for row in db.execute("SELECT * FROM day ORDER BY study_day")]


def held(db: sqlite3.Connection) -> list[Held]:
    """Return every card's row for the statistics."""
    return db.execute("SELECT item, stability, last_us FROM card").fetchall()


def waiting_until(db: sqlite3.Connection, day: str, last: str, without: Sequence[str]) -> dict[str, int]:
    """Return how many cards, but those of some items, are due on each study day to `last`; those of all days up to `day` stand
    together under `day`."""
    overdue = db.execute("SELECT count(*) FROM card WHERE suspended = 0 AND due <= ?", (day,)).fetchone()
    query = "SELECT due, count(*) FROM card WHERE suspended = 0 AND due > ? AND due <= ? GROUP BY due"
    due = {day: overdue[0], **dict(db.execute(query, (day, last)))}
    query = "SELECT max(due, ?) FROM json_each(?) CROSS JOIN card ON item = value WHERE suspended = 0 AND due <= ?"
    for (when,) in db.execute(query, (day, json.dumps(without), last)):
        due[when] -= 1
    return due


def standings(db: sqlite3.Connection) -> list[Standing]:
    """Return per concept what the latest answers to its items were."""
    kinds = "concept, correct, sureness, likely"
    query = f"SELECT {kinds}, count(*) FROM latest GROUP BY {kinds}"
    rows = db.execute(query)
    return [Standing(concept, bool(right), said, bool(likely), items) for concept, right, said, likely, items in rows]


def answers_to(db: sqlite3.Connection, items: Iterable[str]) -> list[Put]:
    """Return every answer to some items that was not undone, in order, as little of each as a myth needs."""
    query = "SELECT item, utc_us, study_day, correct, sureness, myth, given, hlc FROM review WHERE item = ?"
    rows = [row for item in items for row in db.execute(query, (item,))]
    rows.sort(key=lambda row: str(row[-1]))
    return [
        Put(item, at, day, bool(right), said, myth, bool(given)) for item, at, day, right, said, myth, given, _ in rows
    ]


def sealed_sights(db: sqlite3.Connection, items: Iterable[str]) -> list[Sight]:
    """Return the answers to some sealed items, in order of time; of an item answered on two machines the earlier one."""
    query = (
        "SELECT item, concept, study_day, correct, predicted, kind, options, hlc "
        "FROM review WHERE item = ? AND role = 'sealed' ORDER BY hlc, device, seq LIMIT 1"
    )
    rows = [row for item in items for row in db.execute(query, (item,))]
    return [
        Sight(item, concept, day, bool(right), forecast, kind, options)
        for item, concept, day, right, forecast, kind, options, _ in sorted(rows, key=lambda row: str(row[-1]))
    ]


def picked_myths(db: sqlite3.Connection) -> list[Picked]:
    """Return every myth that was ever picked, most often first. The index is asked for one myth after another, and each counted in a
    range of it: grouping looks at every answer's myth and day."""
    query = (
        "WITH RECURSIVE picked (myth) AS (SELECT min(myth) FROM review WHERE myth IS NOT NULL UNION ALL "
        "SELECT (SELECT min(myth) FROM review WHERE myth > picked.myth) FROM picked WHERE myth IS NOT NULL) "
        "SELECT myth, (SELECT count(*) FROM review WHERE review.myth = picked.myth) AS times, "
        "(SELECT max(study_day) FROM review WHERE review.myth = picked.myth) "
        "FROM picked WHERE myth IS NOT NULL ORDER BY times DESC, myth"
    )
    return [Picked(*row) for row in db.execute(query)]


def picks(db: sqlite3.Connection, items: Iterable[str], myths: Iterable[str]) -> list[Picks]:
    """Return how often each of some items was answered, and how often with each of some myths. Answers are counted in an index; only
    those that picked a myth, which are few, are looked up."""
    chosen: dict[str, dict[str, int]] = {item: {} for item in items}
    for myth in myths:
        for item, times in db.execute("SELECT item, count(*) FROM review WHERE myth = ? GROUP BY item", (myth,)):
            if item in chosen:
                chosen[item][myth] = times
    answered = "SELECT count(*) FROM review WHERE item = ?"
    return [Picks(item, db.execute(answered, (item,)).fetchone()[0], picked) for item, picked in chosen.items()]


def answers(db: sqlite3.Connection) -> Iterator[Stored]:
    """Yield every answer that was not undone, in order."""
    query = (
        "SELECT device, seq, review.utc_us, review.study_day, payload, review.hlc FROM review JOIN event USING (device, seq) "
        "ORDER BY review.hlc, device, seq"
    )
    for device, seq, utc_us, day, payload, hlc in db.execute(query):
        yield Stored((device, seq), utc_us, day, json.loads(payload), hlc)


def runs(db: sqlite3.Connection) -> list[Stored]:
    """Return every run, in order."""
    query = "SELECT device, seq, utc_us, study_day, payload FROM run ORDER BY hlc, device, seq"
    return [Stored((d, s), us, day, json.loads(p)) for d, s, us, day, p in db.execute(query)]


def kind(db: sqlite3.Connection, name: str) -> list[Stored]:
    """Return every event of one kind that was not undone, in order."""
    gone = undone_targets(db)
    query = "SELECT device, seq, utc_us, study_day, payload, hlc FROM event WHERE kind = ? AND kind != 'answered' ORDER BY hlc, device, seq"
    rows = db.execute(query, (name,))
    return [Stored((d, s), us, day, json.loads(p), hlc) for d, s, us, day, p, hlc in rows if (d, s) not in gone]


def last_answer(db: sqlite3.Connection, device: str) -> Stored | None:
    """Return the latest answer of this device that was not undone."""
    query = (
        "SELECT device, seq, review.utc_us, review.study_day, payload FROM review JOIN event USING (device, seq) "
        "WHERE device = ? ORDER BY seq DESC LIMIT 1"
    )
    row = db.execute(query, (device,)).fetchone()
    return Stored((row[0], row[1]), row[2], row[3], json.loads(row[4])) if row else None


def settings(db: sqlite3.Connection) -> dict[str, Any]:
    """Return the last recorded value of each setting."""
    return {event.payload["key"]: event.payload["new"] for event in kind(db, "setting")}


def set_aside(db: sqlite3.Connection) -> frozenset[str]:
    """Return the items whose last word is that they are suspended."""
    gone = undone_targets(db)
    query = (
        "SELECT device, seq, kind, json_extract(payload, '$.item') FROM event "
        "WHERE kind IN ('suspended', 'resumed') AND kind != 'answered' ORDER BY hlc, device, seq"
    )
    last = {item: word for device, seq, word, item in db.execute(query) if (device, seq) not in gone}
    return frozenset(item for item, word in last.items() if word == "suspended")


def leeches(db: sqlite3.Connection) -> list[Stored]:
    """Return, for each item set aside because it was missed too often, the event that did it; the latest last."""
    aside = set_aside(db)
    latest = {event.payload["item"]: event for event in kind(db, "suspended")}
    found = [event for item, event in latest.items() if item in aside and event.payload.get("why") == "leech"]
    return sorted(found, key=lambda event: event.utc_us)


def newest(db: sqlite3.Connection) -> tuple[int, str] | None:
    """Return time (microseconds UTC) and study day of the last thing the learner did; what the tutor notes by itself is none."""
    query = (
        "SELECT utc_us, study_day FROM event WHERE kind NOT IN ('setting', 'parameters') "
        "ORDER BY hlc DESC, device DESC, seq DESC LIMIT 1"
    )
    row: tuple[int, str] | None = db.execute(query).fetchone()
    return row


def through(db: sqlite3.Connection) -> dict[str, int]:
    """Return the number of the last event of each device."""
    return dict(db.execute("SELECT device, max(seq) FROM event GROUP BY device").fetchall())
