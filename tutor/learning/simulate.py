"""Simulated sittings, day after day: a policy and a rule for right guesses tried on learners whose memory is known.

The same seed draws the same luck for every policy and rule, so differences between them are not noise of the draw. Due days are
not moved to lighter ones, and everything of a day is answered at one hour.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tutor.learning.course import Answers, Course, Load, Outcome, Reviews, Weights
from tutor.learning.guessing import PRIOR
from tutor.learning.learners import Group, Habits
from tutor.learning.memory import Rating
from tutor.learning.policies import Morning
from tutor.learning.replay import Tables, recall_after, step_cards
from tutor.learning.reviewlog import BoolArray, FloatArray, IntArray

SAMPLE_DAYS = 10
"""True recall over all items met is looked at once in so many days."""


def simulate(group: Group, habits: Habits, course: Course, seed: int) -> Outcome:
    """Run a course for a group, which is changed by it: give each course a group of its own."""
    rng = np.random.default_rng(seed)
    book = _Book(group, course)
    parts, kept = [], []
    for day in range(course.days):
        at = day + float(np.clip(rng.normal(0, 0.06), -0.2, 0.2)) + 0.5
        luck = _Luck(*rng.random((4, group.learners, group.items)))
        parts.append(_sitting(book, group, habits, course, day, at, luck))
        if day % SAMPLE_DAYS == SAMPLE_DAYS - 1:
            kept.append(float(group.recall(np.flatnonzero(book.met), at + 0.5).mean()))
    last = course.days + 0.5
    everything = np.arange(group.learners * group.items)
    shape = (group.learners, group.items)
    return Outcome(
        recall=np.where(book.met, group.recall(everything, last), 0.0).reshape(shape).mean(axis=1),
        believed=book.recall(last).reshape(shape).mean(axis=1),
        met=book.met.reshape(shape).mean(axis=1),
        kept=np.array(kept),
        load=book.load(),
        reviews=Reviews(*(np.concatenate(column) for column in zip(*parts, strict=True))),
    )


@dataclass(frozen=True, slots=True)
class _Luck:
    """Uniform draws of a day, each (learners, items)."""

    memory: FloatArray
    guess: FloatArray
    slip: FloatArray
    declare: FloatArray


class _Book:
    """What the tutor holds about every cell, and the counts of the days so far."""

    def __init__(self, group: Group, course: Course) -> None:
        self.group, self.course, self.tables = group, course, Tables(course.parameters)
        size = group.learners * group.items
        self.s, self.d, self.last = np.full(size, np.nan), np.full(size, np.nan), np.full(size, np.nan)
        self.due, self.met, self.ran = np.zeros(size, np.intp), np.zeros(size, np.bool_), np.zeros(size, np.bool_)
        self.counts = np.zeros((5, group.learners, course.days), np.intp)
        """reviews, new, misses, runs, first answers right"""

    def recall(self, at: float) -> FloatArray:
        """Return R of every cell on day `at`, 0 where not met."""
        return np.nan_to_num(recall_after(self.tables, at - self.last, self.s, np.log(self.s)))

    def morning(self, day: int, at: float) -> Morning:
        """Return what the policy sees."""
        shape = (self.group.learners, self.group.items)
        seen, right = self.counts[1].sum(axis=1) + 2, self.counts[4].sum(axis=1) + 1.3
        chance = self.course.chance
        return Morning(
            self.tables, day, self.course.days, self.met.reshape(shape), self.s.reshape(shape), self.d.reshape(shape),
            (at - self.last).reshape(shape), self.recall(at).reshape(shape), (self.met & (self.due <= day)).reshape(shape),
            np.clip((right / seen - chance) / (1 - chance), 0, 1),
        )  # fmt: skip

    def write(self, cells: IntArray, at: float, day: int, weights: Weights) -> None:
        """Step the model and plan the due days."""
        fresh = ~self.met[cells]
        for first in (True, False):
            rows = np.flatnonzero(fresh == first)
            mine = cells[rows]
            old = None if first else (self.s[mine], self.d[mine])
            self.s[mine], self.d[mine] = step_cards(
                self.tables, old, at - self.last[mine], weights.rating[rows], weights.q[rows]
            )
        decay, factor = self.tables.decay, self.tables.factor
        wished = self.s[cells] / factor * (self.course.retention ** (-1 / decay) - 1)
        soon = weights.tomorrow | (weights.rating == Rating.AGAIN)
        self.due[cells] = day + np.where(soon, 1, np.maximum(1, np.round(wished))).astype(np.intp)
        self.last[cells], self.met[cells] = at, True

    def load(self) -> Load:
        """Return the counts of all days, and the time they took."""
        reviews, new, misses, runs, _ = self.counts
        effort = self.course.effort
        right = reviews + new - misses
        seconds = effort.right * right + (effort.wrong + 2 * effort.again) * misses + effort.run * runs
        return Load(reviews, new, misses, misses, misses, runs, seconds)


def _sitting(
    book: _Book, group: Group, habits: Habits, course: Course, day: int, at: float, luck: _Luck
) -> tuple[IntArray, FloatArray, IntArray, FloatArray, FloatArray, FloatArray, BoolArray]:
    """Ask and answer a day's items; return the columns of `Reviews`."""
    morning = book.morning(day, at)
    priority = course.policy(morning)
    everything = np.flatnonzero(np.isfinite(priority))
    true = np.where(book.met, 0.0, habits.known_before)
    old = everything[book.met[everything]]
    true[old] = group.recall(old, at)
    known = luck.memory.ravel() < true
    right = np.where(known, luck.slip.ravel() >= habits.slip, luck.guess.ravel() < habits.guess)
    cells = _asked(priority, morning.met, ~right.reshape(priority.shape), course)
    guess = luck.declare.ravel()[cells] < np.where(known[cells], habits.doubts, habits.declares)
    fresh = ~book.met[cells]
    believed = np.where(fresh, PRIOR, morning.recall.ravel()[cells])
    weights = course.rule(Answers(right[cells], guess, believed, np.full(len(cells), course.chance)))
    _count(book, cells, fresh, right[cells], day)
    book.write(cells, at, day, weights)
    group.practise(cells, at, known[cells])
    unknown = np.where(fresh, np.nan, 1.0)
    return (
        cells, np.full(len(cells), at), weights.rating, weights.q, believed * unknown, true[cells] * unknown, known[cells],
    )  # fmt: skip


def _asked(priority: FloatArray, met: BoolArray, wrong: BoolArray, course: Course) -> IntArray:
    """Return the cells asked, in each learner's order, within the day's limits."""
    order = np.argsort(-priority, axis=1, kind="stable")
    allowed = np.isfinite(np.take_along_axis(priority, order, axis=1))
    new = ~np.take_along_axis(met, order, axis=1)
    if course.new_per_day is not None:
        # Every new item takes a place, and so does the transfer question after a miss; once they are gone, no new item comes.
        missed = np.take_along_axis(wrong, order, axis=1)
        taken = np.cumsum(allowed * (new.astype(np.intp) + missed), axis=1)
        before = taken - allowed * (new.astype(np.intp) + missed)
        allowed &= ~new | (before < course.new_per_day)
    if course.budget is not None:
        allowed &= np.cumsum(allowed, axis=1) <= course.budget
    rows, places = np.nonzero(allowed)
    return np.asarray(rows * priority.shape[1] + order[rows, places])


def _count(book: _Book, cells: IntArray, fresh: BoolArray, right: BoolArray, day: int) -> None:
    learners, items, effort = book.group.learners, book.group.items, book.course.effort
    who = cells // items

    def per_learner(chosen: BoolArray) -> IntArray:
        return np.bincount(who[chosen], minlength=learners)

    # Spread evenly over the items: every k-th one leads to an experiment.
    number = cells % items
    demonstrable = np.floor((number + 1) * effort.demonstrable) > np.floor(number * effort.demonstrable)
    wanted = ~right & demonstrable & ~book.ran[cells]
    rank = np.cumsum(wanted)
    start = np.concatenate(([0], np.cumsum(per_learner(wanted))))[who]
    runs = wanted & (rank - start <= effort.runs_per_day)
    book.ran[cells[runs]] = True
    book.counts[:, :, day] = [per_learner(chosen) for chosen in (~fresh, fresh, ~right, runs, fresh & right)]
