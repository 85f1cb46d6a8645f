"""The way back that a refusal names, followed to the letter."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.store.given import DAY, answered, assert_sound, write
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import StoreError, open_store


def crashed(home: Home, clock: FakeClock) -> None:
    """Leave a home with a copy of its first day, and on its second a write-ahead log, as a crash leaves it."""
    with open_store(home, clock) as store:
        write(store, clock, 50)
    clock.pass_days(1)
    with open_store(home, clock) as store:
        write(store, clock, 200, "2026-12-01")
    with open_store(home, clock) as store:
        for number in range(30):
            store.append("answered", answered(f"late-{number}"), clock.now(), DAY)
        left = {path: path.read_bytes() for path in home.folder.glob("tutor.db*")}
    for path, content in left.items():
        path.write_bytes(content)


@pytest.mark.parametrize("fault", ["emptied", "garbled", "gone"])
@pytest.mark.parametrize("name", ["home", "o'brien & co"])
def test_it_ends_in_a_sound_home_under_a_new_id(tmp_path: Path, clock: FakeClock, fault: str, name: str) -> None:
    """No leaf of the old write-ahead log is laid over the copy, no number is given twice, and the rest is kept aside."""
    home = Home(tmp_path / name)
    crashed(home, clock)
    lost = home.device.read_text()
    if fault == "gone":
        home.database.unlink()
    else:
        home.database.write_bytes(b"" if fault == "emptied" else b"garbage" * 999)
    with pytest.raises(StoreError) as refused:
        open_store(home, clock)
    commands = str(refused.value).split("copy the newest backup back: ", 1)[1]
    subprocess.run(["sh", "-c", commands], check=True, stderr=subprocess.DEVNULL)
    with open_store(home, clock) as store:
        assert len(store.cards()) == 50
        assert store.device not in lost
        assert write(store, clock, 1, "2026-12-01") == [(store.device, 1)]
    assert_sound(home, clock)
    assert (home.folder / "damaged" / "tutor.db-wal").exists()


def test_a_home_with_copies_and_no_device_is_not_begun_afresh(home: Home, clock: FakeClock) -> None:
    """Copies alone are a history: half a way back does not end in an empty collection."""
    crashed(home, clock)
    for path in [*home.folder.glob("tutor.db*"), home.device]:
        shutil.move(path, home.folder.parent)
    with pytest.raises(StoreError, match="is gone although it was in use"):
        open_store(home, clock)
