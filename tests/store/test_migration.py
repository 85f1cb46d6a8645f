"""An older file: brought up to date with a copy first, or left as it was."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.store.given import answered, assert_sound, write
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import DayRow, Picked, StoreError, open_store
from tutor.store.file import SCHEMA_VERSION
from tutor.store.waiting import waiting

FILES = Path(__file__).parent / "files"


@pytest.fixture
def old(home: Home) -> Home:
    """A home as format 0 left it: events alone, and no projection to read from."""
    home.folder.mkdir()
    shutil.copy(FILES / "format0.db", home.database)
    return home


def test_an_older_file_is_brought_up_to_date(old: Home, clock: FakeClock) -> None:
    """Its events are kept to the letter, every figure is rebuilt from them, and it is written to as usual."""
    db = sqlite3.connect(FILES / "format0.db")
    events = db.execute("SELECT * FROM event ORDER BY hlc, device, seq").fetchall()
    db.close()
    with open_store(old, clock) as store:
        assert [event.row for event in store.events()] == events
        assert set(store.cards()) == {"item-0", "item-1", "item-2"}
        assert len(store.runs()) == 1
        assert [row.answered for row in store.days()] == [4, 1]
        write(store, clock, 1)
    assert_sound(old, clock)


def test_a_reader_reads_an_older_file_and_leaves_it_so(old: Home, clock: FakeClock) -> None:
    """`due`, `stats` and the doctor work before the first sitting after an update, without changing a byte."""
    before = old.database.read_bytes()
    with open_store(old, clock, read_only=True) as reader:
        assert set(reader.cards()) == {"item-0", "item-1", "item-2"}
        assert [row.answered for row in reader.days()] == [4, 1]
    assert_sound(old, clock)
    assert old.database.read_bytes() == before
    assert [path.name for path in old.folder.iterdir()] == ["tutor.db"]


def test_it_is_migrated_once(old: Home, clock: FakeClock) -> None:
    """The second opening finds today's format, as in a fresh file."""
    fresh = Home(old.folder.parent / "fresh")
    with open_store(fresh, clock), open_store(old, clock):
        pass
    with open_store(old, clock):
        pass
    shapes = []
    for home in (old, fresh):
        db = sqlite3.connect(home.database)
        assert db.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
        shapes.append(set(db.execute("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE '%sqlite%'")))
        db.close()
    assert shapes[0] == shapes[1]


def test_a_copy_of_the_older_file_is_kept(old: Home, clock: FakeClock) -> None:
    """Before anything changes, a verified copy in the old format lies among the backups."""
    with open_store(old, clock):
        pass
    formats = []
    for copy in old.backups.iterdir():
        db = sqlite3.connect(copy)
        formats.append(db.execute("PRAGMA user_version").fetchone()[0])
        db.close()
    assert 0 in formats


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    old: Home, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence names the copy; tables half-made are gone; the next try can succeed."""
    import tutor.store.migrations as module

    def fails(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(module, "rebuild", fails)
        with pytest.raises(StoreError, match="is as it was, and a copy lies in"):
            open_store(old, clock)
    db = sqlite3.connect(old.database)
    assert db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'card'").fetchone() == (0,)
    assert db.execute("PRAGMA user_version").fetchone() == (0,)
    db.close()
    with open_store(old, clock) as store:
        assert len(store.cards()) == 3


def test_format_1_gains_the_counts_of_sureness(home: Home, clock: FakeClock) -> None:
    """Its events are counted anew: how sure each answer was, guesses no recall, the latest answers, the myths picked."""
    home.folder.mkdir()
    shutil.copy(FILES / "format1.db", home.database)
    clock.pass_days(3)
    with open_store(home, clock) as store:
        later = store.days()[1]
        assert later == DayRow(
            "2026-12-02", answered=2, right=2, new=0, scheduled=2, recalled=1, reviewed=2, ms=1_800,
            think=1, think_right=1, guess=1, guess_right=1,
        )  # fmt: skip
        assert sum(standing.items for standing in store.standings()) == len(store.cards())
        assert store.picked_myths() == [Picked("m", 1, "2026-11-30")]
    assert_sound(home, clock)


def test_format_2_learns_which_right_answers_were_likely_luck(home: Home, clock: FakeClock) -> None:
    """Of a right answer, a declared guess, a coin's toss and a retry after a miss only the first is likely known."""
    home.folder.mkdir()
    shutil.copy(FILES / "format2.db", home.database)
    clock.pass_days(1)
    with open_store(home, clock) as store:
        standings = {(one.correct, one.sureness, one.likely): one.items for one in store.standings()}
    assert standings == {(True, None, True): 1, (True, "guess", False): 1, (True, None, False): 2}
    assert_sound(home, clock)


def test_format_3_gives_up_the_second_copy_of_each_answer(home: Home, clock: FakeClock) -> None:
    """Its events are kept to the letter; slips, kinds, what was typed and what was set aside are read as before."""
    home.folder.mkdir()
    shutil.copy(FILES / "format3.db", home.database)
    db = sqlite3.connect(FILES / "format3.db")
    events = db.execute("SELECT * FROM event ORDER BY hlc, device, seq").fetchall()
    db.close()
    clock.pass_days(1)
    with open_store(home, clock) as store:
        assert [event.row for event in store.events()] == events
        assert [answer.payload["item"] for answer in store.answers()][-1] == "m-1"
        past = store.history("2026-11-30")
        assert past.generated == {"n-1": 1}
        assert past.slips == {}, "the fresh numbers were answered rightly"
        assert past.sure_misses == {"m-1"}
        assert [put.given for put in store.answers_to(["m-1", "item-0"])] == [True, False]
        assert {(one.concept, round(one.chance, 4), one.recent): one.cards for one in past.outcomes} == {
            ("c", 0.0, "-"): 1, ("c", 0.1429, "-"): 1, ("c", 0.5, "+"): 3,
        }  # fmt: skip
        assert store.cards()["item-1"].rev == 2 and store.set_aside() == {"item-2"}
    assert_sound(home, clock)


def test_format_4_keeps_its_cards_and_learns_to_wait(home: Home, clock: FakeClock) -> None:
    """What is due is found without looking up a card; an answer need not be laid over the projections to be safe."""
    home.folder.mkdir()
    shutil.copy(FILES / "format4.db", home.database)
    clock.pass_days(1)
    with open_store(home, clock) as store:
        assert list(store.cards()) == ["item-0", "item-1", "item-2"]
        assert store.due("2026-12-02") == ["item-1", "item-0"]
        assert {one.item for one in store.candidates()} == {"item-0", "item-1"}
        store.append("answered", answered("item-0"), clock.now(), "2026-12-01")
        assert len(waiting(store._db)) == 1
        assert store.cards()["item-0"].reps == 2
        assert waiting(store._db) == []
    assert_sound(home, clock)
