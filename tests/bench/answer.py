"""Answering: key press to verdict painted with 10,000 cards, and a durable answer beside a bare SQLite commit of the same bytes."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from tests.support import FakeClock
from tutor.learning.studyday import add_days
from tutor.paths import Home
from tutor.store import open_store
from tutor.study.desk import Desk
from tutor.ui.app import TutorApp

CARDS = 10_000


def payload(item: str, day: str, **changes: Any) -> dict[str, Any]:
    """Return an answer's payload as the session would write it."""
    base = {
        "session": "bench", "item": item, "concept": "ckpt.replay", "rev": 1, "text_hash": "00000000", "lang": "en", "kind": "choice",
        "family": "", "family_version": 0, "seed": 1, "values": {}, "options": ["a", "b", "c", "d"], "choice": ["a"], "raw": None,
        "parsed": None, "key": ["a"], "correct": True, "slip": None, "myth": None, "sureness": None, "ms": 4000, "mode": "review",
        "role": "first", "cause": None, "mapping": 1, "rating": 3, "q": 1.0, "predicted": None, "parameters": "fsrs6-default",
        "retention": 0.9, "due": add_days(day, 400), "interval": 400,
    }  # fmt: skip
    return base | changes


def fill(home: Home, clock: FakeClock, cards: int = CARDS) -> None:
    """Fill a home with cards begun over the hundred days before."""
    with open_store(home, clock) as store:
        for block in range(100):
            day = add_days("2026-08-01", block)
            rows = [("answered", payload(f"bench-{block}-{n}", day)) for n in range(cards // 100)]
            store.append_many(rows, clock.now(), day)


async def key_to_verdict(home: Home, clock: FakeClock, keys: int = 40) -> dict[str, float]:
    """Return p50 and p95 in milliseconds from the key to the painted verdict."""
    times = []
    with Desk(home, clock) as desk:
        app = TutorApp(desk, review=replace(desk.rules(), first="rng-7f3k"))
        app.warm_lab = lambda: None  # type: ignore[method-assign]
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            screen: Any = app.screen
            for _ in range(keys):
                started = time.perf_counter()
                screen.action_dont_know()
                await painted(app)
                times.append((time.perf_counter() - started) * 1000)
                screen.action_undo()
                await painted(app)
        await desk.lab.close()
    return {"p50_ms": median(times), "p95_ms": quantiles(times, n=20)[-1]}


async def painted(app: TutorApp) -> None:
    """Wait until the screen has been painted after what was just changed."""
    import asyncio

    done = asyncio.Event()
    app.call_after_refresh(done.set)
    await done.wait()


def durable(home: Home, clock: FakeClock, folder: Path, rounds: int = 200) -> dict[str, float]:
    """Return the median of an answer's transaction, its ratio to a bare commit of the same bytes, in turn, and what follows from it."""
    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    for statement in (
        "PRAGMA journal_mode=WAL",
        "PRAGMA synchronous=FULL",
        "CREATE TABLE t (k INTEGER PRIMARY KEY, v TEXT)",
    ):
        bare.execute(statement)
    ours, theirs, laid = [], [], []
    with open_store(home, clock) as store:
        for number in range(rounds):
            row = payload(f"durable-{number}", "2026-11-30")
            started = time.perf_counter()
            store.append("answered", row, clock.now(), "2026-11-30")
            middle = time.perf_counter()
            bare.execute("BEGIN IMMEDIATE")
            bare.execute("INSERT INTO t (v) VALUES (?)", (str(row) * 2,))
            bare.execute("COMMIT")
            ours.append(middle - started)
            theirs.append(time.perf_counter() - middle)
            ended = time.perf_counter()
            store.settle()
            laid.append(time.perf_counter() - ended)
    bare.close()
    ratio = median(a / b for a, b in zip(ours, theirs, strict=True))
    return {"p50_ms": median(ours) * 1000, "ratio": ratio, "laid_ms": median(laid) * 1000}
