"""What blind answers score, counted."""

from __future__ import annotations

from itertools import chain, combinations, permutations

import pytest

from tutor.learning.chances import chance


@pytest.mark.parametrize("options", [2, 3, 4, 5])
def test_a_chance_is_one_over_the_answers_that_can_be_given(options: int) -> None:
    """Options, sets of options and orders are counted out."""
    keys = range(options)
    sets = chain.from_iterable(combinations(keys, size) for size in range(1, options + 1))
    assert chance("choice", options) == chance("predict", options) == 1 / options
    assert chance("multi", options) == 1 / len(list(sets))
    assert chance("order", options) == 1 / len(list(permutations(keys)))


@pytest.mark.parametrize(("kind", "options"), [("numeric", 0), ("cloze", 0), ("explain", 4), ("choice", 0), ("new", 4)])
def test_what_is_typed_or_said_cannot_be_guessed(kind: str, options: int) -> None:
    """Numbers, gaps and spoken answers have none, nor has an item whose options are unknown."""
    assert chance(kind, options) == 0
