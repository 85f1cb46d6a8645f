"""What is kept of the decks: a start reads again only what has changed, and nothing kept is relied on."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.content.conftest import DECK, Shelf
from tutor.content import deckfile, kept, load
from tutor.content.kept import Kept
from tutor.content.model import Library


class Reader:
    """Loads a shelf through one file of kept values, and counts the decks that are read from their text."""

    def __init__(self, shelf: Shelf, file: Path) -> None:
        self.shelf, self.file = shelf, file
        self.read: list[str] = []

    def __call__(self, lang: str = "en", **how: bool) -> Library:
        """Return the library as a start of the program sees it."""
        self.read.clear()
        values = Kept(self.file, **how)
        library = load.load_library([self.shelf.root], lang, self.shelf.catalogue, values)
        values.save()
        return library


@pytest.fixture
def reader(shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    """Two decks, and files that count as settled as soon as they are written."""
    monkeypatch.setattr(kept, "SETTLED_NS", -1_000_000_000)
    second = shelf.copy("second")
    second.write_text(re.sub(r'"rng-(\d\w{3})"', r'"sec-\1"', second.read_text(encoding="utf-8")), encoding="utf-8")
    reading = Reader(shelf, tmp_path / "cache" / "decks.en.json")
    plain = deckfile.load_deck

    def counted(path: Path, *rest: Any) -> Any:
        reading.read.append(path.parent.name)
        return plain(path, *rest)

    monkeypatch.setattr(deckfile, "load_deck", counted)
    yield reading


def test_a_second_start_reads_no_deck(reader: Reader) -> None:
    """The same library, equal to the last field, without the parser."""
    first = reader()
    assert reader.read == ["randomness", "second"]
    assert reader() == first == reader.shelf.load()
    assert reader.shelf.load().items != {} and reader() == first
    assert reader.read == []


@pytest.mark.parametrize("name", [DECK, "randomness/guide.md"])
def test_a_changed_file_is_read_again_and_no_other(reader: Reader, name: str) -> None:
    """One deck of two; what is said of it is new, the other one's values are kept."""
    reader()
    with (reader.shelf.root / name).open("a", encoding="utf-8") as file:
        file.write("\n# more\n")
    assert reader() == reader.shelf.load()
    reader()
    assert reader.read == []
    reader.shelf.edit('level = "medium"\nguide', 'level = "hard"\nguide')
    library = reader()
    assert reader.read == ["randomness"]
    assert library.deck("randomness").level == "hard"  # type: ignore[union-attr]


def test_the_same_size_at_the_same_time_is_still_another_text(reader: Reader) -> None:
    """A time set back does not hide an edit: the file's status has changed since."""
    path = reader.shelf.root / DECK
    before = path.stat()
    reader()
    reader.shelf.edit('title = "Randomness', 'title = "randomness')
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert reader().deck("randomness").title.startswith("randomness")  # type: ignore[union-attr]


def test_what_has_just_changed_is_not_kept(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the file system's resolution a next change could not be told from the last."""
    monkeypatch.setattr(kept, "SETTLED_NS", 60_000_000_000)
    reader()
    reader()
    assert reader.read == ["randomness", "second"]
    assert not reader.file.exists()


def test_findings_are_kept_and_twins_found(reader: Reader) -> None:
    """A broken item, a text that is no TOML and an id used twice are said at every start alike."""
    reader.shelf.edit('id = "rng-8q2w"\nkind = "', 'id = "rng-8q2w"\nkind = "a')
    reader.shelf.append('\n[[item]]\nid = "rng-7f3k"\n', "second/deck.toml")
    (reader.shelf.copy("third")).write_text("title = ", encoding="utf-8")
    first = reader()
    assert len(first.problems) >= 3
    assert reader() == first
    assert reader.read == []


def test_a_deck_that_could_not_be_read_is_tried_again(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failing disk or a folder without permission says nothing of the deck."""
    sound = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path == reader.shelf.root / DECK:
            raise OSError(5, "Input/output error")
        return sound(path)

    with monkeypatch.context() as broken:
        broken.setattr(Path, "read_bytes", refuse)
        assert "cannot be read" in reader().problems[0].message
    assert reader().problems == ()
    assert reader.read == ["randomness"]


def test_languages_and_experiments_are_told_apart(reader: Reader) -> None:
    """Each language has its file; a catalogue with another parameter range reads the decks again."""
    reader()
    assert Reader(reader.shelf, reader.file.with_name("decks.vi.json"))("vi") == reader.shelf.load("vi")
    reader()
    assert reader.read == []
    reader.shelf.catalogue.clear()  # type: ignore[attr-defined]
    assert reader() == reader.shelf.load()
    assert reader.read[:2] == ["randomness", "second"]


def row_changed(change: Callable[[list[Any]], None]) -> Callable[[bytes], bytes]:
    """Return what changes the first item's row and signs the file anew, as whoever knows the format could."""

    def rewrite(data: bytes) -> bytes:
        found = json.loads(data.partition(b"\n")[2])
        deck = next(row for name, (_, row) in found.items() if name.endswith("deck.toml"))
        change(deck[0][5][0])
        body = json.dumps(found).encode()
        return kept._head(body) + body

    return rewrite


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "halved": lambda data: data[: len(data) // 2],
    "one bit": lambda data: data[:500] + bytes([data[500] ^ 1]) + data[501:],
    "foreign": lambda data: b"\x80\x05cos\nsystem\n(S'touch /tmp/owned'\ntR.",
    "of other code": lambda data: data.replace(data[13:77], b"0" * 64, 1),
    "too deep": lambda data: kept._head(b"[" * 200_000) + b"[" * 200_000,
    "no table": lambda data: kept._head(b"[1]") + b"[1]",
    "no rows": lambda data: kept._head(b'{"a": 1}') + b'{"a": 1}',
    "a number for a stem": row_changed(lambda item: item.__setitem__(6, 7)),
    "a text for the options": row_changed(lambda item: item.__setitem__(9, "abc")),
    "an option too short": row_changed(lambda item: item[9][0].pop()),
    "a field too many": row_changed(lambda item: item.append("x")),
    "a table for a source": row_changed(lambda item: item[11].append({})),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_bad_file_is_as_none(reader: Reader, damage: str) -> None:
    """Damaged, of another version, foreign or made to deceive: the decks are read, and the file is written anew."""
    first = reader()
    spoilt = DAMAGE[damage](reader.file.read_bytes())
    reader.file.write_bytes(spoilt)
    assert reader() == first
    assert reader.read != []
    assert reader() == first
    assert reader.read == []


def test_a_file_too_large_is_not_opened(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory stays bounded, whatever lies there."""
    reader()
    monkeypatch.setattr(kept, "MAX_BYTES", 1_000)
    assert reader() == reader.shelf.load()


@pytest.mark.parametrize("place", ["a file", "no folder", "read-only"])
def test_where_nothing_can_be_written_everything_is_read(reader: Reader, place: str, tmp_path: Path) -> None:
    """A file where the folder should be, a home that does not exist, a reader that may not write: the library is whole."""
    if place == "a file":
        reader.file.parent.write_text("in the way", encoding="utf-8")
    if place == "no folder":
        reader.file = tmp_path / "none" / "cache" / "decks.en.json"
    assert reader(read_only=place == "read-only") == reader.shelf.load()
    assert not reader.file.exists() and not list(tmp_path.glob("*/decks*"))


def test_a_failed_write_leaves_what_was_there(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk: no half file, no draft left behind."""
    reader()
    before = reader.file.read_bytes()
    reader.shelf.edit('level = "medium"\nguide', 'level = "hard"\nguide')

    def full(path: Path, data: bytes) -> int:
        path.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert reader().deck("randomness").level == "hard"  # type: ignore[union-attr]
    assert reader.file.read_bytes() == before
    assert [path.name for path in reader.file.parent.iterdir()] == [reader.file.name]


def test_a_deck_that_went_is_forgotten(reader: Reader) -> None:
    """The file holds what the last start asked for and nothing else."""
    reader()
    for path in (reader.shelf.root / "second").iterdir():
        path.unlink()
    reader()
    assert b"second" not in reader.file.read_bytes()
