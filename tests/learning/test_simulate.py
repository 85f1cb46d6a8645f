"""Simulated learners at their known limits, and policies that do what their names say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from tutor.learning.course import DEFAULTS, Course, Effort, Outcome
from tutor.learning.fit import losses
from tutor.learning.guessing import knowledge
from tutor.learning.learners import (
    ActivationGroup,
    Group,
    Habits,
    ModelGroup,
    TwoTraceGroup,
    drawn_parameters,
)
from tutor.learning.memory import Evidence, Memory, Rating, retrievability, step
from tutor.learning.parameters import LOWER, UPPER
from tutor.learning.policies import Morning, Policy, due_first, greatest_gain, new_first, paced, toward_day
from tutor.learning.replay import Tables
from tutor.learning.reviewlog import BoolArray, FloatArray, IntArray
from tutor.learning.simulate import simulate

HONEST = Habits(known_before=0.5, guess=0.0, slip=0.0)
GROUPS: dict[str, Callable[[int, int], Group]] = {
    "model": lambda learners, items: ModelGroup(drawn_parameters(learners, 1), items),
    "two traces": lambda learners, items: TwoTraceGroup(learners, items, 1),
    "activation": lambda learners, items: ActivationGroup(learners, items, 1),
}


@dataclass
class Constant:
    """Learners who remember everything met with one probability, whatever passes."""

    learners: int
    items: int
    probability: float
    practised: list[int] = field(default_factory=list)

    def recall(self, cells: IntArray, at: float) -> FloatArray:
        """Return the probability."""
        return np.full(len(cells), self.probability)

    def practise(self, cells: IntArray, at: float, known: BoolArray) -> None:
        """Keep count and change nothing."""
        self.practised.append(len(cells))


def model_group(learners: int, items: int) -> ModelGroup:
    """Return learners who are what the scheduler believes."""
    return ModelGroup([DEFAULTS] * learners, items)


def test_one_who_never_forgets_never_misses_again() -> None:
    """Known from the start and for ever: no miss, no transfer, no experiment, and everything met is recalled."""
    outcome = simulate(Constant(3, 40, 1.0), Habits(known_before=1.0, slip=0.0), Course(due_first, budget=10), 1)
    load = outcome.load
    assert not load.misses.any() and not load.retries.any() and not load.transfers.any() and not load.runs.any()
    assert (outcome.met == 1).all() and (outcome.recall == 1).all()
    assert load.new.sum(axis=1).tolist() == [40, 40, 40]


def test_one_who_knows_nothing_is_right_by_chance_alone() -> None:
    """With four options a quarter is right; the rule believes little of it where the naive one believes all."""
    outcome = simulate(Constant(20, 50, 0.0), Habits(known_before=0.0), Course(due_first, days=60), 2)
    right = (outcome.reviews.rating > 1).mean()
    assert right == pytest.approx(0.25, abs=0.02)
    assert not outcome.reviews.known.any()
    naive = simulate(Constant(20, 50, 0.0), Habits(known_before=0.0), Course(due_first, days=60, chance=0.0), 2)
    assert outcome.believed.mean() < naive.believed.mean()
    assert naive.reviews.q.min() == 1.0


def test_slips_alone_make_misses() -> None:
    """One who knows everything and slips one time in ten misses one in ten."""
    outcome = simulate(Constant(20, 50, 1.0), Habits(known_before=1.0, slip=0.1), Course(due_first, days=60), 3)
    asked = outcome.load.reviews + outcome.load.new
    assert outcome.load.misses.sum() / asked.sum() == pytest.approx(0.1, abs=0.01)


def test_recall_after_one_answer_is_the_closed_form() -> None:
    """All items met on the first day only: recall on day 20 is the mixture of the two curves of a first answer."""

    def once(morning: Morning) -> FloatArray:
        return np.where(morning.met, -np.inf, 1.0)

    outcome = simulate(model_group(10, 400), HONEST, Course(once, days=20, chance=0.0), 4)
    w = DEFAULTS.weights
    share = outcome.reviews.known.mean()
    elapsed = 20.5 - outcome.reviews.at[0]
    expected = share * retrievability(elapsed, w[2], DEFAULTS) + (1 - share) * retrievability(elapsed, w[0], DEFAULTS)
    assert share == pytest.approx(0.5, abs=0.03)
    assert outcome.recall.mean() == pytest.approx(expected, abs=1e-12)
    assert outcome.believed == pytest.approx(outcome.recall, abs=1e-12)


def test_a_scheduler_that_is_right_is_calibrated() -> None:
    """No guesses, no slips, the learner's own weights: belief is truth to the last digit, and lapses are as wished."""
    outcome = simulate(model_group(4, 100), HONEST, Course(due_first, days=120, chance=0.0, retention=0.9), 5)
    met = ~np.isnan(outcome.reviews.true)
    assert outcome.reviews.believed[met] == pytest.approx(outcome.reviews.true[met], abs=1e-9)
    assert outcome.reviews.known[met].mean() == pytest.approx(outcome.reviews.true[met].mean(), abs=0.02)


def test_the_simulated_model_steps_as_the_scalar_one() -> None:
    """A cell's true recall equals `memory.step` and `retrievability` along its own answers."""
    group = model_group(2, 3)
    memory: Memory | None = None
    last = 0.0
    for at, known in ((0.5, True), (3.2, False), (4.4, True), (9.9, True), (30.0, True)):
        if memory is not None:
            assert group.recall(np.array([4]), at)[0] == pytest.approx(
                retrievability(at - last, memory.stability, DEFAULTS)
            )
        group.practise(np.array([4]), at, np.array([known]))
        rating = Rating.GOOD if known else Rating.AGAIN
        memory, last = step(memory, at - last if memory else 0.0, Evidence(rating), DEFAULTS), at
    assert (group.recall(np.array([0, 1, 2, 3, 5]), 31.0) == 0).all()


@pytest.mark.parametrize("name", GROUPS)
def test_true_memories_behave_as_memories_do(name: str) -> None:
    """Nothing is known of what was never met; recall falls with time; remembering is worth more than reading; wide beats massed."""
    group = GROUPS[name](2, 30)
    cells = np.arange(60)
    assert (group.recall(cells, 1.0) == 0).all()
    known = cells % 2 == 0
    group.practise(cells, 0.0, known)
    curve = np.array([group.recall(cells, day) for day in (0.5, 1.0, 5.0, 20.0, 100.0)])
    assert (np.diff(curve, axis=0) < 0).all() and (curve > 0).all() and (curve < 1).all()
    assert curve[2, known].mean() > curve[2, ~known].mean()
    massed, spaced = GROUPS[name](2, 30), GROUPS[name](2, 30)
    for times, one in (((0.0, 0.5, 1.0), massed), ((0.0, 3.0, 9.0), spaced)):
        for at in times:
            one.practise(cells, at, np.full(60, True))
    assert spaced.recall(cells, 39.0).mean() > massed.recall(cells, 31.0).mean()


def test_similar_items_interfere_within_their_concept_only() -> None:
    """Meeting the other items of a concept costs recall; meeting those of another costs none."""
    group = ActivationGroup(1, 10, 1, alike=5)
    first = np.array([0])
    group.practise(first, 0.0, np.array([True]))
    alone = group.recall(first, 5.0)[0]
    group.practise(np.arange(5, 10), 1.0, np.full(5, True))
    assert group.recall(first, 5.0)[0] == alone
    group.practise(np.arange(1, 5), 1.0, np.full(4, True))
    assert group.recall(first, 5.0)[0] < alone


def test_drawn_weights_differ_and_keep_their_bounds() -> None:
    """Each learner has weights of his own, within the bounds, a better first answer never less stable."""
    truths = [truth.weights for truth in drawn_parameters(50, 3)]
    assert len(set(truths)) == 50
    assert all(low <= w <= high for truth in truths for low, w, high in zip(LOWER, truth, UPPER, strict=True))
    assert all(list(truth[:4]) == sorted(truth[:4]) for truth in truths)


def run(name: str, course: Course, seed: int = 7) -> Outcome:
    """Return a small simulation of a kind of learner."""
    return simulate(GROUPS[name](4, 60), Habits(declares=0.5, doubts=0.05), course, seed)


@pytest.mark.parametrize("name", GROUPS)
def test_a_seed_repeats_itself(name: str) -> None:
    """The same seed gives the same answers to the last digit; another seed gives others."""
    course = Course(due_first, days=40, new_per_day=6)
    one, two, other = run(name, course), run(name, course), run(name, course, seed=8)
    assert np.array_equal(one.recall, two.recall)
    for column in ("cell", "at", "rating", "q", "known"):
        assert np.array_equal(getattr(one.reviews, column), getattr(two.reviews, column))
    assert not np.array_equal(one.recall, other.recall)


def test_counts_add_up() -> None:
    """First tries equal the rows of the log, follow-ups the misses, and the seconds are those of what was done."""
    effort = Effort(right=10, wrong=30, again=5, run=100, demonstrable=0.5, runs_per_day=1)
    outcome = run("model", Course(due_first, days=50, new_per_day=5, effort=effort))
    load, reviews = outcome.load, outcome.reviews
    assert (load.reviews + load.new).sum() == len(reviews.cell)
    assert load.misses.sum() == (reviews.rating == 1).sum()
    assert np.isnan(reviews.true).sum() == load.new.sum() == np.unique(reviews.cell).size
    assert np.array_equal(load.retries, load.misses) and np.array_equal(load.transfers, load.misses)
    assert (load.answers == load.reviews + load.new + 2 * load.misses).all()
    rights = load.reviews + load.new - load.misses
    assert np.allclose(load.seconds, 10 * rights + 40 * load.misses + 100 * load.runs)
    assert load.runs.max() == 1
    assert load.runs.sum(axis=1).max() <= 30, "each of the items that has an experiment runs it once"


def test_a_day_keeps_its_limits() -> None:
    """Never more first tries than the budget; new items and transfers together stay within the day's new ones."""
    budgeted = run("two traces", Course(due_first, days=40, budget=9))
    assert (budgeted.load.reviews + budgeted.load.new).max() == 9
    limited = run("two traces", Course(due_first, days=40, new_per_day=4))
    assert limited.load.new.max() == 4
    reviews = limited.reviews
    forgotten = (reviews.rating == 1) & ~np.isnan(reviews.true)
    owed = np.zeros((4, 40), dtype=np.intp)
    np.add.at(owed, (reviews.cell[forgotten] // 60, reviews.at[forgotten].astype(np.intp)), 1)
    assert owed.max() >= 4 and not limited.load.new[owed >= 4].any()
    assert (limited.load.new + owed)[limited.load.new > 0].max() <= 4


def test_reviews_make_a_log_the_fit_can_read() -> None:
    """Its cards, elapsed days and predictions are the simulation's own."""
    outcome = run("model", Course(due_first, days=60))
    log = outcome.reviews.log(chance=0.25)
    assert len(log) == len(outcome.reviews.cell)
    assert (log.chance == 0.25).all() and not log.skipped.left_out
    scored = log.scored(DEFAULTS.threshold_days)
    p = 0.25 + 0.75 * outcome.reviews.believed[log.row]
    wanted = -np.log(np.where(log.right, p, 1 - p))
    one = outcome.reviews.of(np.arange(60, 120))
    assert set(one.cell.tolist()) <= set(range(60, 120)) and len(one.cell) == (outcome.reviews.cell // 60 == 1).sum()
    assert losses(log, DEFAULTS)[scored] == pytest.approx(wanted[scored], rel=1e-6)


def morning(met: list[bool], recall: list[float], due: list[bool], day: int = 0, days: int = 30) -> Morning:
    """Return the morning of one learner."""
    row = np.array([met])
    s = np.where(row, 5.0, np.nan)
    return Morning(
        Tables(DEFAULTS), day, days, row, s, np.where(row, 5.0, np.nan), np.where(row, 4.0, np.nan), np.array([recall]),
        np.array([due]), np.array([0.5]),
    )  # fmt: skip


def asked(policy: Policy, at: Morning) -> list[int]:
    """Return the items in the order in which they would be asked."""
    priority = policy(at)[0]
    return [int(item) for item in np.argsort(-priority, kind="stable") if np.isfinite(priority[item])]


def test_each_policy_has_its_order() -> None:
    """Due ones with the least recall first, new ones in their order, others not at all."""
    at = morning([False, True, True, False, True], [0, 0.8, 0.6, 0, 0.95], [False, True, True, False, False])
    assert asked(due_first, at) == [2, 1, 0, 3]
    assert asked(new_first, at) == [0, 3, 2, 1]
    assert asked(paced(1), at) == [0, 2, 1]
    assert asked(toward_day(pace=0.1, ahead=7), at)[:2] == [0, 3]
    assert asked(toward_day(pace=1.0, ahead=7), replace(at, days=5))[0] == 0


def test_gain_is_the_expected_gain_in_recall() -> None:
    """By hand for one card: what either answer leaves on the day, less what is left without one."""
    at = morning([True, False], [retrievability(4.0, 5.0, DEFAULTS), 0.0], [True, False], day=10, days=22)
    card, recall = Memory(5.0, 5.0), retrievability(4.0, 5.0, DEFAULTS)
    after = [step(card, 4.0, Evidence(rating), DEFAULTS).stability for rating in (3, 1)]
    good, again = (retrievability(12, stability, DEFAULTS) for stability in after)
    expected = recall * good + (1 - recall) * again - retrievability(16, 5.0, DEFAULTS)
    assert greatest_gain(at)[0, 0] == pytest.approx(expected)
    w = DEFAULTS.weights
    assert greatest_gain(at)[0, 1] == pytest.approx(
        0.5 * retrievability(12, w[2], DEFAULTS) + 0.5 * retrievability(12, w[0], DEFAULTS)
    )


@pytest.mark.parametrize("name", GROUPS)
def test_aiming_at_a_day_beats_a_strict_queue(name: str) -> None:
    """A due-first queue at 0.95 starves new items; the day's policy does not, whatever the true law."""
    group = GROUPS[name]

    def on_the_day(policy: Policy, retention: float) -> float:
        course = Course(policy, days=28, retention=retention, budget=20)
        return float(simulate(group(6, 150), Habits(), course, 9).recall.mean())

    assert on_the_day(toward_day(), 0.9) > on_the_day(due_first, 0.95) + 0.05


def test_counting_luck_as_luck_repairs_the_belief() -> None:
    """Beside a rule that takes every right answer for knowledge, belief comes nearer to the truth."""
    course = Course(due_first, days=150, new_per_day=10)

    def bias(chance: float) -> float:
        reviews = simulate(model_group(6, 150), Habits(), replace(course, chance=chance), 10).reviews
        return float(np.nanmean(reviews.believed - reviews.true))

    assert abs(bias(0.25)) < bias(0.0) / 2


def test_knowledge_is_bayes_rule() -> None:
    """Nothing to guess: certain. Half known before and four options: 0.8. A declared guess: less, but not nothing."""
    assert knowledge(0.5, 0.0) == 1.0
    assert knowledge(0.5, 0.25) == pytest.approx(0.8)
    assert knowledge(0.5, 0.25, 6.0) == pytest.approx(0.4)
    assert knowledge(np.array([0.9, 0.0]), np.array([0.25, 0.25])) == pytest.approx([0.9 / 0.925, 0.0])
