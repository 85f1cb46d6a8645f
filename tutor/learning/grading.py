"""Whether an answer is right, and what a wrong one reveals: the myth of the option picked, the slip behind a number.

An explanation is graded by the points the learner ticks, and he ticks them himself: all of them is Good, all but one is Hard,
fewer is a miss. One point short still passes because an interviewer asks on; half an answer does not, because whoever marks
himself is generous. `evidence` keeps such an answer from being Easy and takes it with q below 1.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tutor.content.gaps import fills, slip_of, split_typed
from tutor.content.model import Item
from tutor.frozen import dataclass

if TYPE_CHECKING:
    from tutor.content.families import Drawn


@dataclass(frozen=True, slots=True)
class Given:
    """The learner's answer; all None is "I don't know"."""

    choice: tuple[str, ...] | None = None
    """Keys chosen; of steps, in the order the learner put them."""
    raw: str | None = None
    """A number or the texts of gaps, as typed."""
    value: float | None = None
    """In the item's unit."""

    @property
    def nothing(self) -> bool:
        """Whether the learner said that he does not know."""
        return self.choice is None and self.raw is None and self.value is None


@dataclass(frozen=True, slots=True)
class Grade:
    """A graded answer."""

    correct: bool
    key: tuple[str, ...] | float
    slip: str | None = None
    myth: str | None = None
    short: int | None = None
    """Points of an explanation that were not ticked; None where the tutor itself could tell right from wrong."""


MOST_SHORT = 1
"""Points that may be missing from an explanation that still counts as right."""


def grade(item: Item, drawn: Drawn | None, given: Given, outcome: str | None = None) -> Grade:
    """Grade an answer. `outcome` is the key a run has found, for a predict item.

    Multi-select is all or nothing, and so is an order; a number is right within the item's relative tolerance; a gap takes the
    texts it accepts.
    """
    match item.kind:
        case "numeric":
            return _grade_number(item, drawn, given)
        case "order":
            return _grade_order(item, given.choice or ())
        case "cloze":
            return _grade_gaps(item, given.raw or "")
        case "explain":
            ticked = given.choice or ()
            short = sum(key not in ticked for key in item.answer)
            return Grade(short <= MOST_SHORT, item.answer, short=short)
    key = (outcome,) if outcome is not None else item.answer
    chosen = given.choice or ()
    correct = set(chosen) == set(key) and bool(chosen)
    wrong = next((k for k in chosen if k not in key), None)
    return Grade(correct, key, myth=item.option(wrong).myth if wrong and not correct else None)


def _grade_order(item: Item, order: tuple[str, ...]) -> Grade:
    """A wrong order names the myth of the first step that was put before the one it should follow."""
    if order == item.answer or not order:
        return Grade(bool(order), item.answer)
    early = [later for earlier, later in itertools.pairwise(item.answer) if order.index(later) < order.index(earlier)]
    return Grade(False, item.answer, myth=next((item.option(key).myth for key in early if item.option(key).myth), None))


def first_wrong_place(order: Sequence[str], key: Sequence[str]) -> int:
    """Return the place, from 1, at which an order first leaves the right one."""
    return next(place for place, (said, right) in enumerate(zip(order, key, strict=True), start=1) if said != right)


def _grade_gaps(item: Item, raw: str) -> Grade:
    """The first gap that is filled wrongly with a foreseen text names that slip and its myth."""
    typed = split_typed(raw, item.gaps)
    if typed is None:
        return Grade(False, item.answer)
    wrong = [(gap, text) for gap, text in zip(item.gaps, typed, strict=True) if not fills(gap, text)]
    slips = [(gap, slip) for gap, text in wrong if (slip := slip_of(gap, text)) is not None]
    gap, slip = slips[0] if slips else (None, None)
    return Grade(not wrong, item.answer, slip=slip, myth=gap.slips[slip] if gap and slip else None)


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
    if near:
        return Grade(False, answer, slip=min(near, key=lambda name: near[name]))
    from tutor.content.units import prefix_slip  # the units are loaded with the first number typed, not before

    return Grade(False, answer, slip=prefix_slip(given.value, answer, item.unit, item.tolerance))


def close(value: float, target: float, tolerance: float) -> bool:
    """Whether `value` lies within the relative tolerance of `target`, give or take rounding noise but never a whole unit."""
    noise = min(1e-9 * abs(target), 0.4)
    return abs(value - target) <= tolerance * abs(target) + noise
