"""The one sentence where a file cannot be opened, and nothing of it changed."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.store.given import DAY, answered, refusal, write
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import StoreError, open_store
from tutor.store.file import SCHEMA_VERSION

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65_534


@contextmanager
def as_nobody() -> Iterator[None]:
    """Act without the rights of root, where the tests have them."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def common() -> Iterator[Path]:
    """A folder whose parents anybody may enter."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


def test_a_newer_file_is_refused_and_left_alone(home: Home, clock: FakeClock) -> None:
    """The sentence says to update; not a byte changes."""
    with open_store(home, clock) as store:
        write(store, clock, 1)
    db = sqlite3.connect(home.database)
    db.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    db.close()
    before = home.database.read_bytes()
    assert f"newer tutor (format {SCHEMA_VERSION + 1}, this one knows {SCHEMA_VERSION}); update" in refusal(home, clock)
    assert "newer tutor" in refusal(home, clock, read_only=True)
    assert home.database.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"garbage " * 1_000, b"SQLite format 3\0" + b"\xff" * 5_000])
def test_what_is_no_history_never_becomes_an_empty_one(home: Home, clock: FakeClock, content: bytes) -> None:
    """Zero length or garbage: refused, untouched, and the newest backup is named with the way back."""
    for days in (0, 1):
        clock.pass_days(days)
        with open_store(home, clock) as store:
            write(store, clock, 1)
    home.database.write_bytes(content)
    newest = max(home.backups.iterdir())
    for read_only in (False, True):
        assert f"cp {newest} {home.database}" in refusal(home, clock, read_only=read_only)
    assert home.database.read_bytes() == content


def test_a_file_of_another_program_is_left_alone(home: Home, clock: FakeClock) -> None:
    """Some other SQLite file under our name is not taken for ours."""
    home.folder.mkdir()
    db = sqlite3.connect(home.database)
    db.execute("CREATE TABLE note (text TEXT)")
    db.close()
    before = home.database.read_bytes()
    assert "is not a tutor file" in refusal(home, clock)
    assert home.database.read_bytes() == before


@pytest.mark.parametrize("part", [0.3, 0.6, 0.95])
def test_a_truncated_file_is_refused(home: Home, clock: FakeClock, part: float) -> None:
    """A file that lost its end is damaged, and says so before the first question."""
    with open_store(home, clock) as store:
        write(store, clock, 60)
    whole = home.database.read_bytes()
    home.database.write_bytes(whole[: int(len(whole) * part)])
    for read_only in (False, True):
        assert "damaged" in refusal(home, clock, read_only=read_only)


@pytest.mark.parametrize(
    "page", [3, 6, 9, 12, 15, 18, 21, 27]
)  # not 24: the migrations' names, which a whole file is never asked for
def test_a_page_lost_in_the_middle_of_the_day_is_one_sentence(home: Home, clock: FakeClock, page: int) -> None:
    """Whatever is read or written first meets the damage with the way back, not with SQLite's own words."""
    for _ in range(2):
        with open_store(home, clock) as store:
            write(store, clock, 60)
    content = bytearray(home.database.read_bytes())
    assert len(content) > page * 4096
    content[page * 4096 : (page + 1) * 4096] = bytes(4096)
    home.database.write_bytes(content)
    newest = max(home.backups.iterdir())
    with pytest.raises(StoreError) as said, open_store(home, clock) as store:
        store.cards(), store.days(), store.runs(), store.history(DAY), store.last_answer(), store.flags()
        store.other_revisions(), store.loads(), store.standings(), list(store.history(DAY).outcomes)
        list(store.answers()), list(store.events())
        for number in range(60):
            store.append("answered", answered(f"item-{number}"), clock.now(), DAY)
        store.undo((store.device, 1), clock.now(), DAY)
    assert "is damaged" in str(said.value)
    assert str(newest) in str(said.value)


def test_a_history_that_vanished_is_not_begun_afresh(home: Home, clock: FakeClock) -> None:
    """Where a device has backups, a missing file is a loss and is called one."""
    for days in (0, 1):
        clock.pass_days(days)
        with open_store(home, clock) as store:
            write(store, clock, 1)
    home.database.unlink()
    assert "is gone although it was in use" in refusal(home, clock)
    assert not home.database.exists()


def test_a_folder_that_cannot_be_made_is_one_sentence(clock: FakeClock, tmp_path: Path) -> None:
    """A file in the way of the folder: named, with the remedy."""
    (tmp_path / "taken").write_text("not a folder")
    home = Home(tmp_path / "taken" / "home")
    assert (
        refusal(home, clock) == f"{home.folder} cannot be written (Not a directory); choose another folder with --home."
    )


def test_an_unwritable_folder_is_one_sentence_and_holds_nothing(common: Path, clock: FakeClock) -> None:
    """Without the right to write, nothing begins and nothing is left half-made."""
    common.chmod(0o555)
    with as_nobody():
        sentence = refusal(Home(common / "home"), clock)
        inside = refusal(Home(common), clock)
    assert "Permission denied" in sentence
    assert "Permission denied" in inside
    assert "--home" in sentence
    assert list(common.iterdir()) == []


def test_a_read_only_file_is_one_sentence(common: Path, clock: FakeClock) -> None:
    """A file that may be read and not written is refused to a writer before the first question."""
    home = Home(common / "home")
    with as_nobody():
        with open_store(home, clock) as store:
            write(store, clock, 1)
        home.database.chmod(0o444)
        assert "writable" in refusal(home, clock)
        with open_store(home, clock, read_only=True) as reader:
            assert len(reader.cards()) == 1


@pytest.mark.parametrize("space", [2_000, 20_000])
def test_a_full_disk_is_said_before_the_first_question(tmp_path: Path, space: int) -> None:
    """Where the file cannot be made whole there is a sentence, and no database."""
    code = (
        "import sys; from pathlib import Path; from tests.support import FakeClock\n"
        "from tutor.paths import Home; from tutor.store import StoreError, open_store\n"
        "try: open_store(Home(Path(sys.argv[1])), FakeClock())\n"
        "except StoreError as refused: print(refused)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "home")], cwd=ROOT, check=True, capture_output=True, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (space, space)),
    )  # fmt: skip
    assert "choose another folder with --home" in said.stdout
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["tutor.lock"]
