"""Opening a file: fresh, beside others, under any name, and on a disk that fills up."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.given import DAY, answered, assert_sound, refusal, write
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import StoreError, open_store
from tutor.store.file import SCHEMA_VERSION

ROOT = Path(__file__).resolve().parents[2]


def test_a_fresh_file_is_durable_marked_and_private(home: Home, clock: FakeClock) -> None:
    """Write-ahead log, full synchronisation, our mark and format; the folder is the learner's alone."""
    with open_store(home, clock) as store:
        pragmas = {name: store._db.execute(f"PRAGMA {name}").fetchone()[0] for name in
                   ("journal_mode", "synchronous", "user_version", "application_id")}  # fmt: skip
        assert pragmas == {
            "journal_mode": "wal", "synchronous": 2, "user_version": SCHEMA_VERSION, "application_id": 0x7475746F,
        }  # fmt: skip
    assert home.folder.stat().st_mode & 0o077 == 0
    assert not list(home.folder.glob("tutor.db-*")), "a clean close leaves one file"
    assert_sound(home, clock)


def test_a_fresh_file_needs_no_migration(home: Home, clock: FakeClock) -> None:
    """sqlite-utils finds every migration applied in a file made from schema.sql."""
    with open_store(home, clock):
        pass
    from sqlite_utils import Database

    from tutor.store.migrations import migrations

    db = sqlite3.connect(home.database)
    assert migrations.pending(Database(db)) == []
    db.close()


def test_the_way_to_an_answer_loads_no_sqlite_utils(tmp_path: Path) -> None:
    """Neither a fresh file nor a second opening needs it."""
    code = (
        "import sys; from pathlib import Path; from tests.support import FakeClock\n"
        "from tests.store.given import write; from tutor.paths import Home; from tutor.store import open_store\n"
        "for _ in range(2):\n"
        f"    with open_store(Home(Path({str(tmp_path / 'h')!r})), FakeClock()) as store: write(store, FakeClock(), 1)\n"
        "assert not {'sqlite_utils', 'numpy', 'pandas'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_a_second_instance_is_told_that_one_is_open(home: Home, clock: FakeClock) -> None:
    """One friendly sentence that names the folder; the first goes on, and after it the next may open."""
    with open_store(home, clock) as first:
        assert refusal(home, clock) == f"Another tutor is open on {home.folder}; go on there, or close it first."
        write(first, clock, 1)
    with open_store(home, clock) as second:
        assert len(second.cards()) == 1


def test_a_reader_beside_an_open_writer_sees_each_answer(home: Home, clock: FakeClock) -> None:
    """What was acknowledged is there at once for `due`, `stats` and `report`; they write nothing."""
    with open_store(home, clock) as writer:
        for count in (1, 2, 3):
            writer.append("answered", answered(f"item-{count}"), clock.now(), DAY)
            with open_store(home, clock, read_only=True) as reader:
                assert len(reader.cards()) == count
                with pytest.raises(StoreError):
                    reader.append("answered", answered("x"), clock.now(), DAY)
    with open_store(home, clock, read_only=True) as reader:
        assert len(reader.cards()) == 3


def test_a_plain_copy_of_an_open_file_is_caught(home: Home, clock: FakeClock, tmp_path: Path) -> None:
    """The main file alone, copied while the tutor is open, either lacks the answers of the sitting or says it is damaged."""
    other = Home(tmp_path / "copied")
    other.folder.mkdir()
    with open_store(home, clock) as store:
        write(store, clock, 5)
        shutil.copy(home.database, other.database)
    with open_store(other, clock, read_only=True) as copied:
        assert len(copied.cards()) < 5
    with open_store(home, clock) as store:
        assert len(store.cards()) == 5, "the tutor's own file has them all"


def test_a_disk_that_fills_up_costs_no_answer(home: Home, clock: FakeClock) -> None:
    """The answer that no longer fits is refused whole with a sentence; with space again the sitting goes on."""
    with open_store(home, clock) as store:
        write(store, clock, 5)
        pages = store._db.execute("PRAGMA page_count").fetchone()[0]
        store._db.execute(f"PRAGMA max_page_count={pages}")
        kept = 5
        with pytest.raises(StoreError, match=r"could not be written .*nothing of this step was kept"):
            for number in range(1_000):
                store.append("answered", answered(f"more-{number}"), clock.now(), DAY)
                kept += 1
        assert len(store.cards()) == len(list(store.answers())) == kept
        store._db.execute("PRAGMA max_page_count=1000000")
        store.append("answered", answered("again"), clock.now(), DAY)
    assert_sound(home, clock)


def test_another_program_in_the_middle_of_writing_is_waited_for_or_named(home: Home, clock: FakeClock) -> None:
    """A foreign writing transaction costs one sentence and no answer."""
    with open_store(home, clock) as store:
        foreign = sqlite3.connect(home.database, isolation_level=None)
        foreign.execute("BEGIN IMMEDIATE")
        store._db.execute("PRAGMA busy_timeout=10")
        with pytest.raises(StoreError, match="locked"):
            store.append("answered", answered("a"), clock.now(), DAY)
        foreign.execute("ROLLBACK")
        foreign.close()
        store.append("answered", answered("a"), clock.now(), DAY)
        assert [event.seq for event in store.events()] == [1]


@pytest.mark.parametrize("name", ["mit Leerzeichen", "50% ?#&", "học", "o'brien"])
def test_a_home_may_have_any_name(clock: FakeClock, tmp_path: Path, name: str) -> None:
    """Spaces, signs with a meaning in addresses, and letters beyond ASCII open for writer and reader."""
    home = Home(tmp_path / name)
    with open_store(home, clock) as store:
        write(store, clock, 1)
    with open_store(home, clock, read_only=True) as reader:
        assert len(reader.cards()) == 1
