"""What a sitting is told of the past, asked of the file part by part, when the session looks."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from statistics import median
from typing import ParamSpec, TypeVar

from tutor.content.model import KINDS
from tutor.learning.cards import Card
from tutor.learning.records import History, MythHistory, Outcome, PastRun
from tutor.store import read
from tutor.store.cards import read_card
from tutor.store.habits import latest_slip, numeric_slips, recent_bets, sure_misses, usual_day
from tutor.store.lazy import ByKey, Later, LaterRow, LaterSet

P = ParamSpec("P")
R = TypeVar("R")
PACE_OF, PACE_LEAST = 100, 10
"""Right answers of a kind whose median is the learner's pace, and the fewest that make one."""
Guard = Callable[[], AbstractContextManager[None]]
"""Turns what SQLite says of a damaged file into a sentence, also when it is noticed later."""


def history(db: sqlite3.Connection, day: str, guard: Guard) -> History:
    """Return what a sitting on study day `day` needs to know of the past; most of it is read when somebody looks."""

    def asked(look: Callable[P, R]) -> Callable[P, R]:
        return guarded(guard, look)

    counts = db.execute("SELECT new, scheduled FROM day WHERE study_day = ?", (day,)).fetchone() or (0, 0)
    fresh = "SELECT count(*) FROM review WHERE study_day = ? AND role = 'transfer' AND rating IS NULL"
    return History(
        myths=Later(asked(lambda: myth_histories(db))),
        median_ms=ByKey(asked(lambda kind: median_time(db, kind)), asked(lambda: kinds_with_times(db))),
        new_today=int(counts[0]) + int(db.execute(fresh, (day,)).fetchone()[0]),
        answered_today=int(counts[1]),
        seen=LaterSet(asked(lambda: column(db, "SELECT item FROM latest"))),
        load=ByKey(asked(lambda due: cards_due_on(db, due)), asked(lambda: loads(db))),
        aside=read.set_aside(db),
        generated=Later(asked(lambda: generated(db))),
        usual_day=usual_day(db, day),
        sure_misses=sure_misses(db, day),
        bets=LaterRow(asked(lambda: recent_bets(db, day))),
        slips=ByKey(asked(lambda item: latest_slip(db, day, item)), asked(lambda: numeric_slips(db, day))),
        outcomes=LaterRow(asked(lambda: outcomes(db))),
    )


def cards(db: sqlite3.Connection, guard: Guard) -> Mapping[str, Card]:
    """Return the cards by item, each read when it is asked for."""
    return ByKey(
        guarded(guard, lambda item: read_card(db, item)), guarded(guard, lambda: column(db, "SELECT item FROM card"))
    )


def guarded(guard: Guard, look: Callable[P, R]) -> Callable[P, R]:
    """Return `look` with what goes wrong in it said by `guard`."""

    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        with guard():
            return look(*args, **kwargs)

    return asked


def column(db: sqlite3.Connection, query: str, *values: object) -> list[str]:
    """Return the one column that a query gives."""
    return [value for (value,) in db.execute(query, values)]


def due(db: sqlite3.Connection, day: str, utc_us: int) -> list[tuple[str, str]]:
    """Return (item, due day) of what is due on study day `day` or before, the one most likely forgotten first; equal ones by id.

    Recall falls with the time since the last answer over the stability, whatever the parameters, so their order is that of this quotient.
    """
    query = (
        "SELECT item, due FROM card WHERE suspended = 0 AND due <= ? "
        "ORDER BY max(0, ? - last_us) / stability DESC, item"
    )
    return db.execute(query, (day, utc_us)).fetchall()


def cards_due_on(db: sqlite3.Connection, day: str) -> int | None:
    """Return how many cards are due on one study day, None where there is none."""
    row = db.execute("SELECT count(*) FROM card WHERE suspended = 0 AND due = ?", (day,)).fetchone()
    return int(row[0]) or None


def loads(db: sqlite3.Connection) -> dict[str, int]:
    """Return how many cards are due on each study day that has any."""
    return dict(db.execute("SELECT due, count(*) FROM card WHERE suspended = 0 GROUP BY due").fetchall())


def other_revisions(db: sqlite3.Connection) -> list[str]:
    """Return the items whose card was made by another revision than the first."""
    return column(db, "SELECT item FROM card WHERE rev != 1")


def outcomes(db: sqlite3.Connection) -> list[Outcome]:
    """Return how the cards of each concept ended, alike ones together."""
    query = "SELECT concept, chance, recent, count(*) FROM card GROUP BY concept, chance, recent"
    return [Outcome(*row) for row in db.execute(query)]


def generated(db: sqlite3.Connection) -> dict[str, int]:
    """Return by item how many transfers were generated from it."""
    made = column(db, "SELECT item FROM latest WHERE instr(item, '~')")
    return dict(Counter(item.split("~")[0] for item in made))


def kinds_with_times(db: sqlite3.Connection) -> list[str]:
    """Return the kinds of item for which there are enough right answers."""
    return [kind for kind in KINDS if median_time(db, kind) is not None]


def median_time(db: sqlite3.Connection, kind: str) -> float | None:
    """Return the median milliseconds of the last right answers of a kind, None where there are too few."""
    query = "SELECT ms FROM review WHERE kind = ? AND correct = 1 AND rating IS NOT NULL ORDER BY hlc DESC LIMIT ?"
    times = [ms for (ms,) in db.execute(query, (kind, PACE_OF))]
    return float(median(times)) if len(times) >= PACE_LEAST else None


def myth_histories(db: sqlite3.Connection) -> dict[str, MythHistory]:
    """Return how far the learner has come on each myth's ladder."""
    found: dict[str, MythHistory] = defaultdict(MythHistory)
    for myth, picked in db.execute("SELECT myth, count(*) FROM review WHERE myth IS NOT NULL GROUP BY myth"):
        found[myth] = MythHistory(picked=picked)
    for run in read.runs(db):
        data = run.payload
        if data["ending"] in ("passed", "failed") and (data["miss"] is not None or data["myth"]):
            key = data["myth"] or f"experiment:{data['experiment']}"
            past = PastRun(
                run.study_day,
                data["experiment"],
                data["params"],
                data["metric"],
                data["bet"],
                data["measured"],
                tuple(data["claims"]),
            )
            found[key] = replace(found[key], run=past)
    for offer in read.kind(db, "offered"):
        data = offer.payload
        key = data["myth"] or f"experiment:{data['experiment']}"
        if data["outcome"] == "recalled":
            found[key] = replace(found[key], recalled=found[key].recalled + 1)
        elif data["outcome"] == "flipped" and data["right"]:
            found[key] = replace(found[key], flips_right=found[key].flips_right + 1)
    return dict(found)
