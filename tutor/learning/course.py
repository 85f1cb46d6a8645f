"""What is tried in a simulation, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

from tutor.learning.guessing import DECLARED, knowledge
from tutor.learning.memory import Rating
from tutor.learning.parameters import DEFAULT, Parameters
from tutor.learning.policies import Policy
from tutor.learning.reviewlog import BoolArray, FloatArray, IntArray, ReviewLog, build_log

DEFAULTS = Parameters("fsrs6-default", DEFAULT)


@dataclass(frozen=True, slots=True)
class Answers:
    """First tries of m items, as the tutor sees them; all (m,)."""

    right: BoolArray
    guess: BoolArray
    """Declared a guess."""
    recall: FloatArray
    """R before the answer; `PRIOR` for a new item."""
    chance: FloatArray


@dataclass(frozen=True, slots=True)
class Weights:
    """What a rule makes of the answers; all (m,)."""

    rating: IntArray
    q: FloatArray
    tomorrow: BoolArray
    """Due the next day, whatever the stability."""


Rule = Callable[[Answers], Weights]


def by_knowledge(answers: Answers) -> Weights:
    """The tutor's rule: right is Good, counted with the probability that it was knowledge."""
    rating = np.where(answers.right, int(Rating.GOOD), int(Rating.AGAIN))
    plain, declared = (knowledge(answers.recall, answers.chance, factor) for factor in (1.0, DECLARED))
    q = np.where(answers.right, np.where(answers.guess, declared, plain), 1.0)
    return Weights(rating, q, np.zeros(len(q), dtype=np.bool_))


@dataclass(frozen=True, slots=True)
class Effort:
    """Seconds of a learner's time, and what a miss brings along."""

    right: float = 20.0
    wrong: float = 45.0
    """With reading why."""
    again: float = 20.0
    """A retry or a transfer question."""
    run: float = 60.0
    """Bet, run, observation and comparison."""
    demonstrable: float = 0.5
    """Share of the items whose misses lead to an experiment."""
    runs_per_day: int = 2
    """Experiments that may interrupt; further ones are passed over."""


@dataclass(frozen=True, slots=True)
class Course:
    """What is tried."""

    policy: Policy
    rule: Rule = by_knowledge
    days: int = 90
    retention: float = 0.9
    budget: int | None = None
    """Most first tries a day."""
    new_per_day: int | None = None
    """Most new items a day; a transfer question takes the place of one, as in a sitting."""
    chance: float = 0.25
    """What the rule takes the chance of a right guess to be."""
    parameters: Parameters = DEFAULTS
    effort: Effort = Effort()


@dataclass(frozen=True, slots=True)
class Load:
    """Counts a day, each (learners, days)."""

    reviews: IntArray
    new: IntArray
    misses: IntArray
    """First tries answered wrongly, reviews and new ones."""
    retries: IntArray
    transfers: IntArray
    runs: IntArray
    seconds: FloatArray

    @property
    def answers(self) -> IntArray:
        """All answers: first tries, retries and transfers."""
        return np.asarray(self.reviews + self.new + self.retries + self.transfers)


@dataclass(frozen=True, slots=True)
class Reviews:
    """First tries in the order of time, n of them; all (n,)."""

    cell: IntArray
    at: FloatArray
    """Days."""
    rating: IntArray
    q: FloatArray
    believed: FloatArray
    """The model's R before the answer; NaN for a new item."""
    true: FloatArray
    """The learner's probability to remember, before the answer; NaN for a new item."""
    known: BoolArray

    def of(self, cells: IntArray) -> Reviews:
        """Return those of some cells."""
        chosen = np.isin(self.cell, cells)
        return Reviews(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def log(self, chance: float) -> ReviewLog:
        """Return them as a review log, `chance` the probability of a right guess."""
        utc_us = np.round(self.at * 86_400_000_000).astype(np.int64)
        return build_log(self.cell, utc_us, self.rating, q=self.q, chance=np.full(len(self.q), chance))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a course."""

    recall: FloatArray
    """(learners,): mean true recall of all items on the last morning; one never met counts 0."""
    believed: FloatArray
    """(learners,): the same as the model forecasts it."""
    met: FloatArray
    """(learners,): share of the items met."""
    kept: FloatArray
    """(samples,): mean true recall of the items met, every `simulate.SAMPLE_DAYS` days."""
    load: Load
    reviews: Reviews
