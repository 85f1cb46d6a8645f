"""Text fitted to its room: no word is lost, no row too long, no key parted from its word."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tutor.ui.wrapping import fitted, grouped, hanging, hung

words = st.text("abcdefgh", min_size=1, max_size=12)
sentences = st.lists(words, min_size=1, max_size=30).map(" ".join)


@given(st.lists(st.lists(words, min_size=1, max_size=3).map(" ".join), min_size=1, max_size=9), st.integers(38, 80))
def test_keys_break_between_hints(hints: list[str], width: int) -> None:
    """Every hint stands whole on one row, in order, and no row is longer than the window."""
    rows = grouped("   ".join(hints), width).split("\n")
    assert [hint for row in rows for hint in re.split(" {2,3}", row)] == hints
    assert all(len(row) <= width for row in rows)


def test_keys_stand_closer_where_that_saves_a_row() -> None:
    """Today's keys fit one row of a window of 80 columns."""
    keys = "⏎ start   t quiz   d decks   l lab   p progress   c settings   ? help   ^q quit"
    assert grouped(keys, 79) == keys
    assert grouped(keys, 78) == keys.replace("   ", "  ")
    assert grouped(keys, 40).count("\n") == 1
    assert grouped("a one   b two", 11) == "a one\nb two"


def test_what_is_said_stays_above_the_keys() -> None:
    """Lines are not joined, and a sentence is one hint."""
    assert grouped("It was written to a folder with a long name.\n⏎ start   esc back", 12).split("\n") == [
        "It was written to a folder with a long name.",
        "⏎ start",
        "esc back",
    ]


def test_a_place_loses_its_first_steps_first() -> None:
    """The last step is where one is; figures behind it stay while there is room."""
    place = "lab › optimizer state › bytes-per-parameter · about 1 s"
    assert fitted(place, 80) == place
    assert fitted(place, 38) == "… › bytes-per-parameter · about 1 s"
    assert fitted("attention › attn.scores   1 of 6 · 5 new", 38) == "… › attn.scores   1 of 6 · 5 new"
    assert fitted("attention › attn.online-softmax   1 of 3 · 2 new", 38) == "… › attn.online-soft…   1 of 3 · 2 new"
    assert (
        fitted("optimizer-state › opt.formats   2 of 2 · 6 new · transfer", 38)
        == "… › opt.f…   2 of 2 · 6 new · transfer"
    )
    assert fitted("Gradient checkpointing quiz   question 1 of 8", 38) == "Gradient checkpoint…   question 1 of 8"
    assert fitted("a-title-without-any-step-that-is-far-too-long", 20) == "a-title-without-any…"


@given(st.lists(words, min_size=1, max_size=4).map(" › ".join), st.integers(10, 80))
def test_a_place_is_one_row(place: str, width: int) -> None:
    """Whatever it names."""
    assert len(fitted(place, width)) <= width


@given(sentences, st.sampled_from(["", "  • ", "12. ", "Today    ⏎       ", "ctrl+q    "]), st.integers(34, 90))
def test_a_page_hangs_under_its_text(sentence: str, before: str, width: int) -> None:
    """All words in order; rows below the first begin where the text does, if that leaves half of the window."""
    rows = hanging(before + sentence, width).split("\n")
    assert " ".join(rows).split() == (before + sentence).split()
    assert all(len(row) <= width for row in rows)
    indents = {len(row) - len(row.lstrip()) for row in rows[1:]}
    assert indents <= {len(before) if len(before) <= width // 2 else 2}


def test_an_option_hangs_under_itself() -> None:
    """Its number stands alone."""
    assert hung("one two three four five six", 24, 4) == "one two three four\n    five six"
