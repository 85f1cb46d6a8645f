"""Reading decks: the same items however a file was saved, in the order of decks and files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tutor.content.load import load_library


def test_a_sound_library_is_whole(shelf) -> None:
    """Every item, concept and myth of a sound library is there, and nothing is complained of."""
    library = shelf.load()

    assert library.problems == ()
    assert list(library.items) == ["rng-7f3k", "rng-4c1p", "rng-2m9d", "rng-8q2w", "rng-3x6n"]
    assert set(library.concepts) == {"rng.streams", "rng.replay", "rng.state-cost"}
    assert library.myths["wrong-mask-is-caught"].experiment is not None


def test_a_choice_as_read(shelf) -> None:
    """An item carries its key, its options with their myths, its experiment and where it stands."""
    item = shelf.load().items["rng-7f3k"]

    assert item.answer == ("mask",)
    assert item.option("shape").myth == "wrong-mask-is-caught"
    assert item.option("mask").myth is None
    assert item.experiment is not None and item.experiment.set == {"p": 0.5}
    assert item.why.endswith("the loss. With `preserve_rng_state=False` nothing is raised.")
    assert item.line == shelf.edit('[[item]]\nid = "rng-7f3k"', "")


def test_written_transfers_come_first(shelf) -> None:
    """The sibling written for an item is its transfer."""
    library = shelf.load()
    assert [item.id for item in library.transfers(library.items["rng-7f3k"])] == ["rng-4c1p"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_how_a_file_was_saved_does_not_matter(shelf, newline: str, mark: bytes, end: str) -> None:
    """LF or CRLF, with or without a byte order mark or a last newline: the same ids, hashes and places."""
    before = shelf.load("vi")
    for path in shelf.root.rglob("*.toml"):
        text = path.read_text(encoding="utf-8").strip() + end
        path.write_bytes(mark + text.replace("\n", newline).encode())

    assert shelf.load("vi") == before


def test_trailing_spaces_do_not_matter(shelf) -> None:
    """Spaces after a delimiter or a line are no part of the wording."""
    before = shelf.load().items
    path = shelf.root / "randomness/deck.toml"
    path.write_text(re.sub(r"(?m)(\S)$", r"\1  ", path.read_text(encoding="utf-8")), encoding="utf-8")

    assert shelf.load().items == before


def test_no_decks_at_all(tmp_path: Path, catalogue) -> None:
    """An empty folder, or none, is an empty library."""
    assert load_library([tmp_path, tmp_path / "none"], "en", catalogue).items == {}


def test_several_roots(shelf, tmp_path: Path, catalogue) -> None:
    """The decks of a second root come after those of the first."""
    mine = tmp_path / "mine"
    path = shelf.copy("mine", mine)
    text = re.sub(r'"rng-(\d\w{3})"', r'"my-\1"', path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")
    library = load_library([shelf.root, mine], "en", catalogue)

    assert [deck.id for deck in library.decks] == ["randomness", "mine"]
    assert library.problems == ()


def test_a_quiz_is_not_scheduled(shelf) -> None:
    """The items of a quiz deck are practice."""
    shelf.edit('level = "medium"\nguide', 'level = "medium"\nquiz = true\nguide')
    assert list(shelf.load().scheduled()) == []
