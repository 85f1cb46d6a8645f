"""Fills a home with a review log, as the answers of that learner: `python -m tests.bench.fill_home LOG.csv HOME`.

The CSV has the columns card_id, review_rating, review_time (ISO) and review_duration (ms). Each row becomes one `answered` event,
written through the store at its own time, with recall predicted, due day and interval as the tutor would have chosen them then.
Cards keep their ids under `log-`: they are not the shipped items, and nothing in them could be guessed.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from tests.store.given import answered
from tests.support import FakeClock
from tutor.learning.cards import Card, advance, elapsed_days
from tutor.learning.evidence import Weighed
from tutor.learning.memory import Evidence, retrievability
from tutor.learning.parameters import Parameters
from tutor.learning.schedule import plan
from tutor.paths import Home
from tutor.study.desk import Desk

Row = tuple[str, int, int, int]
"""Card, microseconds since 1970, rating, milliseconds."""
QUIET_HOUR = 7
"""UTC hour in which the learner of the real log never studies."""


def rows_of(path: Path) -> Iterator[Row]:
    """Yield the rows of a CSV."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            at = datetime.fromisoformat(row["review_time"])
            yield row["card_id"], round(at.timestamp() * 1e6), int(row["review_rating"]), int(row["review_duration"])


def fill(home: Home, rows: Iterable[Row], rollover: int = QUIET_HOUR, **fields: Any) -> int:
    """Write the rows, in order of time, into a new home; return how many. `fields` go into every answer's payload."""
    ordered = sorted(rows, key=lambda row: row[1])
    home.folder.mkdir(parents=True)
    home.config.write_text(f"rollover = {rollover}\n", encoding="utf-8")
    clock = FakeClock(utc_us=ordered[0][1])
    with Desk(home, clock) as desk:
        parameters, cards = desk.store.parameters(), dict[str, Card]()
        for at, batch in groupby(ordered, key=lambda row: row[1]):
            rows = list(batch)
            clock.utc_us = at
            day = desk.day()
            events = [("answered", _answer(cards, row, day, parameters) | fields) for row in rows]
            desk.store.append_many(events, clock.now(), day)
    return len(ordered)


def _answer(cards: dict[str, Card], row: Row, day: str, parameters: Parameters) -> dict[str, Any]:
    """Return an answer's payload and move its card."""
    name, utc_us, rating, ms = row
    item = f"log-{name}"
    card, evidence = cards.get(item), Evidence(rating)
    planned = plan(card, item, Weighed(evidence), utc_us, day, 0.9, parameters, {})
    predicted = retrievability(elapsed_days(card, utc_us), card.memory.stability, parameters) if card else None
    cards[item] = advance(card, item, 1, evidence, utc_us, day, planned.due, planned.interval, parameters)
    return answered(
        item, kind="numeric", options=(), choice=None, raw="1", parsed=1.0, key=1.0, correct=rating > 1, ms=ms, rating=rating,
        predicted=predicted, due=planned.due, interval=planned.interval,
    )  # fmt: skip


if __name__ == "__main__":
    print(f"{fill(Home(Path(sys.argv[2])), rows_of(Path(sys.argv[1]))):,} answers written")
