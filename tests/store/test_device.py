"""The device's id: the same from sitting to sitting, another for a copy."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.store.given import assert_sound, write
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import open_store


def test_a_device_keeps_its_id(home: Home, clock: FakeClock) -> None:
    """Sitting after sitting writes under one id, its numbers going on without a gap."""
    ids = set()
    for _ in range(3):
        with open_store(home, clock) as store:
            ids.add(store.device)
            write(store, clock, 2)
            assert [event.seq for event in store.events()] == list(range(1, 1 + len(list(store.answers()))))
    (id,) = ids
    assert len(id) == 16
    assert int(id, 16) >= 0


def test_two_homes_have_two_ids(home: Home, clock: FakeClock, tmp_path: Path) -> None:
    """No two homes write under one id."""
    with open_store(home, clock) as one, open_store(Home(tmp_path / "other"), clock) as two:
        assert one.device != two.device


def test_a_copied_home_is_another_device(home: Home, clock: FakeClock, tmp_path: Path) -> None:
    """Copied with everything in it, it goes on under a new id from 1, and the two can meet again."""
    with open_store(home, clock) as store:
        write(store, clock, 3)
    other = Home(tmp_path / "copied")
    shutil.copytree(home.folder, other.folder)
    with open_store(other, clock) as copied, open_store(home, clock) as store:
        assert copied.device != store.device
        assert write(copied, clock, 1) == [(copied.device, 1)]
        assert write(store, clock, 1) == [(store.device, 4)]
        assert store.merge(copied.events()) == 1
    assert_sound(home, clock)
    assert_sound(other, clock)


@pytest.mark.parametrize("content", ["", "[]", "null", "{", '{"id": "half', '{"mark": "1:1"}', "\udcff"])
def test_an_unreadable_id_is_replaced(home: Home, clock: FakeClock, content: str) -> None:
    """A new id is always safe: the log goes on under it."""
    with open_store(home, clock) as store:
        write(store, clock, 1)
        old = store.device
    home.device.write_text(content, encoding="utf-8", errors="surrogateescape")
    with open_store(home, clock) as store:
        assert store.device != old
        assert write(store, clock, 1) == [(store.device, 1)]
    assert_sound(home, clock)


def test_a_copy_laid_over_the_file_is_another_device(home: Home, clock: FakeClock, tmp_path: Path) -> None:
    """A backup copied over the database keeps the file's number on the disk; the event it lacks gives it away."""
    with open_store(home, clock) as store:
        write(store, clock, 2)
        copy = store.backup(tmp_path / "copy.db")
        write(store, clock, 1)
        lost = store.device
    home.database.write_bytes(copy.read_bytes())
    with open_store(home, clock) as store:
        assert store.device != lost
        assert write(store, clock, 1) == [(store.device, 1)]
    assert_sound(home, clock)


def test_a_copy_that_lacks_nothing_is_the_same_device(home: Home, clock: FakeClock, tmp_path: Path) -> None:
    """A backup with this device's last event in it can go on under its id: no number is given twice."""
    with open_store(home, clock) as store:
        write(store, clock, 2)
        copy = store.backup(tmp_path / "copy.db")
        id = store.device
    home.database.write_bytes(copy.read_bytes())
    with open_store(home, clock) as store:
        assert write(store, clock, 1) == [(id, 3)]
    assert_sound(home, clock)


def test_a_lost_id_is_made_anew(home: Home, clock: FakeClock) -> None:
    """Without its file the device is a new one."""
    with open_store(home, clock) as store:
        write(store, clock, 1)
        old = store.device
    home.device.unlink()
    with open_store(home, clock) as store:
        assert store.device != old
        assert len(store.cards()) == 1


def test_a_reader_has_no_id(home: Home, clock: FakeClock) -> None:
    """Reading makes no device: there is nothing it could write."""
    with open_store(home, clock) as store:
        write(store, clock, 1)
    home.device.unlink()
    with open_store(home, clock, read_only=True) as reader:
        assert reader.device == ""
    assert not home.device.exists()
