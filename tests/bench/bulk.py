"""A log of a million answers, written at once with its projections beside it: a test holds that `tutor doctor` would have made the same.

Event by event through the store it would take hours. Here the texts that are alike in all answers are made once, what is
kept ready is not read back from the log, and indexes are made after the rows.
"""

from __future__ import annotations

import hashlib
import random
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any, NamedTuple

from tests.bench.answer import payload
from tests.support import FakeClock
from tutor.learning.cards import Card, advance
from tutor.learning.memory import Evidence
from tutor.learning.parameters import default_parameters
from tutor.learning.studyday import add_days
from tutor.paths import Home
from tutor.store import open_store
from tutor.store.cards import asked_in, write_card
from tutor.store.events import COLUMNS, VERSION, canonical, tick
from tutor.store.projections import mark_laid, settle

DAYS, CONCEPTS, MYTHS = 700, 60, 90
TODAY = "2026-11-30"
LONGEST = 300
"""Due days lie up to so many days apart, a fifteenth of them today or before."""
SAID = ("sure", "think", "guess", None)


class Answer(NamedTuple):
    """One answer of the log, as far as answers differ."""

    seq: int
    hlc: str
    utc_us: int
    study_day: str
    item: str
    concept: str
    correct: bool
    rating: int
    predicted: float | None
    sureness: str | None
    myth: str | None
    due: str
    interval: int


def fill(home: Home, clock: FakeClock, cards: int, reviews: int) -> None:
    """Fill a home with a log over seven hundred days, in which each card is answered in turn."""
    with open_store(home, clock) as store:
        device = store.device
    with closing(sqlite3.connect(home.database, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN")
        indexes = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").fetchall()
        for name, _ in indexes:
            db.execute(f"DROP INDEX {name}")
        _insert(db, "event", len(COLUMNS), _events(device, answers(clock.utc_us, cards, reviews)))
        held: dict[str, Card] = {}
        _insert(db, "review", 21, _reviews(device, answers(clock.utc_us, cards, reviews), held))
        forms = [asked_in(payload("", TODAY, concept=f"k{number}")) for number in range(CONCEPTS)]
        for number, card in enumerate(held.values()):
            write_card(db, card, card.item, forms[number % CONCEPTS])
        for _, statement in indexes:
            db.execute(statement)
        settle(db)
        mark_laid(db)
        db.execute("COMMIT")


def answers(now_us: int, cards: int, reviews: int) -> Iterator[Answer]:
    """Yield the answers in order of time; equal arguments give equal answers."""
    chance, hlc = random.Random(1), ""
    days = [add_days(TODAY, day - DAYS) for day in range(DAYS)]
    dues = [add_days(TODAY, ahead - LONGEST // 15) for ahead in range(LONGEST)]
    for number in range(reviews):
        day = number * DAYS // reviews
        utc_us = now_us - (DAYS - day) * 86_400_000_000 + number
        hlc = tick(hlc, utc_us)
        item, right, ahead = f"i-{number % cards}", chance.random() < 0.87, 1 + int(chance.random() * (LONGEST - 1))
        yield Answer(
            seq=number + 1,
            hlc=hlc,
            utc_us=utc_us,
            study_day=days[day],
            item=item,
            concept=f"k{number % cards % CONCEPTS}",
            correct=right,
            rating=3 if right else 1,
            predicted=None if number < cards else 0.9,
            sureness=SAID[int(chance.random() * len(SAID))],
            myth=None if right else f"myth-{int(chance.random() * MYTHS)}",
            due=dues[ahead],
            interval=ahead,
        )


def _insert(db: sqlite3.Connection, table: str, columns: int, rows: Iterable[tuple[Any, ...]]) -> None:
    db.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * columns)})", rows)


def _events(device: str, drawn: Iterable[Answer]) -> Iterator[tuple[Any, ...]]:
    """Yield the event of each answer, chained to the one before."""
    said = ("item", "concept", "correct", "rating", "predicted", "sureness", "myth", "due", "interval")
    told = ("seq", "hlc", "utc_us", "study_day", "mono_ms", "prev", "payload")
    alike = {
        "device": device, "kind": "answered", "v": VERSION, "offset_min": 0, "zone": "UTC", "clock_suspect": 0, "app": "bench",
    }  # fmt: skip
    spoken, chained = _template(payload("", TODAY), said), _template(alike, told)
    prev = ""
    for one in drawn:
        words = spoken % {name: _json(getattr(one, name)) for name in said}
        own = {"seq": one.seq, "hlc": one.hlc, "utc_us": one.utc_us, "study_day": one.study_day, "mono_ms": one.seq}
        own |= {"prev": prev, "payload": words}
        text = chained % {name: _json(value) for name, value in own.items()}
        prev = hashlib.sha256(text.encode()).hexdigest()
        fields = alike | own | {"hash": prev}
        yield tuple(fields[name] for name in COLUMNS)


def _template(fields: Mapping[str, Any], varying: tuple[str, ...]) -> str:
    """Return the canonical JSON of some fields with a place for the JSON of each varying one."""
    text = canonical(dict(fields) | {name: f"<{name}>" for name in varying})
    for name in varying:
        text = text.replace(f'"<{name}>"', f"%({name})s")
    return text


def _json(value: str | float | None) -> str:
    """Return the JSON of one value; `json.dumps` takes ten times as long where it is not a text."""
    if isinstance(value, str):
        return _quoted(value)
    return "null" if value is None else repr(value).lower()


def _reviews(device: str, drawn: Iterable[Answer], held: dict[str, Card]) -> Iterator[tuple[Any, ...]]:
    """Yield the review row of each answer and move its card."""
    base, parameters = payload("", TODAY), default_parameters()
    evidence = {rating: Evidence(rating, base["q"]) for rating in (1, 3)}
    form = len(base["options"]), int(base["choice"] is not None)
    for one in drawn:
        before = held.get(one.item)
        held[one.item] = advance(
            before, one.item, base["rev"], evidence[one.rating], one.utc_us, one.study_day, one.due, one.interval, parameters
        )  # fmt: skip
        yield (
            device, one.seq, one.hlc, one.item, one.concept, one.study_day, one.utc_us, base["kind"], base["role"], base["mode"],
            *form, int(one.correct), one.sureness, one.myth, base["slip"], base["ms"], one.rating, one.predicted,
            int(one.correct), int(before is None),
        )  # fmt: skip
