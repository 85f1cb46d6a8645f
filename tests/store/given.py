"""Payloads and looks at the file that several tests of the store share."""

from __future__ import annotations

import sqlite3
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tests.support import FakeClock
from tutor.learning.parameters import DEFAULT
from tutor.learning.records import Answered, Offered, Ran
from tutor.paths import Home
from tutor.store import Store, StoreError, doctor, open_store
from tutor.store.projections import PROJECTIONS

DAY = "2026-11-30"


def answered(item: str = "a", **changes: Any) -> dict[str, Any]:
    """Return the payload of a right, scheduled answer."""
    base: dict[str, Any] = {
        "session": "s", "item": item, "concept": "c", "rev": 1, "text_hash": "00", "lang": "en", "kind": "choice",
        "family": "", "family_version": 0, "seed": 1, "values": {}, "options": ("good", "bad"), "choice": ("good",),
        "raw": None, "parsed": None, "key": ("good",), "correct": True, "slip": None, "myth": None, "sureness": None,
        "ms": 900, "mode": "review", "role": "first", "cause": None, "mapping": 1, "rating": 3, "q": 1.0,
        "predicted": None, "parameters": "fsrs6-default", "retention": 0.9, "due": "2026-12-02", "interval": 2,
    }  # fmt: skip
    return asdict(Answered(**(base | changes)))


def practised(item: str = "a", **changes: Any) -> dict[str, Any]:
    """Return the payload of an answer that moves no card."""
    return answered(item, **({"role": "practice", "rating": None, "due": None, "interval": None} | changes))


def ran(myth: str | None = "m", **changes: Any) -> dict[str, Any]:
    """Return the payload of a completed run after a miss."""
    base: dict[str, Any] = {
        "miss": ("d", 1), "item": "a", "experiment": "proof", "version": 1, "myth": myth, "params": {"layers": 12},
        "metric": "calls", "unit": "calls", "bet": "yes", "theory": {"op": "==", "value": 24}, "measured": 24,
        "claims": ({"name": "twice", "left": 24, "op": "==", "right": 24, "passed": True},), "observation": "yes",
        "ending": "passed", "seconds": 0.5, "torch": "2.13", "device": "cpu",
    }  # fmt: skip
    return asdict(Ran(**(base | changes)))


def offered(outcome: str, myth: str | None = "m", right: bool | None = None) -> dict[str, Any]:
    """Return the payload of what was put before the learner after a miss."""
    return asdict(Offered(("d", 1), "proof", myth, "because", outcome, right))


def parameters(id: str, factor: float) -> dict[str, Any]:
    """Return the payload of a parameter set whose first stabilities are the defaults times `factor`."""
    weights = [w * factor if n < 4 else w for n, w in enumerate(DEFAULT)]
    return {
        "id": id,
        "weights": weights,
        "threshold": 0.15,
        "step_version": 1,
        "n": 0,
        "loss": None,
        "gate": "",
        "through": {},
    }


def write(store: Store, clock: FakeClock, count: int, day: str = DAY) -> list[tuple[str, int]]:
    """Answer `count` items, a second apart; return the places of the answers."""
    refs = []
    for number in range(count):
        refs.append(store.append("answered", answered(f"item-{number}"), clock.now(), day))
        clock.pass_seconds(1)
    return refs


def tables(database: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return every projection's rows as they lie in the file, floats and all."""
    db = sqlite3.connect(database)
    try:
        return {name: sorted(db.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in PROJECTIONS}
    finally:
        db.close()


def assert_sound(home: Home, clock: FakeClock) -> None:
    """Hold the whole file to the doctor."""
    faults = [finding for finding in doctor(home, clock) if not finding.ok]
    assert not faults, faults


def refusal(home: Home, clock: FakeClock, *, read_only: bool = False) -> str:
    """Return the sentence with which opening is refused."""
    with pytest.raises(StoreError) as refused:
        open_store(home, clock, read_only=read_only)
    sentence = str(refused.value)
    assert "\n" not in sentence
    return sentence
