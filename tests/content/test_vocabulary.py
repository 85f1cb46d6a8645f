"""Concepts, myths and their translations, and the heads of overlays: what loading bears in silence is said here."""

from __future__ import annotations

import pytest

from tutor.content.model import Problem
from tutor.content.vocabulary import check_heads, check_vocabulary

CONCEPTS, MYTHS = "concepts.vi.toml", "myths.vi.toml"


def said(shelf) -> list[Problem]:
    """Return what is wrong with the shared vocabulary of a shelf."""
    return check_vocabulary([shelf.root], shelf.load(), ("vi", "tr"))


def test_what_the_shelf_lacks(shelf) -> None:
    """One concept is stale; one concept and two myths have no Vietnamese; no Turkish file is no problem."""
    stale, *missing = said(shelf)

    assert "rng.streams" in stale.message and "stale" in stale.message and stale.severity == "error"
    assert stale.path.endswith(CONCEPTS) and stale.line > 1
    assert [problem.severity for problem in missing] == ["warning"] * 3
    assert all("has no vi text" in problem.message for problem in missing)


def test_a_deck_not_yet_translated_lacks_nothing(shelf) -> None:
    """Its concepts and myths are not missed one by one in a language none of them is in."""
    before = said(shelf)
    concept = '[concept."shard.zero"]\ndeck = "sharding"\ntitle = "ZeRO"\nrequires = []\ntext = "Shards state."\n'
    shelf.edit('lang = "en"\n', f'lang = "en"\n\n{concept}', "concepts.toml")
    myth = '[myth.zero-is-lossy]\ntext = "It drops state."\nwhy = "It divides it."\nconcept = "shard.zero"\n'
    shelf.edit('lang = "en"\n', f'lang = "en"\n\n{myth}', "myths.toml")

    fresh = [problem.message for problem in said(shelf) if problem not in before]
    assert [message for message in fresh if "has no vi text" in message] == []


def test_a_myth_that_a_translated_question_leads_to(shelf) -> None:
    """It is missed, though the deck of its concept is in no other language; the others of that deck are not."""
    concept = '[concept."shard.zero"]\ndeck = "sharding"\ntitle = "ZeRO"\nrequires = []\ntext = "Shards state."\n'
    shelf.edit('lang = "en"\n', f'lang = "en"\n\n{concept}', "concepts.toml")
    myth = '[myth.{id}]\ntext = "It drops state."\nwhy = "It divides it."\nconcept = "shard.zero"\n'
    both = f"{myth.format(id='zero-is-lossy')}\n{myth.format(id='zero-is-free')}"
    shelf.edit('lang = "en"\n', f'lang = "en"\n\n{both}', "myths.toml")
    before = said(shelf)
    shelf.edit('myth = "replay-changes-the-loss"', 'myth = "zero-is-lossy"')

    (fresh,) = [problem.message for problem in said(shelf) if problem not in before]
    assert "myth zero-is-lossy has no vi text" in fresh


@pytest.mark.parametrize(
    ("name", "old", "new", "rule", "words"),
    [
        (MYTHS, "[myth.wrong-mask-is-caught]", "[myth.wrong-mask]", "W9", "there is no myth 'wrong-mask'"),
        (CONCEPTS, '[concept."rng.replay"]', '[concept."rng.reply"]', "W9", "there is no concept 'rng.reply'"),
        (CONCEPTS, 'title = "Phát lại RNG"', "", "W9", "has no 'title'"),
        (CONCEPTS, 'title = "Phát lại RNG"', 'title = "Phát lại `RNG`"', "E7", "code spans"),
        ("myths.toml", "A wrong mask is caught", "A false mask is caught", "W9", "stale"),
        ("myths.toml", 'concept = "rng.streams"', 'concept = "rng.stream"', "", "'rng.stream' of myth one-stream"),
        (
            "concepts.toml",
            'deck = "randomness"\ntitle = "Replaying',
            'deck = "rng"\ntitle = "Replaying',
            "",
            "deck 'rng'",
        ),
    ],
)
def test_a_fault_of_the_vocabulary(shelf, name: str, old: str, new: str, rule: str, words: str) -> None:
    """It is named in its file, at the line of its table."""
    before = said(shelf)
    shelf.edit(old, new, name)
    fresh = [problem for problem in said(shelf) if problem not in before and problem.severity == "error"]

    assert len(fresh) == 1
    assert words in fresh[0].message and fresh[0].rule == rule and fresh[0].line > 1


def test_a_broken_overlay_of_the_vocabulary(shelf) -> None:
    """A concepts overlay that is no TOML shows English to the learner, and is named to its author."""
    (shelf.root / CONCEPTS).write_text("[concept", encoding="utf-8")

    assert shelf.load("vi").concepts["rng.replay"].title == "Replaying the RNG"
    assert any("not TOML" in problem.message and problem.path.endswith(CONCEPTS) for problem in said(shelf))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('lang = "vi"', 'lang = "tr"', "write 'vi'"),
        ('deck = "randomness"', 'deck = "rng"', "write 'randomness'"),
        ('blurb = "Mặt', 'blrub = "Mặt', "did you mean 'blurb'?"),
        ("why = 'Loss đã", "whi = 'Loss đã", "did you mean 'why'?"),
    ],
)
def test_the_head_of_an_overlay(shelf, old: str, new: str, words: str) -> None:
    """An overlay that says another deck or language, or a key that means nothing, is named at its line."""
    deck = shelf.load().decks[0]
    assert check_heads(deck, ("vi", "tr")) == []
    line = shelf.edit(old, new, "randomness/vi.toml")
    problems = check_heads(deck, ("vi", "tr"))

    assert [problem.line for problem in problems] == [line]
    assert words in problems[0].message


def test_a_head_alone(shelf) -> None:
    """Title and blurb are in the language, the questions are not, and neither is the deck; nothing is missed."""
    folder = shelf.root / "randomness"
    (folder / "vi.toml").unlink()
    english = shelf.check("en", "vi")
    (folder / "head.vi.toml").write_text('deck = "randomness"\nlang = "vi"\ntitle = "Ngẫu nhiên"\nblurb = "Gì?"\n')
    deck = shelf.load("vi").decks[0]
    assert (deck.title, deck.blurb, deck.languages) == ("Ngẫu nhiên", "Gì?", ("en",))
    assert {item.lang for item in deck.items} == {"en"}
    assert shelf.load("en").decks[0].title == shelf.load("tr").decks[0].title != deck.title
    assert shelf.check("en", "vi") == english


def test_what_is_wrong_with_a_head_alone(shelf) -> None:
    """Another language, questions in it, and a whole overlay beside it, which is the one that is read."""
    (shelf.root / "randomness/head.vi.toml").write_text('lang = "tr"\ntitle = "x"\n[item.rng-7f3k]\nstem = "y"\n')
    deck = shelf.load().decks[0]
    said = " ".join(problem.message for problem in check_heads(deck, ("vi",)))
    assert "lang is 'tr' in head.vi.toml" in said
    assert "item" in said
    assert "remove it" in said
    assert shelf.load("vi").decks[0].title != "x"
    (shelf.root / "randomness/head.vi.toml").write_text("title")
    assert any("not TOML" in problem.message for problem in check_heads(deck, ("vi",)))
