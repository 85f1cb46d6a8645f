"""What is likely remembered, worked out where the cards are: a screen of figures makes no card of any row."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from itertools import compress

from tutor.clock import MICROSECONDS_PER_DAY
from tutor.frozen import dataclass
from tutor.learning.memory import curve_shape
from tutor.learning.parameters import Parameters

_PARTS = 2**53
"""Recall is handed over as a whole number of such parts: as fine as a float near 1, and written and read in half the time."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """The cards of one concept, and the sum of the recall to be expected of each."""

    concept: str
    cards: int
    recall: float


@dataclass(frozen=True, slots=True)
class Memories:
    """What is remembered of some items, by concept, and which other items have a card."""

    concepts: tuple[Remembered, ...]
    others: tuple[str, ...]


def memories(db: sqlite3.Connection, utc_us: int, parameters: Parameters, items: Iterable[str]) -> Memories:
    """Return by concept what recall is expected of some items at an instant, microseconds since 1970 (UTC), and who else has a card.

    SQLite works out the forgetting curve and hands each column over as one text: a row handed to Python costs several times as much,
    and sorting by concept in the file does, too.
    """
    know_power(db)
    factor, decay = curve_shape(parameters)
    values = {"rate": factor / MICROSECONDS_PER_DAY, "now": utc_us, "decay": -decay, "parts": _PARTS}
    curve = "CASE WHEN last_us < :now THEN pow(1 + :rate * (:now - last_us) / stability, :decay) ELSE 1 END"
    texts = db.execute(
        f"SELECT json_group_array(item), json_group_array(concept), json_group_array(CAST(:parts * {curve} AS INTEGER)) FROM card",
        values,
    ).fetchone()
    names, concepts, recalls = map(json.loads, texts)
    others = set(names)
    others.difference_update(items)  # in this direction ids are met in the order they lie in memory
    if others:
        stays = [name not in others for name in names]
        concepts, recalls = compress(concepts, stays), compress(recalls, stays)
    parts: dict[str, list[int]] = defaultdict(list)
    for concept, recall in zip(concepts, recalls, strict=True):
        parts[concept].append(recall)
    found = (Remembered(concept, len(each), sum(each, 0.0) / _PARTS) for concept, each in sorted(parts.items()))
    return Memories(tuple(found), tuple(sorted(others)))


def know_power(db: sqlite3.Connection) -> None:
    """Let SQLite raise to powers where it was built without the functions of mathematics."""
    try:
        db.execute("SELECT pow(2, 1)")
    except sqlite3.OperationalError:
        db.create_function("pow", 2, pow, deterministic=True)
