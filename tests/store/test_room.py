"""The write-ahead log is laid out ahead: nothing is read from it that was not written, and what was is not lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.given import DAY, answered, assert_sound, write
from tests.store.test_waiting import abandon
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import open_store

ROOM = 1 << 20


@pytest.fixture(autouse=True)
def roomy(apart: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for more than the answers of a test."""
    monkeypatch.setattr("tutor.store.room.ROOM", ROOM)


def log(home: Home) -> Path:
    """Return the write-ahead log beside the file."""
    return home.database.with_name(f"{home.database.name}-wal")


@pytest.mark.parametrize("before", [0, 3])
def test_answers_fill_the_room_and_a_killed_process_leaves_them_whole(
    home: Home, clock: FakeClock, before: int
) -> None:
    """Before the first answer or after some, once; readers, the doctor and the next writer find what was acknowledged."""
    store = open_store(home, clock)
    write(store, clock, before)
    store.make_room()
    assert log(home).stat().st_size == ROOM
    write(store, clock, 6)
    store.settle()
    store.make_room()
    assert log(home).stat().st_size == ROOM
    abandon(store)
    with open_store(home, clock, read_only=True) as reader:
        assert len(reader.cards()) == 6
    assert_sound(home, clock)
    with open_store(home, clock) as store:
        assert len(store.cards()) == 6
    assert not log(home).exists() or log(home).stat().st_size == 0
    assert_sound(home, clock)


def test_a_view_taken_before_stays_as_it_was(home: Home, clock: FakeClock) -> None:
    """The room is laid out while a sitting is on."""
    with open_store(home, clock) as store:
        write(store, clock, 2)
        view = store.snapshot()
        store.make_room()
        store.append("answered", answered("later"), clock.now(), DAY)
        assert (len(view.lookup()), len(store.cards())) == (2, 3)


def test_without_space_the_log_grows_as_before(home: Home, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be laid out is no fault of the learner's, and no answer waits for it."""

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    with open_store(home, clock) as store:
        monkeypatch.setattr("os.fsync", full)
        store.make_room()
        monkeypatch.undo()
        write(store, clock, 2)
        assert len(store.cards()) == 2
    assert_sound(home, clock)


def test_a_log_that_is_longer_is_left_alone(home: Home, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Zeros are only ever put at its end."""
    with open_store(home, clock) as store:
        write(store, clock, 4)
        store.settle()
        before = log(home).read_bytes()
        monkeypatch.setattr("tutor.store.room.ROOM", len(before) - 1)
        store.make_room()
        assert log(home).read_bytes() == before
    assert_sound(home, clock)
