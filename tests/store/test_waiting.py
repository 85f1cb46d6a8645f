"""An answer is durable before its figures are counted: nobody sees the difference, however the process ends."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.given import DAY, answered, assert_sound, offered, parameters, practised, ran, refusal, tables, write
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import Store, StoreError, doctor, open_store
from tutor.store.waiting import MOST, waiting


def abandon(store: Store) -> None:
    """End as a killed process does: nothing more is written."""
    store._db.close()
    store._release()


def card_rows(home: Home) -> int:
    """Return how many cards lie in the file itself."""
    db = sqlite3.connect(home.database)
    count: int = db.execute("SELECT count(*) FROM card").fetchone()[0]
    db.close()
    return count


def test_an_answer_waits_until_somebody_asks(home: Home, clock: FakeClock) -> None:
    """Its transaction writes the event alone; a look at the log leaves it so, a look at the cards does not."""
    with open_store(home, clock) as store:
        write(store, clock, 2)
        assert store.newest() is not None
        assert (card_rows(home), len(waiting(store._db))) == (0, 2)
        assert len(store.cards()) == 2
        assert (card_rows(home), len(waiting(store._db))) == (2, 0)
        write(store, clock, 1)
        store.settle()
        assert (card_rows(home), store.cards()["item-0"].reps) == (2, 2)


def test_what_a_killed_process_left_is_laid_by_the_next(home: Home, clock: FakeClock) -> None:
    """A reader shows it and changes nothing, the doctor finds nothing wrong, and the next writer catches up."""
    store = open_store(home, clock)
    refs = write(store, clock, 3)
    store.undo(refs[2], clock.now(), DAY)
    abandon(store)
    before = home.database.read_bytes()
    with open_store(home, clock, read_only=True) as reader:
        assert set(reader.cards()) == {"item-0", "item-1"}
        assert len(list(reader.answers())) == 2
    assert_sound(home, clock)
    assert home.database.read_bytes() == before and card_rows(home) == 0
    with open_store(home, clock) as store:
        assert set(store.cards()) == {"item-0", "item-1"}
    assert card_rows(home) == 2
    assert_sound(home, clock)


def test_closing_leaves_nothing_to_be_laid(home: Home, clock: FakeClock) -> None:
    """A backup takes along what waits, and what it is opened by lays it."""
    kept = Home(home.folder.parent / "kept")
    kept.folder.mkdir()
    with open_store(home, clock) as store:
        write(store, clock, 2)
        store.backup(kept.database)
    assert [card_rows(home), card_rows(kept)] == [2, 0]
    with open_store(kept, clock) as store:
        assert len(store.cards()) == 2
    assert_sound(kept, clock)


def test_an_answer_taken_back_at_once_is_never_counted(home: Home, clock: FakeClock) -> None:
    """Neither is laid over the projections; an answer from before is taken out of them as ever."""
    with open_store(home, clock) as store:
        (first,) = write(store, clock, 1)
        store.settle()
        before = tables(home.database)
        store.undo(store.append("answered", answered("item-0"), clock.now(), DAY), clock.now(), DAY)
        store.settle()
        assert tables(home.database) == before
        store.undo(first, clock.now(), DAY)
        store.settle()
        assert card_rows(home) == 0
    assert_sound(home, clock)


def test_taking_back_an_undoing_brings_nothing_back(home: Home, clock: FakeClock) -> None:
    """The undoing of an earlier answer is laid, though it is itself named in an undoing that waits beside it."""
    with open_store(home, clock) as store:
        (first,) = write(store, clock, 1)
        store.settle()
        store.undo(store.undo(first, clock.now(), DAY), clock.now(), DAY)
        assert store.cards() == {}
    assert_sound(home, clock)


def test_not_more_than_some_wait(home: Home, clock: FakeClock) -> None:
    """A process that only writes does not put off all of it."""
    with open_store(home, clock) as store:
        write(store, clock, MOST + 3)
        assert (card_rows(home), len(waiting(store._db))) == (MOST + 1, 2)
    assert_sound(home, clock)


def test_a_full_disk_puts_off_the_laying_and_nothing_else(home: Home, clock: FakeClock) -> None:
    """What was acknowledged is in the log; whoever asks is told, and once there is room all of it is counted."""
    with open_store(home, clock) as store:
        write(store, clock, 40)
        store.settle()
        write(store, clock, 1)
        store._db.execute("PRAGMA query_only = 1")
        with pytest.raises(StoreError, match="could not be written"):
            store.cards()
        store._db.execute("PRAGMA query_only = 0")
        assert store.cards()["item-0"].reps == 2
        write(store, clock, 1)
        store._db.execute("PRAGMA query_only = 1")
    assert_sound(home, clock)
    with open_store(home, clock) as store:
        assert store.cards()["item-0"].reps == 3


def test_a_full_disk_at_the_first_writing_of_all_is_one_sentence(
    home: Home, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A device that never wrote here is noted on opening; where that cannot be written, nothing stays open."""

    def full(db: sqlite3.Connection, device: str) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("tutor.store.store.begin", full)
    assert "disk is full" in refusal(home, clock)
    monkeypatch.undo()
    with open_store(home, clock) as store:
        write(store, clock, 1)
    assert_sound(home, clock)


def test_damage_is_said_at_the_end_at_the_latest(home: Home, clock: FakeClock) -> None:
    """A table that cannot be written any more is no full disk: the sentence with the way back is not swallowed."""
    store = open_store(home, clock)
    write(store, clock, 30)
    store.settle()
    write(store, clock, 30)
    root = store._db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'latest'").fetchone()[0]
    store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(home.database.read_bytes())
    content[(root - 1) * 4096 : root * 4096] = b"\xff" * 4096
    home.database.write_bytes(content)
    store._db.execute("PRAGMA shrink_memory")
    with pytest.raises(StoreError, match="is damaged"):
        store.close()
    with pytest.raises(sqlite3.ProgrammingError):
        store._db.execute("SELECT 1")


ITEMS = ("x", "y")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["right", "wrong", "practised", "ran", "offered", "suspended", "resumed", "halve", "reset", "parameters", "undo", "settle"]
        ),
        st.sampled_from(ITEMS),
        st.integers(0, 30),
        st.integers(-2, 3),
    ),
    max_size=14,
)  # fmt: skip


def event(what: str, item: str, number: int) -> tuple[str, dict[str, Any]]:
    """Return the event of one step."""
    match what:
        case "right" | "wrong":
            return "answered", answered(item, correct=what == "right", rating=3 if what == "right" else 1)
        case "practised":
            return "answered", practised(item)
        case "ran":
            return "ran", ran()
        case "offered":
            return "offered", offered("recalled")
        case "halve" | "reset":
            return "revised", {"item": item, "old_rev": 1, "new_rev": 2, "choice": what}
        case "parameters":
            return "parameters", parameters(f"set-{number}", 0.5 + number / 20)
        case _:
            return what, {"item": item, "note": ""}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS)
def test_laid_late_or_at_once_the_figures_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, int, int]]
) -> None:
    """Whatever is done in whatever order, with the clock going back and events undone: what waits is laid as if it had not waited."""
    homes = [Home(tmp_path_factory.mktemp("late")), Home(tmp_path_factory.mktemp("once"))]
    found = []
    for home, at_once in zip(homes, (False, True), strict=True):
        clock = FakeClock()
        with open_store(home, clock) as store:
            refs = []
            for what, item, number, days in steps:
                clock.pass_days(days)
                if what == "undo" and refs:
                    refs.append(store.undo(refs[number % len(refs)], clock.now(), DAY))
                elif what not in ("undo", "settle"):
                    refs.append(store.append(*event(what, item, number), clock.now(), DAY))
                if at_once or what == "settle":
                    store.settle()
        assert not [finding for finding in doctor(home, clock) if not finding.ok]
        found.append(tables(home.database))
    late, once = (
        {name: [row[2:] if name in ("review", "run") else row for row in rows] for name, rows in one.items()}
        for one in found
    )
    assert late == once
