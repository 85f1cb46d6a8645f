"""The guesser of form: it finds what a deck gives away, finds nothing in chance, and little in the shipped decks."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.support import choice
from tutor.content.guesser import FEATURES, Guessed, believe, fit, guess, question
from tutor.content.load import load_library
from tutor.content.model import Deck, Item, Library, Option
from tutor.lab.catalogue import load_catalogue
from tutor.paths import resources

POINTS = 5.0
"""How far above chance form alone may score."""


def decks(key: str, rival: str, per_deck: int = 40, count: int = 3) -> Library:
    """Return decks whose keys and rivals are written after two patterns."""
    chance, made = random.Random(3), []
    for number in range(count):
        items = [_item(f"d{number}-{place}", key, rival, chance) for place in range(per_deck)]
        made.append(Deck(f"d{number}", "", "easy", False, False, tuple(items), path=Path("deck.toml")))
    return Library(tuple(made), {}, {}, (), {item.id: item for deck in made for item in deck.items})


def _item(id: str, key: str, rival: str, chance: random.Random) -> Item:
    def words(pattern: str) -> str:
        return " ".join("".join(chance.choices("abcdefgh", k=6)) for _ in range(chance.randint(2, 5))) + pattern

    options = [Option("good", words(key)), *(Option(f"bad{n}", words(rival)) for n in range(3))]
    chance.shuffle(options)
    return replace(choice(id, "a"), options=tuple(options), answer=("good",))


@pytest.mark.parametrize(
    ("key", "rival"),
    [(" and so on and so forth at length", ""), ("", " always"), (" 12", ""), ("", " `code`")],
)
def test_what_a_deck_gives_away_is_found(key: str, rival: str) -> None:
    """Longer keys, absolute words, digits, code: each is learnt from other decks and used on this one."""
    assert all(one.above > 25 and one.picks > 0.8 for one in guess(decks(key, rival), "en"))


def test_nothing_is_found_where_nothing_is_given_away() -> None:
    """Keys and rivals written alike leave the guesser at chance."""
    assert all(abs(one.above) < POINTS for one in guess(decks("", ""), "en"))


def test_an_item_does_not_teach_about_its_own_deck() -> None:
    """One deck alone has no other to learn from."""
    assert list(guess(decks("", " always", count=1), "en")) == []


def test_beliefs_add_up() -> None:
    """They are a distribution over the options, uniform without weights."""
    rows = question(decks("", "").decks[0].items[0]).rows
    assert len(rows[0]) == len(FEATURES)
    assert believe((0.0,) * len(FEATURES), rows) == pytest.approx([0.25] * 4)


def test_the_fit_is_where_the_slope_is_nought() -> None:
    """Newton's steps have arrived: one more item less does not matter, and nudging any weight is less likely."""
    asked = [question(item) for deck in decks(" 12", "").decks for item in deck.items]
    weights = fit(asked)

    def likelihood(at: tuple[float, ...]) -> float:
        penalty = 2.0 * sum(w * w for w in at)
        return sum(math.log(believe(at, one.rows)[one.key]) for one in asked) - penalty

    best = likelihood(weights)
    for place in range(len(weights)):
        for nudge in (-0.05, 0.05):
            moved = tuple(w + nudge * (i == place) for i, w in enumerate(weights))
            assert likelihood(moved) < best


@cache
def shipped(lang: str) -> tuple[Guessed, ...]:
    """Return the guesser's scores on the scheduled decks that come with the program."""
    library = load_library([resources("decks")], lang, load_catalogue(resources("experiments"))[0])
    served = {deck.id for deck in library.decks if deck.as_served}
    return tuple(one for one in guess(library, lang) if one.deck not in served)


def test_form_alone_scores_no_more_than_chance_on_the_shipped_decks() -> None:
    """Within five points on each deck and language, and no deck of which its picks are surely better."""
    found = [one for lang in ("en", "vi", "tr") for one in shipped(lang)]
    assert len(found) >= 10
    for one in found:
        assert abs(one.above) <= POINTS, one
        error = math.sqrt(one.chance * (1 - one.chance) / one.items)
        assert one.picks <= one.chance + POINTS / 100 + 2 * error, one
