"""A stranger's deck folder, as bad as can be: a sentence each, the rest loads, in bounded time and memory."""

from __future__ import annotations

import errno
import os
import time
import tracemalloc
from pathlib import Path

import pytest

from tutor.content.deckfile import MAX_GUIDE
from tutor.content.graph import MAX_CONCEPTS
from tutor.content.load import MAX_DECKS, load_library
from tutor.content.model import Library
from tutor.content.parse import MAX_ITEMS, MAX_TEXT
from tutor.content.rules import check_library
from tutor.content.source import MAX_BYTES, MAX_NAMES, MAX_PROBLEMS
from tutor.learning.queue import concept_depths

HEAD = 'schema = 1\ndeck = "{deck}"\nlang = "en"\ntitle = "Mine"\n'
ITEM = """
[[item]]
id = "{id}"
kind = "numeric"
concept = "rng.replay"
level = "easy"
rev = 1
stem = '{stem}'
answer = ["2"]
why = 'So.'
sources = ["arithmetic: 1 + 1"]
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder of one's own decks, with one that is sound."""
    write(tmp_path / "mine", "sound", ITEM.format(id="sound-1", stem="How many?"))
    return tmp_path / "mine"


def write(root: Path, deck: str, items: str, head: str = "") -> Path:
    """Write a deck and return its file."""
    path = root / deck / "deck.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEAD.format(deck=deck) + head + items, encoding="utf-8")
    return path


def load(shelf, mine: Path) -> Library:
    """Load the shipped shelf and then the own decks; what was sound still is."""
    library = load_library([shelf.root, mine], "en", shelf.catalogue)
    assert set(shelf.load().items) <= set(library.items)
    assert "sound-1" in library.items
    return library


def test_a_file_of_ten_megabytes_costs_nothing(shelf, mine: Path) -> None:
    """It is refused by its size: no second, no megabyte."""
    write(mine, "huge", "#" * 10_000_000)
    tracemalloc.start()
    started = time.perf_counter()
    library = load(shelf, mine)
    seconds, (_, peak) = time.perf_counter() - started, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [problem.message for problem in library.problems] == [
        f"the file is larger than {MAX_BYTES // 1_000_000} MB; split it into several decks."
    ]
    assert seconds < 2 and peak < 20_000_000


def test_as_many_items_as_fit_a_file(shelf, mine: Path) -> None:
    """Beyond the limit items are left out, with one sentence for all of them."""
    write(mine, "many", "[[item]]\n" * (MAX_ITEMS + 5))
    found = [problem.message for problem in load(shelf, mine).problems]
    assert sum("more than" in message for message in found) == 1
    assert len(found) == MAX_PROBLEMS + 1
    assert "more problems in this file" in found[-1]


@pytest.mark.parametrize("key", ["a" + ".a" * 50_000, 'a."a"' + " . 'a'" * 50_000])
def test_a_key_of_fifty_thousand_names(shelf, mine: Path, key: str) -> None:
    """The reader of TOML would take ten gigabytes for it: it is refused at its line before it is read."""
    write(mine, "deep", f"\n{key} = 1\n")
    tracemalloc.start()
    library = load(shelf, mine)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [(problem.line, problem.message) for problem in library.problems] == [
        (6, f"more than {MAX_NAMES} names joined by dots; a deck nests no deeper than four.")
    ]
    assert peak < 20_000_000


def test_as_many_names_as_a_text_may_hold(shelf, mine: Path) -> None:
    """Dots in a text are no key: sixteen sentences of a word are read."""
    write(mine, "dots", ITEM.format(id="dots-1", stem="How many? " + "1.2. " * MAX_NAMES))
    assert "dots-1" in load(shelf, mine).items


def test_thousands_of_items_of_one_concept_are_checked_in_time(shelf, mine: Path) -> None:
    """Each is compared with some before it, not with all: twice the items take about twice the time."""
    words = "When seven ranks gather what each of them holds, how many pieces travel in round"
    write(mine, "crowd", "".join(ITEM.format(id=f"crowd-{n}", stem=f"{words} {n}?") for n in range(4000)))
    started = time.process_time()
    alike = [problem for problem in check_library(load(shelf, mine)) if problem.rule == "W8"]
    assert len(alike) == 3999
    assert time.process_time() - started < 10


def test_a_chain_of_thousands_of_concepts(shelf, mine: Path) -> None:
    """As many as can be followed are kept, and no chain of prerequisites is too long to be measured."""
    chain = "".join(
        f'[concept."c{n}"]\ndeck = "x"\ntitle = "C"\ntext = "T"\nrequires = ["c{n + 1}"]\n' for n in range(12_000)
    )
    (mine / "concepts.toml").write_text(chain, encoding="utf-8")
    started = time.process_time()
    library = load(shelf, mine)
    depths = concept_depths(library)
    assert time.process_time() - started < 5
    assert f"more than {MAX_CONCEPTS} names" in library.problems[0].message
    assert max(depths.values()) == MAX_CONCEPTS


def test_a_stem_of_a_million_characters(shelf, mine: Path) -> None:
    """One sentence; the item beside it is asked."""
    long = ITEM.format(id="long-1", stem="x" * 1_000_000)
    write(mine, "long", long + ITEM.format(id="long-2", stem="How many?"))
    library = load(shelf, mine)
    assert [problem.message for problem in library.problems] == [
        f"a text of item long-1 is longer than {MAX_TEXT} characters; shorten it."
    ]
    assert "long-2" in library.items


def test_a_number_of_too_many_digits(shelf, mine: Path) -> None:
    """Python refuses to read it; that is one sentence, and the rest loads."""
    write(mine, "digits", f"level = {'9' * 5000}\n")
    (problem,) = load(shelf, mine).problems
    assert problem.message == "not TOML: a number has too many digits; mend this line."


def test_a_deck_of_the_same_name_hides_nothing(shelf, mine: Path) -> None:
    """The first stands; the second is named with where the first one is."""
    write(mine, "randomness", ITEM.format(id="other-1", stem="How many?"))
    library = load(shelf, mine)
    assert [deck.id for deck in library.decks].count("randomness") == 1
    assert str(shelf.root / "randomness/deck.toml") in library.problems[0].message


def test_an_id_in_two_decks(shelf, mine: Path) -> None:
    """The shipped item stands, whatever a stranger's deck calls its own."""
    taken = next(iter(shelf.load().items))
    write(mine, "thief", ITEM.format(id=taken, stem="Mine!"))
    library = load(shelf, mine)
    assert library.items[taken].stem != "Mine!"
    assert "already used" in library.problems[0].message


@pytest.mark.parametrize(("name", "table"), [("concepts", "concept"), ("myths", "myth")])
def test_concepts_and_myths_can_be_added_but_not_replaced(shelf, mine: Path, name: str, table: str) -> None:
    """A name that is taken is reported at its line, and keeps its meaning."""
    before = getattr(shelf.load(), name)
    taken = next(iter(before))
    more = 'title = "T"\n' if table == "concept" else 'why = "W"\n'
    words = f'[{table}."{taken}"]\n{more}text = "Mine!"\n\n[{table}."own"]\n{more}text = "Own"\n'
    (mine / f"{name}.toml").write_text(words, encoding="utf-8")
    library = load(shelf, mine)
    assert getattr(library, name)[taken] == before[taken]
    assert "own" in getattr(library, name)
    assert [(problem.line, problem.rule) for problem in library.problems] == [(1, "id")]


@pytest.mark.parametrize("name", ["../secret.md", "/etc/passwd", "link.md"])
def test_a_guide_lies_in_the_decks_own_folder(shelf, mine: Path, name: str) -> None:
    """Neither a path nor a link leads out of it."""
    (mine / "secret.md").write_text("secret", encoding="utf-8")
    path = write(mine, "spy", ITEM.format(id="spy-1", stem="How many?"), f'guide = "{name}"\n')
    (path.parent / "link.md").symlink_to(mine / "secret.md")
    deck = load(shelf, mine).deck("spy")
    assert deck is not None and deck.guide is None


@pytest.mark.parametrize(("content", "words"), [(b"x" * (MAX_GUIDE + 1), "larger than"), (b"\xff", "byte 0")])
def test_a_guide_that_cannot_be_shown(shelf, mine: Path, content: bytes, words: str) -> None:
    """The deck is asked without it."""
    path = write(mine, "page", ITEM.format(id="page-1", stem="How many?"), 'guide = "guide.md"\n')
    (path.parent / "guide.md").write_bytes(content)
    library = load(shelf, mine)
    assert "page-1" in library.items
    assert words in library.problems[0].message


@pytest.mark.parametrize("sign", ["\u202e", "\u200b", "\u2066", "\x1b[31m", "\x07"])
def test_signs_that_deceive_are_made_visible(shelf, mine: Path, sign: str) -> None:
    """Bidirectional, zero-width and control characters: shown as marks, or refused by TOML at their line."""
    write(mine, "signs", ITEM.format(id="signs-1", stem=f"How {sign}many?"))
    library = load(shelf, mine)
    if "signs-1" in library.items:
        assert sign not in library.items["signs-1"].stem
        assert "<U+" in library.items["signs-1"].stem
    else:
        assert "not TOML" in library.problems[0].message


@pytest.mark.parametrize(
    ("method", "place"), [("lstat", "closed/deck.toml"), ("iterdir", "."), ("read_bytes", "closed/deck.toml")]
)
def test_a_folder_without_permission(shelf, mine: Path, monkeypatch, method: str, place: str) -> None:
    """A sentence with the place; the others load. Root may read everything, so the refusal is the test's own."""
    write(mine, "closed", "")
    granted = getattr(Path, method)

    def refuse(path: Path) -> object:
        if path == mine / place:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return granted(path)

    monkeypatch.setattr(Path, method, refuse)
    library = load_library([shelf.root, mine], "en", shelf.catalogue)
    assert [(problem.path, problem.line) for problem in library.problems] == [(str(mine / place), 1)]
    assert library.problems[0].message == "cannot be read: Permission denied; check its permissions."
    assert set(shelf.load().items) <= set(library.items)


def test_more_folders_than_there_may_be(shelf, mine: Path) -> None:
    """The rest is left out, with one sentence."""
    for number in range(MAX_DECKS):
        (mine / f"t{number:04}").mkdir()
    assert "the rest is left out" in load(shelf, mine).problems[0].message
