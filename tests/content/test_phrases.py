"""Workings and names of slips in another language: shown where they are said with the same numbers, else English."""

from __future__ import annotations

from pathlib import Path

import pytest

from tutor.content import phrases
from tutor.content.drafts import as_toml, deck_drafts
from tutor.content.families import FAMILIES, draw, render
from tutor.content.phrases import lacking, numbers_path, phrase, phrases_of

FAMILY = "rng.state_bytes"
WORKING = FAMILIES[FAMILY].working
SAID = f"""[said]
"{WORKING}" = "mỗi vùng 5056 byte: {{n}}·5056 / 1024 = {{answer}} KiB"
"one checkpoint was counted" = "chỉ đếm một vùng"
"decimal kB were given" = "đã ghi kB thập phân"
"""


@pytest.fixture(autouse=True)
def shipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a folder of the program's decks that says nothing: what the shelf says is all, whatever is translated meanwhile."""
    (tmp_path / "shipped").mkdir()
    monkeypatch.setattr(phrases, "resources", lambda name: tmp_path / "shipped")
    return tmp_path / "shipped"


def vietnamese(shelf):
    """Translate the shelf's numeric item, and return it as a learner sees it."""
    of = shelf.load().items["rng-2m9d"].text_hash
    text = "stem = 'Bao nhiêu KiB cho {n} khối?'\nwhy = '{working}. {answer} là rất ít.'"
    shelf.append(f'\n[item.rng-2m9d]\nof = "{of}"\n{text}\n', "randomness/vi.toml")
    return shelf.load("vi").items["rng-2m9d"]


def said(shelf, text: str = SAID) -> None:
    """Write the shelf's phrases."""
    numbers_path(shelf.root, "vi").write_text(text, encoding="utf-8")


def test_a_working_in_the_language(shelf) -> None:
    """The same numbers in other words; in English and in a language without phrases the family's own."""
    item, drawn = vietnamese(shelf), draw(FAMILY, {"n": (24,)}, 1)
    assert drawn.working in render(item, drawn).why
    said(shelf)
    assert render(item, drawn).why == "mỗi vùng 5056 byte: 24·5056 / 1024 = 118.5 KiB. 118.5 KiB là rất ít."
    assert drawn.working in render(shelf.load().items["rng-2m9d"], drawn).why


def test_a_slip_in_the_language_and_in_the_log(shelf) -> None:
    """The name that is shown is translated, the one that is kept is not; what is not said stays English."""
    said(shelf)
    item = vietnamese(shelf)
    assert phrase("one checkpoint was counted", item) == "chỉ đếm một vùng"
    assert phrase("one checkpoint was counted", shelf.load().items["rng-2m9d"]) == "one checkpoint was counted"
    assert phrase("nobody's slip", item) == "nobody's slip"
    assert "one checkpoint was counted" in draw(FAMILY, {}, 1).slips


def test_a_folder_is_read_before_the_program(shelf, shipped: Path) -> None:
    """What one's own decks do not say is said by the program's phrases; where both say it, one's own stand."""
    numbers_path(shipped, "vi").write_text(SAID, encoding="utf-8")
    item = vietnamese(shelf)
    assert phrase("decimal kB were given", item) == "đã ghi kB thập phân"
    said(shelf, '[said]\n"decimal kB were given" = "đã viết kB hệ mười"\n')
    assert phrase("decimal kB were given", item) == "đã viết kB hệ mười"
    assert phrase("one checkpoint was counted", item) == "chỉ đếm một vùng"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("chỉ đếm một vùng", "", "must keep its numbers"),
        ("byte: {n}", "byte: 24", "must keep its numbers"),
        ("decimal kB were given", "decimal KB were given", "no numeric question says"),
        ("[said]", "[says]", "unknown key"),
        ('"decimal kB', "decimal kB", "not TOML"),
    ],
)
def test_what_the_author_is_told(shelf, old: str, new: str, words: str) -> None:
    """Each fault is named in the file, and the English is shown meanwhile."""
    vietnamese(shelf)
    said(shelf, SAID.replace(old, new))
    path = str(numbers_path(shelf.root, "vi"))
    assert any(words in problem.message for problem in shelf.check() if problem.path == path)


def test_what_is_missing_is_a_warning_and_drafted(shelf) -> None:
    """A folder that says nothing in a language is no problem; where something is said, the rest is missed and can be drafted."""
    vietnamese(shelf)
    asked = list(phrases_of(shelf.load().items["rng-2m9d"]))
    assert asked == ["one checkpoint was counted", "decimal kB were given", WORKING]
    every = lacking(shelf.load().decks[0].items, shelf.root, "vi")
    assert every[: len(asked)] == asked
    assert not [problem for problem in shelf.check() if "is not said" in problem.message]
    said(shelf, '[said]\n"decimal kB were given" = "đã ghi kB thập phân"\n')
    missed = [problem for problem in shelf.check() if "is not said" in problem.message]
    assert [problem.severity for problem in missed] == ["warning"] * (len(every) - 1)
    library = shelf.load()
    *_, last = deck_drafts(library.decks[0], library, "vi")
    assert as_toml(last)[:4] == ["", "[said]", '"one checkpoint was counted" = ""', f'"{WORKING}" = ""']
    assert last.path == numbers_path(shelf.root, "vi")
