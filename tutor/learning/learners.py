"""Simulated learners: what they really remember, by three laws, and how they answer.

One law is the scheduler's own family with other weights, two lie outside it, so that a schedule can be tried on learners it is
wrong about. All keep the memory of a whole group at once, in flat columns: `cell` = learner * items + item.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tutor.learning.fit import PRIOR_SD
from tutor.learning.memory import Rating
from tutor.learning.parameters import DEFAULT, LOWER, UPPER, Parameters
from tutor.learning.replay import Tables, recall_after, step_cards
from tutor.learning.reviewlog import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Habits:
    """How learners answer, given what they remember. All are probabilities."""

    known_before: float = 0.55
    """An item is known when it is first seen."""
    guess: float = 0.25
    """Right without knowledge; 1/m with m options of which none can be ruled out."""
    slip: float = 0.02
    """Wrong in spite of knowledge."""
    declares: float = 0.0
    """Says that it is a guess, not knowing."""
    doubts: float = 0.0
    """Says that it is a guess, knowing."""


class Group(Protocol):
    """The true memories of learners over the items each of them studies."""

    learners: int
    items: int

    def recall(self, cells: IntArray, at: float) -> FloatArray:
        """Return the probability, (m,), that each cell's fact is remembered on day `at`; 0 where it was never met."""

    def practise(self, cells: IntArray, at: float, known: BoolArray) -> None:
        """Let each cell, (m,), be answered on day `at` and the explanation be read; `known` where it was remembered."""


def drawn_parameters(learners: int, seed: int, spread: float = 0.67) -> list[Parameters]:
    """Return weights around the defaults, `spread` of the fit's prior away, within their bounds."""
    rng = np.random.default_rng(seed)
    drawn = rng.normal(0, spread, (learners, 21)) * np.asarray(PRIOR_SD) + np.asarray(DEFAULT)
    # The stabilities of a first answer are scales: they spread by a factor, one for all four ratings and one for each.
    factors = np.exp(rng.normal(0, 0.6 * spread, (learners, 1)) + rng.normal(0, 0.3 * spread, (learners, 4)))
    drawn[:, :4] = np.sort(np.asarray(DEFAULT[:4]) * factors, axis=1)
    rows = np.clip(drawn, LOWER, UPPER).tolist()
    return [Parameters(f"truth {number}", tuple(row)) for number, row in enumerate(rows)]


class ModelGroup:
    """Learners inside the scheduler's family: FSRS-6, each with weights of his own; knowing is Good and not knowing Again.

    With `copies` there are so many of each: learner i has the weights i modulo their number.
    """

    def __init__(self, truths: Sequence[Parameters], items: int, copies: int = 1) -> None:
        self.learners, self.items = copies * len(truths), items
        self._tables = [Tables(truth) for truth in truths]
        size = self.learners * items
        self._s, self._d, self._last = np.full(size, np.nan), np.full(size, np.nan), np.full(size, np.nan)

    def begin(self, stability: FloatArray, difficulty: FloatArray, last: FloatArray) -> None:
        """Let learning begin from memories there are already: S (days), D and the day of the last answer of every cell, NaN where not met."""
        self._s, self._d, self._last = (column.ravel().copy() for column in (stability, difficulty, last))

    def recall(self, cells: IntArray, at: float) -> FloatArray:
        """Return R of each cell."""
        found = np.zeros(len(cells))
        for tables, chosen in self._by_learner(cells):
            mine = cells[chosen]
            s = self._s[mine]
            found[chosen] = recall_after(tables, at - self._last[mine], s, np.log(s))
        return np.nan_to_num(found)

    def practise(self, cells: IntArray, at: float, known: BoolArray) -> None:
        """Step S and D."""
        rating = np.where(known, int(Rating.GOOD), int(Rating.AGAIN))
        fresh = np.isnan(self._s[cells])
        for tables, chosen in self._by_learner(cells):
            for first in (True, False):
                rows = chosen[fresh[chosen] == first]
                if rows.size:
                    mine = cells[rows]
                    old = None if first else (self._s[mine], self._d[mine])
                    self._s[mine], self._d[mine] = step_cards(tables, old, at - self._last[mine], rating[rows])
        self._last[cells] = at

    def _by_learner(self, cells: IntArray) -> list[tuple[Tables, IntArray]]:
        who = cells // self.items % len(self._tables)
        rows = ((tables, np.flatnonzero(who == number)) for number, tables in enumerate(self._tables))
        return [(tables, chosen) for tables, chosen in rows if chosen.size]


class TwoTraceGroup:
    """Learners outside the family: a trace that fades within days and one that lasts, each exponential.

    R = (1 - c)·e^(-t/f) + c·e^(-t/s), the sum of exponentials that Rubin, Hinton and Wenzel (JEP:LMC 25, 1999) fit to retention. Being
    remembered after a wait moves weight c to the lasting trace and lengthens its time s, the more has faded of each (spacing).
    Forgetting returns a part of both. The constants are chosen so that answers given when recall has fallen to 0.9 are some 3, 5, 8, 16
    and 42 days apart; a schedule that comes late is punished harder than FSRS expects.
    """

    def __init__(self, learners: int, items: int, seed: int) -> None:
        self.learners, self.items = learners, items
        rng = np.random.default_rng(seed)

        def each(middle: float) -> FloatArray:
            return np.repeat(middle * np.exp(rng.normal(0, 0.3, learners)), items)

        size = learners * items
        self._fast, self._slow_at_first, self._growth = each(6.0), each(60.0), each(4.0)
        ease = np.exp(rng.normal(0, 0.4, size))  # items differ too
        self._slow, self._share, self._last = self._slow_at_first * ease, np.full(size, np.nan), np.full(size, np.nan)
        self._least = self._slow / 4

    def recall(self, cells: IntArray, at: float) -> FloatArray:
        """Return the sum of the two traces of each cell."""
        t, c = at - self._last[cells], self._share[cells]
        return np.asarray(np.nan_to_num((1 - c) * np.exp(-t / self._fast[cells]) + c * np.exp(-t / self._slow[cells])))

    def practise(self, cells: IntArray, at: float, known: BoolArray) -> None:
        """Move both traces."""
        fresh = np.isnan(self._share[cells])
        t, c, s = np.where(fresh, 0.0, at - self._last[cells]), self._share[cells], self._slow[cells]
        faded_fast, waited = 1 - np.exp(-t / self._fast[cells]), 1 - np.exp(-4 * t / s)
        kept = np.where(known, c + (1 - c) * 0.5 * faded_fast, 0.6 * c)
        self._share[cells] = np.where(fresh, np.where(known, 0.8, 0.5), kept)
        longer, shorter = s * (1 + self._growth[cells] * waited), np.maximum(s / 2, self._least[cells])
        self._slow[cells] = np.where(known, longer, np.where(fresh, self._least[cells], shorter))
        self._last[cells] = at


class ActivationGroup:
    """Learners outside the family: every practice leaves a trace that decays as a power law, and similar items interfere.

    Activation m = ln Σ b·t^(-d) over the practices, d = a + c·e^m with m just before each (so massed practice fades sooner), recall
    1 / (1 + e^((τ - m)/s)): the form of Pavlik and Anderson, Cognitive Science 29 (2005), with constants chosen so that answers given
    when recall has fallen to 0.9 are some 4, 15, 40 and 80 days apart. Items come in concepts of `alike`; n others of the concept
    met since the last practice take ι·ln(1 + n) off the activation.
    """

    _SECONDS = 86_400 * 0.01
    _LEAST_DAYS = 1 / 1440

    def __init__(self, learners: int, items: int, seed: int, alike: int = 5, interference: float = 0.08) -> None:
        self.learners, self.items, self._interference = learners, items, interference
        rng = np.random.default_rng(seed)
        size = learners * items
        self._concept = np.arange(size) // items * items + np.arange(size) % items // alike
        self._met = np.zeros(size)
        """By concept: how many of its items have been met."""
        self._met_then, self._count = np.zeros(size), np.zeros(size, dtype=np.intp)
        self._at, self._decay, self._strength = (np.zeros((size, 8)) for _ in range(3))
        self._threshold = np.repeat(rng.normal(-0.8, 0.08, learners), items)
        self._strong = np.repeat(np.exp(rng.normal(0, 0.15, learners)), items) * np.exp(rng.normal(0, 0.15, size))
        self._base = np.repeat(np.clip(rng.normal(0.2, 0.015, learners), 0.15, 0.25), items)

    def recall(self, cells: IntArray, at: float) -> FloatArray:
        """Return the logistic of activation less interference."""
        others = self._met[self._concept[cells]] - self._met_then[cells]
        m = self._activation(cells, at) - self._interference * np.log1p(others)
        return np.asarray(1 / (1 + np.exp((self._threshold[cells] - m) / 0.255)))

    def practise(self, cells: IntArray, at: float, known: BoolArray) -> None:
        """Add a trace to each cell; one remembered is stronger than one read after a miss."""
        m = self._activation(cells, at)
        place = self._count[cells]
        if int(place.max(initial=0)) >= self._at.shape[1]:
            self._at, self._decay, self._strength = (
                np.concatenate((old, np.zeros_like(old)), axis=1) for old in (self._at, self._decay, self._strength)
            )
        self._at[cells, place] = at
        self._decay[cells, place] = self._base[cells] + 0.15 * np.exp(np.minimum(m, 1.0))
        self._strength[cells, place] = np.where(known, 3.8, 2.4) * self._strong[cells]
        np.add.at(self._met, self._concept[cells[place == 0]], 1)
        self._count[cells] += 1
        self._met_then[cells] = self._met[self._concept[cells]]

    def _activation(self, cells: IntArray, at: float) -> FloatArray:
        """Return m of each cell, -inf without a trace."""
        used = int(self._count[cells].max(initial=0))
        ages = np.maximum(at - self._at[cells, :used], self._LEAST_DAYS) * self._SECONDS
        with np.errstate(divide="ignore"):
            return np.asarray(np.log((self._strength[cells, :used] * ages ** -self._decay[cells, :used]).sum(axis=1)))
