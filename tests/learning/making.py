"""Cards, instants and weights for the tests of this room: the plain ones, and the strategies that search for the odd ones."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from tests.support import MONDAY, FakeClock, Table, candidates, world
from tutor.clock import Instant
from tutor.content.model import Item
from tutor.learning import moves
from tutor.learning.cards import Card
from tutor.learning.memory import Evidence, Memory
from tutor.learning.parameters import DEFAULT, LOWER, UPPER, Parameters, default_parameters
from tutor.learning.queue import due_items
from tutor.learning.session import begin
from tutor.learning.studyday import add_days

TODAY = "2026-11-30"
DEFAULTS = default_parameters()


def card(stability: float = 10.0, difficulty: float = 5.0, interval: int = 10, **changes: Any) -> Card:
    """Return a card answered on `TODAY` and due `interval` days later."""
    base: dict[str, Any] = {
        "item": "a-1", "memory": Memory(stability, difficulty), "last_us": MONDAY, "first_day": "2026-10-01",
        "last_day": TODAY, "due": add_days(TODAY, interval), "interval": interval, "reps": 3, "lapses": 0, "recent": "+++",
    }  # fmt: skip
    return Card(**(base | changes))


def due_of(cards: Mapping[str, Card], day: str, utc_us: int) -> tuple[str, ...]:
    """Return which of some cards are due on study day `day`, in the order in which they are asked."""
    return due_items(candidates(cards.values()).values(), day, utc_us)


def at(local: str, zone: str) -> Instant:
    """Return the instant at which the clocks of `zone` show `local`, the first time they do."""
    return seen_from(int(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone)).timestamp()), zone)


def seen_from(seconds: int, zone: str) -> Instant:
    """Return the instant `seconds` after 1970 as a clock in `zone` reads it."""
    offset = datetime.fromtimestamp(seconds, ZoneInfo(zone)).utcoffset()
    assert offset is not None
    return Instant(seconds * 1_000_000, 0, round(offset.total_seconds() / 60), zone)


def table(*items: Item, **changes: Any) -> Table:
    """Return a table with a fresh sitting on it."""
    clock = FakeClock()
    return Table(begin(world(*items, **changes), clock.now()), clock)


def answer(at: Table, key: str = "good") -> None:
    """Answer the question at hand."""
    at.move(moves.Answer, choice=(key,))


ratings = st.integers(1, 4)
evidences = st.builds(Evidence, ratings, st.floats(0, 1))
memories = st.builds(Memory, st.floats(0.001, 36_500), st.floats(1, 10))
gaps = st.one_of(st.floats(0, 2), st.floats(0, 1000))
retentions = st.floats(0.70, 0.97)


@st.composite
def parameter_sets(draw: st.DrawFn) -> Parameters:
    """Return the defaults, or any weights a fit may give."""
    anywhere = st.tuples(*(st.floats(low, high) for low, high in zip(LOWER, UPPER, strict=True)))
    return Parameters("drawn", draw(st.one_of(st.just(DEFAULT), anywhere)))


@st.composite
def cards(draw: st.DrawFn) -> Card:
    """Return a card in any state, with the interval it was given."""
    return card(
        draw(st.floats(0.001, 5000)),
        draw(st.floats(1, 10)),
        draw(st.one_of(st.integers(1, 12), st.integers(1, 3650))),
        item=f"item-{draw(st.integers(0, 999))}",
        reps=draw(st.integers(1, 50)),
        recent=draw(st.text("+-", max_size=3)),
    )


loads = st.dictionaries(st.integers(0, 60).map(lambda days: add_days(TODAY, days)), st.integers(0, 40), max_size=30)
