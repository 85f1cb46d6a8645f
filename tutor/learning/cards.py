"""A card: what the memory model holds about one item, and how one answer moves it.

The session and the store's replay call the same `advance`, so what is shown is what is stored and what is rebuilt.
"""

from __future__ import annotations

from typing import NamedTuple

from tutor.frozen import dataclass
from tutor.learning.memory import Evidence, Memory, step
from tutor.learning.parameters import Parameters

MICROSECONDS_PER_DAY = 86_400_000_000
RECENT = 3


@dataclass(frozen=True, slots=True)
class Card:
    """The state of one scheduled item. Equal logs give equal cards on every machine."""

    item: str
    memory: Memory
    last_us: int
    """Instant of the last answer that counted, microseconds UTC."""
    first_day: str
    """Study day of the first answer (ISO date)."""
    last_day: str
    due: str
    """Study day on which the card is next due (ISO date)."""
    interval: int
    """Days between `last_day` and `due`, as chosen and shown."""
    reps: int
    lapses: int
    recent: str
    """Outcomes of the last three answers, latest last: `+` right, `-` wrong."""
    rev: int = 1
    suspended: bool = False


class Candidate(NamedTuple):
    """A card that may come up, as far as the choice of a day's questions looks at it: one row of the file, for there may be many."""

    item: str
    stability: float
    """Days."""
    difficulty: float
    last_us: int
    """Instant of the last answer that counted, microseconds UTC."""
    last_day: str
    due: str


def elapsed_days(card: Card, utc_us: int) -> float:
    """Return real days since the card's last answer; a clock that went back counts as no time at all."""
    return days_since(card.last_us, utc_us)


def days_since(last_us: int, utc_us: int) -> float:
    """Return real days from one instant to another; a clock that went back counts as no time at all."""
    return max(0, utc_us - last_us) / MICROSECONDS_PER_DAY


def advance(
    card: Card | None,
    item: str,
    rev: int,
    evidence: Evidence,
    utc_us: int,
    day: str,
    due: str,
    interval: int,
    parameters: Parameters,
) -> Card:
    """Return the card after one answer. `day` and `due` are study days as ISO dates, fixed when the answer was given."""
    mark = "-" if evidence.rating == 1 else "+"
    if card is None:
        memory = step(None, 0.0, evidence, parameters)
        return Card(item, memory, utc_us, day, day, due, interval, 1, 0, mark, rev)
    memory = step(card.memory, elapsed_days(card, utc_us), evidence, parameters)
    return Card(
        item=item,
        memory=memory,
        last_us=max(card.last_us, utc_us),
        first_day=card.first_day,
        last_day=max(card.last_day, day),
        due=due,
        interval=interval,
        reps=card.reps + 1,
        lapses=card.lapses + (evidence.rating == 1),
        recent=(card.recent + mark)[-RECENT:],
        rev=rev,
        suspended=card.suspended,
    )
