"""What a sitting is told of the past, asked of the file part by part, when the session looks."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

from tutor.content.model import KINDS
from tutor.learning.cards import Candidate, Card
from tutor.learning.records import History, MythHistory, Outcome, PastRun
from tutor.store import read
from tutor.store.cards import read_card
from tutor.store.habits import latest_slip, numeric_slips, recent_bets, sure_misses, usual_day
from tutor.store.lazy import ByKey, Later, LaterRow, LaterSet

if TYPE_CHECKING:
    from tutor.store.reader import Reader

CANDIDATE = ", ".join(Candidate._fields)
PACE_OF, PACE_LEAST = 100, 10
"""Right answers of a kind whose median is the learner's pace, and the fewest that make one."""


def history(reader: Reader, day: str) -> History:
    """Return what a sitting on study day `day` needs to know of the past; most of it is read when somebody looks."""
    new, scheduled = reader.ask(counts, day)
    return History(
        myths=Later(lambda: reader.ask(myth_histories)),
        median_ms=ByKey(lambda kind: reader.ask(median_time, kind), lambda: reader.ask(kinds_with_times)),
        new_today=new,
        answered_today=scheduled,
        seen=LaterSet(lambda: reader.ask(column, "SELECT item FROM latest")),
        load=ByKey(lambda due: reader.ask(cards_due_on, due), lambda: reader.ask(loads)),
        aside=LaterSet(lambda: reader.look(read.set_aside)),
        generated=Later(lambda: reader.ask(generated)),
        usual_day=reader.ask(usual_day, day),
        sure_misses=reader.ask(sure_misses, day),
        bets=LaterRow(lambda: reader.ask(recent_bets, day)),
        slips=ByKey(lambda item: reader.ask(latest_slip, day, item), lambda: reader.ask(numeric_slips, day)),
        outcomes=LaterRow(lambda: reader.ask(outcomes)),
    )


def cards(reader: Reader) -> Mapping[str, Card]:
    """Return the cards by item, each read when it is asked for."""
    return ByKey(lambda item: reader.ask(read_card, item), lambda: reader.ask(column, "SELECT item FROM card"))


def counts(db: sqlite3.Connection, day: str) -> tuple[int, int]:
    """Return how many new items a study day introduced, generated transfers with them, and how many scheduled answers it had."""
    query = (
        "SELECT new + (SELECT count(*) FROM review WHERE study_day = day.study_day AND role = 'transfer' AND rating IS NULL), "
        "scheduled FROM day WHERE study_day = ?"
    )
    return db.execute(query, (day,)).fetchone() or (0, 0)


def column(db: sqlite3.Connection, query: str, *values: object) -> list[str]:
    """Return the one column that a query gives."""
    return [value for (value,) in db.execute(query, values)]


def due(db: sqlite3.Connection, day: str) -> list[str]:
    """Return the items due on study day `day` or before, the one that has waited longest first."""
    query = "SELECT json_group_array(item) FROM (SELECT item FROM card WHERE suspended = 0 AND due <= ? ORDER BY due)"
    items: list[str] = json.loads(db.execute(query, (day,)).fetchone()[0])  # as many rows take more than twice as long
    return items


def likeliest_forgotten(db: sqlite3.Connection, day: str, utc_us: int, most: int) -> list[Candidate]:
    """Return the first `most` cards due on study day `day` or before in the order of `queue.due_items`."""
    query = (
        f"SELECT {CANDIDATE} FROM card WHERE suspended = 0 AND due <= ? "
        "ORDER BY min(0, last_us - ?) / stability, item LIMIT ?"
    )
    return list(map(Candidate._make, db.execute(query, (day, utc_us, most))))


def candidates(db: sqlite3.Connection, items: Sequence[str] | None = None) -> list[Candidate]:
    """Return the cards that are not set aside, of some items or of all."""
    if items is None:
        rows = db.execute(f"SELECT {CANDIDATE} FROM card WHERE suspended = 0")
    else:
        some = "json_each(?) CROSS JOIN card ON item = value"
        rows = db.execute(f"SELECT {CANDIDATE} FROM {some} WHERE suspended = 0", (json.dumps(items),))
    return list(map(Candidate._make, rows))


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
