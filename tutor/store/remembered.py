"""What is likely remembered, worked out where the cards are: a screen of figures makes no card of any row."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
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
    """What one pass over all cards tells: of some items what is remembered, by concept, which others have a card, and who was asked often."""

    concepts: tuple[Remembered, ...]
    others: tuple[str, ...]
    often: tuple[str, ...]


def memories(db: sqlite3.Connection, utc_us: int, parameters: Parameters, items: Sequence[str], often: int) -> Memories:
    """Return by concept what recall is expected of some items, in ascending order, at an instant, microseconds since 1970 (UTC), which
    other items have a card, and which of all were answered `often` times or more.

    SQLite works out the forgetting curve and hands each column over as one text: a row handed to Python costs several times as much,
    and sorting by concept in the file does, too.
    """
    know_power(db)
    factor, decay = curve_shape(parameters)
    values = {"rate": factor / MICROSECONDS_PER_DAY, "now": utc_us, "decay": -decay, "parts": _PARTS, "often": often}
    curve = "CASE WHEN last_us < :now THEN pow(1 + :rate * (:now - last_us) / stability, :decay) ELSE 1 END"
    names, concepts, recalls, asked = db.execute(
        f"SELECT json_group_array(item), json_group_array(concept), json_group_array(CAST(:parts * {curve} AS INTEGER)), "
        "json_group_array(item) FILTER (WHERE reps >= :often) FROM card",
        values,
    ).fetchone()
    # one text is read after the other, so that each list lies where the one before lay and is still in the processor's cache
    others = _missing(json.loads(names), items)
    groups: dict[str, list[int]] = defaultdict(list)
    place: Iterable[list[int]] = [groups[concept] for concept in json.loads(concepts)]
    parts: Iterable[int] = json.loads(recalls)
    if others:
        stays = [name not in others for name in json.loads(names)]
        place, parts = compress(place, stays), compress(parts, stays)
    for group, part in zip(place, parts, strict=True):
        group.append(part)
    found = (
        Remembered(concept, len(each), sum(each, 0.0) / _PARTS) for concept, each in sorted(groups.items()) if each
    )
    return Memories(tuple(found), tuple(sorted(others)), tuple(json.loads(asked)))


def _missing(names: Sequence[str], among: Sequence[str]) -> set[str]:
    """Return the names that are not among others. Both ascend: as a rule nothing is missing, which one walk along both shows in a
    third of the time that looking up each takes."""
    ahead = iter(among)
    if all(name in ahead for name in names):
        return set()
    return set(names).difference(among)


def know_power(db: sqlite3.Connection) -> None:
    """Let SQLite raise to powers where it was built without the functions of mathematics."""
    try:
        db.execute("SELECT pow(2, 1)")
    except sqlite3.OperationalError:
        db.create_function("pow", 2, pow, deterministic=True)
