"""Copies: verified before they are called copies, and kept by a policy."""

from __future__ import annotations

import sqlite3
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.given import assert_sound, tables, write
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import StoreError, open_store
from tutor.store.backup import back_up, kept_copies

DAYS = st.lists(
    st.tuples(st.dates(date(2026, 1, 1), date(2026, 12, 31)), st.integers(0, 235_959)), max_size=60, unique=True
)


def named(day: date, time: int = 120_000) -> str:
    """Return the name of a copy made on that day."""
    return f"tutor-{day:%Y%m%d}-{time:06d}.db"


def test_a_copy_of_an_open_file_is_whole(home: Home, clock: FakeClock, tmp_path: Path) -> None:
    """Taken in the middle of a sitting it has every answer, stands alone, and opens as a home of its own."""
    other = Home(tmp_path / "other")
    with open_store(home, clock) as store:
        write(store, clock, 20)
        assert store.backup(other.database) == other.database
        assert [path.name for path in other.folder.iterdir()] == ["tutor.db"]
        assert tables(other.database) == tables(home.database)
        write(store, clock, 1)
    assert_sound(other, clock)
    with open_store(other, clock) as copied:
        assert len(list(copied.events())) == 20


def test_a_copy_that_fails_leaves_nothing_behind(home: Home, clock: FakeClock, tmp_path: Path) -> None:
    """A folder in the way of the copy: one sentence, no draft, and an earlier copy stays."""
    (tmp_path / "taken").mkdir()
    with open_store(home, clock) as store:
        write(store, clock, 1)
        with pytest.raises(StoreError, match="No backup could be written"):
            store.backup(tmp_path / "taken")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "taken"]


def test_a_copy_is_named_by_the_tutors_own_clock(home: Home, clock: FakeClock) -> None:
    """Rotation goes by the names, so they come from the same clock as the events."""
    clock.pass_days(3650)
    with open_store(home, clock) as store:
        write(store, clock, 1)
        path = store.backup()
    assert path.name == f"tutor-{clock.now().local:%Y%m%d-%H%M%S}.db"


def test_a_copy_is_never_laid_over_the_file_in_use(home: Home, clock: FakeClock) -> None:
    """What is answered afterwards would go to a file without a name."""
    with open_store(home, clock) as store:
        write(store, clock, 1)
        with pytest.raises(StoreError, match="is the file in use"):
            store.backup(home.database)
        write(store, clock, 1)
    with open_store(home, clock) as store:
        assert len(list(store.answers())) == 2


def test_a_file_in_the_way_of_the_backups_is_one_sentence(home: Home, clock: FakeClock) -> None:
    """Where the folder of copies cannot be, the sentence says so; with the file gone the tutor opens again."""
    with open_store(home, clock) as store:
        write(store, clock, 1)
    home.backups.write_text("in the way")
    with pytest.raises(StoreError, match="No backup could be written"):
        open_store(home, clock)
    home.backups.unlink()
    with open_store(home, clock) as store:
        assert len(store.cards()) == 1


def test_an_unsound_copy_is_no_backup(home: Home, clock: FakeClock, tmp_path: Path) -> None:
    """A file whose pages are damaged is not copied over what was sound."""
    with open_store(home, clock) as store:
        write(store, clock, 60)
        good = store.backup(tmp_path / "copy.db").read_bytes()
    content = bytearray(home.database.read_bytes())
    content[8 * 4096 : 9 * 4096] = bytes(4096)
    home.database.write_bytes(content)
    db = sqlite3.connect(home.database)
    with pytest.raises(StoreError, match="is damaged"):
        back_up(home, db, tmp_path / "copy.db")
    db.close()
    assert (tmp_path / "copy.db").read_bytes() == good


def test_each_day_keeps_one_copy(home: Home, clock: FakeClock) -> None:
    """One copy a day, made at the first opening that finds something to copy; none of nothing."""
    for day in range(3):
        for _ in range(2):
            with open_store(home, clock) as store:
                write(store, clock, 1)
        assert len(list(home.backups.glob("*"))) == day + 1
        clock.pass_days(1)


def test_daily_use_keeps_a_bounded_number_of_copies(home: Home, clock: FakeClock) -> None:
    """After four months of daily study: at most the two days, twelve daily and ten weekly ones, the newest among them."""
    for _ in range(120):
        with open_store(home, clock) as store:
            write(store, clock, 1)
        clock.pass_days(1)
    names = sorted(path.name for path in home.backups.iterdir())
    last = clock.now().local.date() - timedelta(days=1)
    assert names[-1].startswith(f"tutor-{last:%Y%m%d}")
    dates = [date.fromisoformat(name[6:14]) for name in names]
    assert set(dates[-13:]) == {last - timedelta(days=n) for n in range(13)}
    assert 13 + 8 <= len(names) <= 2 + 12 + 10
    assert last - dates[0] <= timedelta(weeks=10)


@given(DAYS)
def test_the_policy_keeps_the_newest_and_the_last_two_days(copies: list[tuple[date, int]]) -> None:
    """Of any set of copies the newest of the last weeks stays, and all of today and yesterday."""
    today = date(2026, 12, 31)
    names = [named(day, time) for day, time in copies]
    kept = kept_copies(names, today)
    assert kept <= set(names)
    assert {name for name in names if today - date.fromisoformat(name[6:14]) < timedelta(days=2)} <= kept
    recent = [name for name in names if today - date.fromisoformat(name[6:14]) <= timedelta(weeks=10)]
    assert not recent or max(recent) in kept
    assert kept_copies(sorted(kept), today) == kept, "what is kept is kept the next time too"


def test_a_foreign_file_among_the_copies_is_not_ours_to_remove() -> None:
    """A name that tells no day stays."""
    names = ["tutor-before-the-move.db", named(date(2020, 1, 1))]
    assert kept_copies(names, date(2026, 1, 1)) == {"tutor-before-the-move.db"}
