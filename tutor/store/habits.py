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
    query = "SELECT item, correct, sureness FROM review WHERE study_day >= ? AND rating IS NOT NULL ORDER BY hlc, device, seq"
    latest = {item: (correct, said) for item, correct, said in db.execute(query, (add_days(day, -SURE_MISS_DAYS),))}
    return frozenset(item for item, (correct, said) in latest.items() if not correct and said == "sure")


def latest_slips(db: sqlite3.Connection, day: str) -> dict[str, str]:
    """Return by numeric item the slip behind its latest answer of the last two months, where it was one.

    An answer to fresh numbers of an item counts as an answer to the item.
    """
    query = "SELECT item, json_extract(payload, '$.slip') FROM review WHERE study_day >= ? AND kind = 'numeric' ORDER BY hlc, device, seq"
    latest = {item.split("~")[0]: slip for item, slip in db.execute(query, (add_days(day, -SLIP_DAYS),))}
    return {item: slip for item, slip in latest.items() if slip}


def recent_bets(db: sqlite3.Connection, day: str) -> tuple[PastBet, ...]:
    """Return the bets that completed runs of the last two months settled, in order."""
    query = "SELECT payload FROM run WHERE study_day >= ? ORDER BY hlc, device, seq"
    found = (json.loads(payload) for (payload,) in db.execute(query, (add_days(day, -BET_DAYS),)))
    return tuple(
        PastBet(run["item"], run["experiment"], run["metric"], run["bet"], run["measured"])
        for run in found
        if run["bet"] is not None and run["measured"] is not None
    )
