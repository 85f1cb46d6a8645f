"""What the log tells of a learner's ways: what a day usually holds, and what he was sure of and wrong about."""

from __future__ import annotations

import json
import sqlite3
from statistics import median

from tutor.learning.records import PastBet
from tutor.learning.studyday import add_days

USUAL_OF = 28
"""Study days with answers whose median is the usual load."""
FIRST_SIGHTS = 200
"""Latest first answers that tell what share of new items a learner knows."""
SLIP_DAYS = 60
"""How long a slip decides which numbers come next."""
BET_DAYS = 60
"""How long a bet says something of its concept."""
SURE_MISS_DAYS = 14
"""How long a sure miss keeps its place before the others."""


def usual_day(db: sqlite3.Connection, day: str) -> int:
    """Return the median of scheduled answers over the last study days before `day` that had any; 0 without one."""
    query = "SELECT scheduled FROM day WHERE study_day < ? AND scheduled > 0 ORDER BY study_day DESC LIMIT ?"
    counts = [count for (count,) in db.execute(query, (day, USUAL_OF))]
    return round(median(counts)) if counts else 0


def first_sights(db: sqlite3.Connection) -> tuple[int, int]:
    """Return how many of the last first answers there are, and how many of them were right."""
    query = "SELECT correct FROM review WHERE first = 1 ORDER BY hlc DESC, device DESC, seq DESC LIMIT ?"
    right = [correct for (correct,) in db.execute(query, (FIRST_SIGHTS,))]
    return len(right), sum(right)


def sure_misses(db: sqlite3.Connection, day: str) -> frozenset[str]:
    """Return the items whose latest scheduled answer, of the last two weeks, was wrong in spite of being sure."""
    query = (
        "SELECT item FROM review AS miss WHERE correct = 0 AND sureness = 'sure' AND study_day >= ? AND rating IS NOT NULL "
        "AND NOT EXISTS (SELECT 1 FROM review AS later WHERE later.item = miss.item AND later.rating IS NOT NULL "
        "AND (later.hlc, later.device, later.seq) > (miss.hlc, miss.device, miss.seq))"
    )
    return frozenset(item for (item,) in db.execute(query, (add_days(day, -SURE_MISS_DAYS),)))


def latest_slip(db: sqlite3.Connection, day: str, item: str) -> str | None:
    """Return the slip behind the latest answer of the last two months to a numeric item, None where it was none.

    An answer to fresh numbers of an item (`item~1`, `item~2`) counts as an answer to the item.
    """
    query = (
        "SELECT slip FROM review WHERE (item = ? OR item >= ? AND item < ?) AND kind = 'numeric' AND study_day >= ? "
        "ORDER BY hlc DESC, device DESC, seq DESC LIMIT 1"
    )
    row = db.execute(query, (item, f"{item}~", f"{item}~\uffff", add_days(day, -SLIP_DAYS))).fetchone()
    return row[0] if row else None


def numeric_slips(db: sqlite3.Connection, day: str) -> list[str]:
    """Return the numeric items whose latest answer of the last two months was a slip."""
    query = "SELECT DISTINCT item FROM review WHERE study_day >= ? AND slip IS NOT NULL"
    items = {item.split("~")[0] for (item,) in db.execute(query, (add_days(day, -SLIP_DAYS),))}
    return sorted(item for item in items if latest_slip(db, day, item))


def recent_bets(db: sqlite3.Connection, day: str) -> tuple[PastBet, ...]:
    """Return the bets that completed runs of the last two months settled, in order."""
    query = "SELECT payload FROM run WHERE study_day >= ? ORDER BY hlc, device, seq"
    found = (json.loads(payload) for (payload,) in db.execute(query, (add_days(day, -BET_DAYS),)))
    return tuple(
        PastBet(run["item"], run["experiment"], run["metric"], run["bet"], run["measured"])
        for run in found
        if run["bet"] is not None and run["measured"] is not None
    )
