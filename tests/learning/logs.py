"""Review logs for the tests of replay, fit and evaluation: drawn at random, simulated, and the real one."""

from __future__ import annotations

import csv
from datetime import datetime
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st

from tutor.learning.memory import Evidence, Memory, retrievability, step
from tutor.learning.parameters import Parameters
from tutor.learning.reviewlog import ReviewLog, build_log

DAY_US = 86_400_000_000
START_US = 1_764_489_600_000_000
REAL = Path(__file__).parents[3] / "shared" / "data" / "reviews_real.csv"
needs_the_real_log = pytest.mark.skipif(not REAL.exists(), reason="needs the review log beside the repository")

Row = tuple[str, int, int]
"""Card, microseconds since 1970, rating."""


def built(rows: list[Row], **columns: list[float]) -> ReviewLog:
    """Return the log of rows in the order written."""
    cards, times, ratings = ([row[place] for row in rows] for place in range(3))
    return build_log(cards, times, ratings, **columns)


@cache
def real_rows() -> tuple[Row, ...]:
    """Return the real learner's rows."""
    with REAL.open(encoding="utf-8", newline="") as file:
        return tuple(
            (
                row["card_id"],
                round(datetime.fromisoformat(row["review_time"]).timestamp() * 1e6),
                int(row["review_rating"]),
            )
            for row in csv.DictReader(file)
        )


def simulated(
    truth: Parameters, cards: int, seed: int, chance: float = 0.0, days: int = 120, whole: bool = False
) -> list[Row]:
    """Return the log of a learner whose memory is the model with `truth`, and who guesses right with `chance` when he has forgotten.

    Each card is begun on a random day and comes back after about the time in which recall falls to 0.85, or that in whole days.
    """
    rng, rows = np.random.default_rng(seed), []
    for card in range(cards):
        now, gap, memory = float(rng.uniform(0, days / 2)), 0.0, None
        now = float(int(now)) if whole else now
        while now < days:
            rating = 3
            if memory is None:
                rating = 1 if rng.random() < 0.35 else 3
            elif rng.random() > retrievability(gap, memory.stability, truth) and rng.random() >= chance:
                rating = 1
            memory = step(memory, gap, Evidence(rating), truth)
            rows.append((str(card), START_US + round(now * DAY_US), rating))
            gap = max(0.5, memory.stability * rng.uniform(0.8, 2.2))
            gap = float(max(1, round(gap))) if whole else gap
            now += gap
    return sorted(rows, key=lambda row: row[1])


def by_hand(rows: list[Row], qs: list[float], parameters: Parameters) -> dict[str, list[tuple[float, Memory]]]:
    """Return, per card, days since the last answer and the memory after each, one step at a time."""
    held: dict[str, list[tuple[float, Memory]]] = {}
    last: dict[str, int] = {}
    for (card, now, rating), q in zip(rows, qs, strict=True):
        before = held.setdefault(card, [])
        gap = max(0, now - last.get(card, now)) / DAY_US
        before.append((gap, step(before[-1][1] if before else None, gap, Evidence(rating, q), parameters)))
        last[card] = max(now, last.get(card, now))
    return held


@st.composite
def row_lists(draw: st.DrawFn, ordered: bool = False) -> list[Row]:
    """Return up to 40 answers on up to 5 cards, at distinct times; not in order of time unless asked for."""
    minutes = draw(st.lists(st.integers(0, 400 * 1440), min_size=1, max_size=40, unique=True))
    times = sorted(minutes) if ordered else minutes
    return [
        (draw(st.sampled_from("abcde")), START_US + minute * 60_000_000, draw(st.integers(1, 4))) for minute in times
    ]
