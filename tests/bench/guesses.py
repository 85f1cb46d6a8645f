"""Rules for a right guess, side by side on simulated learners: what each costs, keeps and believes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tests.bench.kinds import KINDS, table
from tutor.learning.course import DEFAULTS, Answers, Course, Outcome, Rule, Weights, by_knowledge
from tutor.learning.evaluate import CLIP, expected_right, log_losses
from tutor.learning.fit import estimate
from tutor.learning.learners import Habits
from tutor.learning.memory import Rating
from tutor.learning.parameters import Parameters
from tutor.learning.policies import Morning, due_first
from tutor.learning.replay import replay
from tutor.learning.reviewlog import FloatArray
from tutor.learning.simulate import simulate

LEARNERS, ITEMS, DAYS, NEW = 10, 200, 240, 5
RETENTIONS = (0.8, 0.85, 0.9, 0.93)
SEED = 21
CHANCE = 0.25
KNOWN = 0.7
"""q from which an answer counts as known in the report."""
HABITS = {
    "undeclared": Habits(),
    "declared, good judges": Habits(declares=0.8, doubts=0.05),
    "declared, poor judges": Habits(declares=0.4, doubts=0.15),
}


def plain(answers: Answers) -> Weights:
    """Every right answer is Good."""
    size = len(answers.right)
    return Weights(np.where(answers.right, 3, 1), np.ones(size), np.zeros(size, dtype=np.bool_))


def hard_tomorrow(answers: Answers) -> Weights:
    """A declared guess that was right is Hard and due tomorrow; every other right answer is Good."""
    guess = answers.right & answers.guess
    weights = plain(answers)
    return replace(weights, rating=np.where(guess, int(Rating.HARD), weights.rating), tomorrow=guess)


def again(answers: Answers) -> Weights:
    """A declared guess is Again."""
    weights = plain(answers)
    return replace(weights, rating=np.where(answers.guess, int(Rating.AGAIN), weights.rating))


def undeclared_only(answers: Answers) -> Weights:
    """The posterior mix for all right answers alike, whatever was declared."""
    return by_knowledge(replace(answers, guess=np.zeros_like(answers.guess)))


def mixed_and_hard(answers: Answers) -> Weights:
    """The posterior mix for undeclared answers, Hard and tomorrow for declared guesses."""
    guess, mixed, hard = answers.right & answers.guess, undeclared_only(answers), hard_tomorrow(answers)
    return Weights(hard.rating, np.where(guess, 1.0, mixed.q), hard.tomorrow)


def mixed_tomorrow(answers: Answers) -> Weights:
    """The tutor's rule, with declared guesses due tomorrow besides."""
    return replace(by_knowledge(answers), tomorrow=answers.right & answers.guess)


RULES: dict[str, tuple[Rule, bool]] = {
    "right is Good": (plain, False),
    "mix of Good and Again by q": (undeclared_only, False),
    "guess: Hard, tomorrow": (hard_tomorrow, True),
    "guess: Again": (again, True),
    "mix; guess: Hard, tomorrow": (mixed_and_hard, True),
    "mix; guess: six times the chance, tomorrow": (mixed_tomorrow, True),
    "mix; guess: six times the chance": (by_knowledge, True),
}
"""By name: the rule, and whether it looks at what was declared."""


def few_new(morning: Morning) -> FloatArray:
    """Some new items a day, and whatever is due."""
    return np.where(morning.met | (morning.place < NEW), due_first(morning), -np.inf)


def course(rule: Rule, retention: float) -> Course:
    """Return the course that a rule is tried on."""
    return Course(few_new, rule, days=DAYS, retention=retention)


def outcomes(kind: str, habits: Habits, rule: Rule) -> list[Outcome]:
    """Return what came of a rule at each retention."""
    return [simulate(KINDS[kind](LEARNERS, ITEMS, SEED), habits, course(rule, wish), SEED) for wish in RETENTIONS]


def per_card(outcome: Outcome) -> float:
    """Return repeated answers a card."""
    return float(outcome.load.reviews.sum()) / (LEARNERS * ITEMS)


def kept(outcome: Outcome) -> float:
    """Return mean true recall of the items met, from the day on which all are."""
    return float(outcome.kept[ITEMS // NEW // 10 :].mean())


def rule_tables() -> Iterator[str]:
    """Yield a table per kind of learner and of judge."""
    for kind in KINDS:
        for name, habits in HABITS.items():
            rows = []
            base: list[Outcome] = []
            for rule, (act, declared) in RULES.items():
                if declared and name == "undeclared":
                    continue
                found = outcomes(kind, habits, act)
                base = base or found
                rows.append([rule, *_columns(found, base)])
            heads = [
                "rule",
                "reviews a card",
                "recall",
                "belief less truth",
                "error",
                "counted known, was luck",
                *EQUAL,
            ]
            yield f"**{kind}; {name}**\n\n{table(heads, rows)}"


EQUAL = ("recall at the first rule's reviews: 0.85", "0.90")


def _columns(found: list[Outcome], base: list[Outcome]) -> list[str]:
    at = found[RETENTIONS.index(0.9)]
    old = ~np.isnan(at.reviews.true)
    gap = (at.reviews.believed - at.reviews.true)[old]
    sure = (at.reviews.q >= KNOWN) & (at.reviews.rating > 1)
    loads, recalls = [per_card(one) for one in found], [kept(one) for one in found]
    equal = []
    for wish in (0.85, 0.9):
        load = per_card(base[RETENTIONS.index(wish)])
        inside = loads[0] <= load <= loads[-1]
        equal.append(f"{np.interp(load, loads, recalls):.3f}" if inside else "needs more")
    return [
        f"{per_card(at):.1f}", f"{kept(at):.3f}", f"{gap.mean():+.3f}", f"{np.abs(gap).mean():.3f}",
        f"{100 * (~at.reviews.known[sure]).mean():.1f} %", *equal,
    ]  # fmt: skip


def eliminating() -> str:
    """Return the table for learners who can rule out an option, so that luck is likelier than the rule takes it to be."""
    rows = []
    for guess in (0.25, 0.4, 0.5):
        for rule in ("right is Good", "mix of Good and Again by q"):
            found = outcomes("inside", Habits(guess=guess), RULES[rule][0])
            rows.append([f"{guess:.2f}", rule, *_columns(found, found)[:5]])
    return table(
        ["true chance", "rule", "reviews a card", "recall", "belief less truth", "error", "counted known, was luck"],
        rows,
    )


def after_a_fit() -> str:
    """Return what fits believe and predict on the last fifth of the tutor's own log: one that knows of luck, one that does not.

    For the second every right answer is knowledge, as in a scheduler without guess correction.
    """
    rows = []
    for kind in KINDS:
        for slip in (0.0, 0.02, 0.05):
            outcome = simulate(KINDS[kind](LEARNERS, ITEMS, SEED), Habits(slip=slip), course(by_knowledge, 0.9), SEED)
            for name, aware in (("unaware", False), ("aware of luck", True)):
                rows.append([kind, f"{slip:.2f}", name, *_fitted(outcome, aware)])
    return table(["learners", "slips", "fit", "belief less truth", "error", "log loss"], rows)


def _fitted(outcome: Outcome, aware: bool) -> list[str]:
    gaps, losses = [], []
    for learner in range(LEARNERS):
        mine = outcome.reviews.of(np.arange(learner * ITEMS, (learner + 1) * ITEMS))
        log = (mine if aware else replace(mine, q=np.ones_like(mine.q))).log(CHANCE if aware else 0.0)
        cut = float(np.quantile(log.at, 0.8))
        fitted = Parameters("fit", estimate(log.until(cut), DEFAULTS.threshold_days))
        recall = replay(log, fitted).recall
        held = ~np.isnan(recall) & (log.at >= cut)
        p = expected_right(recall, log.chance)[held]
        gaps.append(recall[held] - mine.true[log.row][held])
        losses.append(log_losses(np.clip(p, CLIP, 1 - CLIP), log.right[held]))
    gap = np.concatenate(gaps)
    return [f"{gap.mean():+.3f}", f"{np.abs(gap).mean():.3f}", f"{np.concatenate(losses).mean():.4f}"]
