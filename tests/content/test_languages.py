"""Overlays: a translation is shown where it is whole and of the present text, otherwise the English one."""

from __future__ import annotations

from dataclasses import replace

import pytest


def test_a_translation_that_is_fresh(shelf) -> None:
    """In another language a fresh entry gives every text; keys, myths, hash and place stay."""
    base, item = shelf.load().items["rng-7f3k"], shelf.load("vi").items["rng-7f3k"]

    assert item.lang == "vi" and item.stem.startswith("Một khối")
    assert item.option("shape").text.startswith("Lượt chạy lại sẽ gây")
    options = base.options
    assert replace(item, stem=base.stem, why=base.why, options=options, lang="en") == base
    assert [o.myth for o in item.options] == [o.myth for o in options]


@pytest.mark.parametrize("id", ["rng-4c1p", "rng-2m9d"])
def test_a_translation_that_is_stale_or_missing(shelf, id: str) -> None:
    """The English text is shown rather than a translation of another wording."""
    assert shelf.load("vi").items[id] == shelf.load().items[id]


def test_a_translation_without_one_option(shelf) -> None:
    """Half a translation is none: languages are not mixed within a question."""
    shelf.edit("option.loss = 'Lượt chạy lại sẽ đổi giá trị loss đã báo trước đó'\n", "", "randomness/vi.toml")
    assert shelf.load("vi").items["rng-7f3k"].lang == "en"


def test_concepts_and_myths_are_translated(shelf) -> None:
    """Fresh entries are shown, stale and missing ones stay English."""
    library = shelf.load("vi")

    assert library.concepts["rng.replay"].title == "Phát lại RNG"
    assert library.concepts["rng.streams"].title == "Streams of random numbers"
    assert library.myths["wrong-mask-is-caught"].text.startswith("Mặt nạ sai")
    assert library.myths["one-stream"].text == "All randomness shares one stream."


def test_only_the_language_asked_for_is_read(shelf) -> None:
    """A broken Turkish file costs a Vietnamese learner nothing, and is not opened."""
    (shelf.root / "randomness/tr.toml").write_text("not TOML", encoding="utf-8")
    assert shelf.load("vi").problems == ()


def test_the_guide_in_the_language(shelf) -> None:
    """The guide page is the translated one where there is one."""
    for name in ("guide.md", "guide.vi.md"):
        (shelf.root / "randomness" / name).write_text("text", encoding="utf-8")
    names = {lang: shelf.load(lang).decks[0].guide for lang in ("en", "vi", "tr")}

    assert {lang: path and path.name for lang, path in names.items()} == {
        "en": "guide.md",
        "vi": "guide.vi.md",
        "tr": "guide.md",
    }


@pytest.mark.parametrize(("stem", "faults"), [("{n} khối?", 0), ("Mười hai khối?", 1), ("{n} khối, {m} lần?", 1)])
def test_what_is_drawn_is_named_in_every_language(shelf, stem: str, faults: int) -> None:
    """A numeric family's numbers stand in the translation as in the English text: none forgotten, none of another family."""
    of = shelf.load().items["rng-2m9d"].text_hash
    entry = f"\n[item.rng-2m9d]\nof = \"{of}\"\nstem = '{stem}'\nwhy = '{{working}}. {{answer}} là rất ít.'\n"
    shelf.append(entry, "randomness/vi.toml")
    named = [problem.message for problem in shelf.check() if "must name what is drawn" in problem.message]
    assert len(named) == faults and all("{answer}, {n}, {working}" in message for message in named)
