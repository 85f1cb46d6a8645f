"""The doctor: finds what was altered, and nothing where nothing was."""

from __future__ import annotations

import sqlite3

import pytest

from tests.store.given import DAY, answered, assert_sound, offered, parameters, practised, ran, write
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import doctor, open_store

ALTER = "DROP TRIGGER event_is_never_rewritten; DROP TRIGGER event_is_never_removed; "


def altered(home: Home, script: str) -> None:
    """Alter the file behind the tutor's back."""
    db = sqlite3.connect(home.database)
    db.executescript(script)
    db.close()


def faults(home: Home, clock: FakeClock) -> list[str]:
    """Return what the doctor found wrong."""
    return [finding.what for finding in doctor(home, clock) if not finding.ok]


@pytest.fixture
def full(home: Home, clock: FakeClock) -> Home:
    """A home with every kind of event."""
    with open_store(home, clock) as store:
        write(store, clock, 30)
        for kind, payload in [
            ("answered", practised("item-0")), ("answered", answered("item-1", correct=False, rating=1, myth="m")),
            ("offered", offered("run")), ("ran", ran()), ("parameters", parameters("p", 1.5)), ("suspended", {"item": "item-2"}),
            ("resumed", {"item": "item-2"}), ("suspended", {"item": "item-3"}), ("flagged", {"item": "item-4", "note": "odd"}),
            ("setting", {"key": "lab", "old": None, "new": "ask"}), ("restored", {"source": "x", "events": 3}),
            ("revised", {"item": "item-5", "old_rev": 1, "new_rev": 2, "choice": "halve"}),
        ]:  # fmt: skip
            store.append(kind, payload, clock.now(), DAY)
        store.undo((store.device, 7), clock.now(), DAY)
    return home


def test_a_sound_home_has_no_fault(full: Home, clock: FakeClock) -> None:
    """Every finding of a whole log is good, beside an open tutor too."""
    assert_sound(full, clock)
    with open_store(full, clock) as store:
        write(store, clock, 1)
        assert_sound(full, clock)


def test_a_home_without_a_file_is_in_order(home: Home, clock: FakeClock) -> None:
    """Nothing stored is no fault, and looking makes nothing."""
    assert faults(home, clock) == []
    assert not home.folder.exists()


@pytest.mark.parametrize(
    "change",
    [
        "payload = replace(payload, '\"ms\":900', '\"ms\":901')",
        "utc_us = utc_us + 1",
        "study_day = '2026-12-24'",
        "v = 2",
        "hlc = '9' || hlc",
    ],
)
def test_an_altered_event_is_named(full: Home, clock: FakeClock, change: str) -> None:
    """Whatever field of event 5 is changed, event 5 is named and the way back is given."""
    with open_store(full, clock) as store:
        device = store.device
    altered(full, f"{ALTER} UPDATE event SET {change} WHERE seq = 5")
    assert f"event 5 of device {device} was altered" in faults(full, clock)
    assert any("backup" in finding.remedy for finding in doctor(full, clock) if not finding.ok)


def test_an_event_altered_with_its_hash_is_found_by_the_next(full: Home, clock: FakeClock) -> None:
    """Computing the hash anew does not help: the event after it no longer follows."""
    altered(full, f"{ALTER} UPDATE event SET hash = 'forged' WHERE seq = 5")
    assert any("event 6" in fault and "does not follow" in fault for fault in faults(full, clock))


def test_a_removed_event_is_missed(full: Home, clock: FakeClock) -> None:
    """A gap in the numbers of a device is found."""
    altered(full, f"{ALTER} DELETE FROM event WHERE seq = 5")
    assert any("event 6" in fault and "does not follow" in fault for fault in faults(full, clock))


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("card", "UPDATE card SET stability = stability * 1.0000001 WHERE item = 'item-9'"),
        ("card", "DELETE FROM card WHERE item = 'item-9'"),
        ("review", "UPDATE review SET correct = 0 WHERE seq = 9"),
        ("day", "UPDATE day SET answered = answered + 1"),
        ("run", "DELETE FROM run"),
    ],
)
def test_an_altered_figure_is_found(full: Home, clock: FakeClock, table: str, change: str) -> None:
    """A projection that differs from the events is named; the chain is whole, so nothing answered is lost."""
    altered(full, change)
    (fault,) = faults(full, clock)
    assert f"of {table} differ from the events" in fault


def test_one_flipped_letter_is_found_where_sqlite_sees_nothing(full: Home, clock: FakeClock) -> None:
    """A byte changed on the disk passes SQLite's own check; the chain tells."""
    content = full.database.read_bytes()
    assert content.count(b'"session":"s"') > 30
    full.database.write_bytes(content.replace(b'"session":"s"', b'"session":"t"', 1))
    findings = doctor(full, clock)
    assert findings[0].what == "integrity_check says ok"
    assert not all(finding.ok for finding in findings)


@pytest.mark.parametrize(
    ("written", "flipped"),
    [
        (b'"due":"2', b'"dve":"2'),
        (b'"rating":3', b'"rating":x'),
        (b'"rev":1', b'"rev":['),
        (b'{"cause":null', b'["cause":null'),
        (b'"session":"s"', b'"session":"\xff"'),
        (b'"q":1.0', b'"q":"1"'),
    ],
)
def test_a_flipped_byte_is_a_finding_and_never_a_crash(
    full: Home, clock: FakeClock, written: bytes, flipped: bytes
) -> None:
    """A key that changed its name, broken JSON, another type, no UTF-8: each is said, with the way back."""
    content = full.database.read_bytes()
    assert written in content
    full.database.write_bytes(content.replace(written, flipped))
    found = [finding for finding in doctor(full, clock) if not finding.ok]
    assert found
    assert any("backup" in finding.remedy for finding in found)


@pytest.mark.parametrize("page", [0, 1, 3, 8, 12])
def test_a_page_of_zeros_is_found(full: Home, clock: FakeClock, page: int) -> None:
    """A lost page is a finding with the way back, never a crash of the doctor."""
    content = bytearray(full.database.read_bytes())
    content[page * 4096 : (page + 1) * 4096] = bytes(4096)
    full.database.write_bytes(content)
    assert faults(full, clock)


def test_a_jump_of_the_clock_is_mentioned_and_no_fault(home: Home, clock: FakeClock) -> None:
    """Events marked as suspect are counted; their order holds."""
    with open_store(home, clock) as store:
        write(store, clock, 2)
        clock.pass_days(-3)
        write(store, clock, 1)
    assert any("1 events were written after the clock had jumped" in finding.what for finding in doctor(home, clock))
    assert_sound(home, clock)


def test_the_newest_copy_is_mentioned(full: Home, clock: FakeClock) -> None:
    """The doctor says where the newest backup lies."""
    clock.pass_days(1)
    with open_store(full, clock):
        pass
    newest = max(full.backups.iterdir())
    assert doctor(full, clock)[-1].what == f"newest backup: {newest}"
