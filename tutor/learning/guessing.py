"""How far a right answer shows knowledge, when it may also have been luck."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from tutor.learning.reviewlog import FloatArray

    Number = TypeVar("Number", float, FloatArray)
else:
    Number = TypeVar("Number")

PRIOR = 0.5
"""Probability that an item is known before it was ever answered."""


DECLARED = 6.0
"""How much likelier an answer is declared a guess by one who does not know than by one who does.

By simulation (docs/evidence.md) 6 does well both for learners who judge themselves well (16 times) and badly (3 times).
"""


DECLARED_CHANCE = 0.25
"""Least chance of a declared guess: whoever says that he guessed a typed number had something to guess from."""


def knowledge(recall: Number, chance: Number, declared: float = 1.0) -> Number:
    """Return the probability that a right answer was knowledge, by Bayes' rule: R / (R + (1 - R)·chance·declared).

    `recall` is R before the answer (`PRIOR` for a new item), `chance` the probability to be right without knowledge, `declared`
    `DECLARED` for an answer declared a guess. The first two may be floats or columns.
    """
    return recall / (recall + (1 - recall) * chance * declared)
