"""Whether an answer is right, and what a wrong one reveals: the myth of the option picked, the slip behind a number."""

from __future__ import annotations

from dataclasses import dataclass

from tutor.content.families import Drawn
from tutor.content.model import Item
from tutor.content.units import prefix_slip


@dataclass(frozen=True, slots=True)
class Given:
    """The learner's answer; all None is "I don't know"."""

    choice: tuple[str, ...] | None = None
    raw: str | None = None
    value: float | None = None
    """In the item's unit."""

    @property
    def nothing(self) -> bool:
        """Whether the learner said that he does not know."""
        return self.choice is None and self.value is None


@dataclass(frozen=True, slots=True)
class Grade:
    """A graded answer."""

    correct: bool
    key: tuple[str, ...] | float
    slip: str | None = None
    myth: str | None = None


def grade(item: Item, drawn: Drawn | None, given: Given, outcome: str | None = None) -> Grade:
    """Grade an answer. `outcome` is the key a run has found, for a predict item.

    Multi-select is all or nothing; a number is right within the item's relative tolerance.
    """
    if item.kind == "numeric":
        return _grade_number(item, drawn, given)
    key = (outcome,) if outcome is not None else item.answer
    chosen = given.choice or ()
    correct = set(chosen) == set(key) and bool(chosen)
    wrong = next((k for k in chosen if k not in key), None)
    return Grade(correct, key, myth=item.option(wrong).myth if wrong and not correct else None)


def _grade_number(item: Item, drawn: Drawn | None, given: Given) -> Grade:
    answer = drawn.answer if drawn else float(item.answer[0])
    slips = drawn.slips if drawn else item.slips
    if given.value is None:
        return Grade(False, answer)
    if close(given.value, answer, item.tolerance):
        return Grade(True, answer)
    near = {
        name: abs(given.value - value) for name, value in slips.items() if close(given.value, value, item.tolerance)
    }
    slip = (
        min(near, key=lambda name: near[name]) if near else prefix_slip(given.value, answer, item.unit, item.tolerance)
    )
    return Grade(False, answer, slip=slip)


def close(value: float, target: float, tolerance: float) -> bool:
    """Whether `value` lies within the relative tolerance of `target`, give or take rounding noise but never a whole unit."""
    noise = min(1e-9 * abs(target), 0.4)
    return abs(value - target) <= tolerance * abs(target) + noise
