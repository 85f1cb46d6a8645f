"""What one answer and the first question cost does not grow with the cards: no statement goes through a whole table."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

import tutor.store
from tests.store.given import DAY, answered, write
from tests.support import FakeClock
from tutor.learning.mastery import KNOWN
from tutor.paths import Home
from tutor.store import Store, open_store

WHOLE = ("SCAN event", "SCAN review", "SCAN card", "SCAN latest")


@pytest.fixture
def store(home: Home, clock: FakeClock) -> Store:
    """A store with a day's answers; the test closes it."""
    store = open_store(home, clock)
    write(store, clock, 20)
    return store


def plans(db: sqlite3.Connection, work: Callable[[], object]) -> list[str]:
    """Return what SQLite's planner makes of each statement that some work runs."""
    said: list[str] = []
    db.set_trace_callback(said.append)
    work()
    db.set_trace_callback(None)
    looked = [one for one in said if one.split()[0] in ("SELECT", "UPDATE", "DELETE", "INSERT")]
    return [row[3] for one in looked for row in db.execute(f"EXPLAIN QUERY PLAN {one}")]


def test_an_answer_and_its_undoing_look_at_the_rows_of_their_item(store: Store, clock: FakeClock) -> None:
    """Neither takes an index of all latest or all first answers, nor a table from end to end."""
    with store:
        ref = store.append("answered", answered("item-3"), clock.now(), DAY)
        for work in (
            lambda: store.append("answered", answered("item-4"), clock.now(), DAY),
            lambda: store.undo(ref, clock.now(), DAY),
        ):
            found = plans(store._db, lambda work=work: (work(), store.settle()))
            assert found
            assert not [plan for plan in found if plan.startswith(WHOLE) and "INDEX" not in plan]
            assert not [plan for plan in found if "review_first" in plan]


def test_the_first_question_reads_what_is_due_and_no_more(store: Store, clock: FakeClock) -> None:
    """What is due comes from its index; of the rest only counts of one day and the last word on what was set aside."""
    with store:
        view = store.snapshot()

        def begin() -> None:
            view.due(DAY)
            view.likeliest_forgotten(DAY, clock.now().utc_us, 10)
            past = view.history(DAY)
            view.lookup()["item-1"], past.load.get(DAY), past.median_ms.get("choice"), past.slips.get("item-1")

        found = plans(view._db, begin)
        due = [plan for plan in found if "card_due" in plan]
        assert len(due) == 3 and all("COVERING INDEX card_due" in plan for plan in due), (
            "no card is looked up for its due day"
        )
        assert not [plan for plan in found if plan.startswith(WHOLE)]


def test_the_standing_of_all_concepts_comes_from_one_index(store: Store) -> None:
    """Mastery needs no card row: alike outcomes are counted in the index."""
    with store:
        view = store.snapshot()
        (plan,) = plans(view._db, lambda: list(view.history(DAY).outcomes))[-1:]
        assert "COVERING INDEX card_outcome" in plan
        (outcome,) = view.history(DAY).outcomes
    assert (outcome.concept, outcome.chance, outcome.recent, outcome.cards) == ("c", 0.5, "+", 20)
    assert outcome.chance < KNOWN


def test_the_load_of_all_days_comes_from_one_index(store: Store) -> None:
    """Due days are counted without a card's row."""
    with store:
        store.settle()
        assert plans(store._db, store.loads) == ["SCAN card USING COVERING INDEX card_due"]


def test_the_schema_has_no_index_that_every_answer_fills_for_nothing() -> None:
    """Events of answers are found through `review`: their payload's item is in no index of `event`."""
    schema = (Path(tutor.store.__file__).parent / "schema.sql").read_text(encoding="utf-8")
    lines = [line for line in schema.splitlines() if line.startswith("CREATE INDEX event_")]
    assert len([line for line in lines if "WHERE" not in line]) == 1
