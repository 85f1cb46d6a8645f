"""What is likely remembered, summed where the cards are: a screen of figures reads no card."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

from tutor.clock import MICROSECONDS_PER_DAY
from tutor.frozen import dataclass
from tutor.learning.memory import curve_shape
from tutor.learning.parameters import Parameters


@dataclass(frozen=True, slots=True)
class Remembered:
    """The cards of one concept, and the sum of the recall to be expected of each."""

    concept: str
    cards: int
    recall: float


def departed(db: sqlite3.Connection, items: Iterable[str]) -> list[str]:
    """Return the items that have a card and are not among `items`."""
    query = "SELECT json_group_array(item) FROM card"  # one text: as many rows take more than twice as long
    return sorted(set(json.loads(db.execute(query).fetchone()[0])).difference(items))


def by_concept(db: sqlite3.Connection, utc_us: int, parameters: Parameters, without: Sequence[str]) -> list[Remembered]:
    """Return by concept what recall is expected at an instant, of all cards but those of some items.

    SQLite sums the forgetting curve: a row handed to Python costs several times as much as one that is not.
    """
    know_power(db)
    factor, decay = curve_shape(parameters)
    values: list[object] = [factor / MICROSECONDS_PER_DAY, utc_us, -decay]
    others = ""
    if without:
        values, others = [*values, json.dumps(without)], "WHERE item NOT IN (SELECT value FROM json_each(?))"
    # The limit keeps the inner query by itself: what is sorted by concept then is the recall alone, and no index leads from row to row.
    query = (
        "SELECT concept, count(*), sum(recall) FROM (SELECT concept, pow(1 + ? * max(0, ? - last_us) / stability, ?) AS recall "
        f"FROM card {others} LIMIT -1) GROUP BY concept"
    )
    return [Remembered(*row) for row in db.execute(query, values)]


def know_power(db: sqlite3.Connection) -> None:
    """Let SQLite raise to powers where it was built without the functions of mathematics."""
    try:
        db.execute("SELECT pow(2, 1)")
    except sqlite3.OperationalError:
        db.create_function("pow", 2, pow, deterministic=True)
