"""Right or wrong, and what a wrong answer reveals: the myth of an option, the slip behind a number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import choice
from tutor.content.families import FAMILIES, Drawn, draw
from tutor.content.model import Gap, Item, Option
from tutor.learning.grading import Given, Grade, close, first_wrong_place, grade

KEYS = ("a", "b", "c", "d")
SEVERAL = choice(
    "m-1",
    "a",
    kind="multi",
    answer=("a", "c"),
    options=(Option("a", "A"), Option("b", "B", "myth-b"), Option("c", "C"), Option("d", "D", "myth-d")),
)


def number(answer: float, tolerance: float, unit: str = "GB", **slips: float) -> tuple[Item, Drawn]:
    """Return a numeric item with one instance of it."""
    return choice("n-1", "a", kind="numeric", options=(), answer=(), family="f", unit=unit, tolerance=tolerance), Drawn(
        {}, answer, slips, ""
    )


def typed(value: float) -> Given:
    """Return a number as given."""
    return Given(raw=str(value), value=value)


@pytest.mark.parametrize(
    ("key", "correct", "myth"), [("good", True, None), ("bad", False, "myth-a"), ("odd", False, "myth-b")]
)
def test_a_choice_is_its_key(key: str, correct: bool, myth: str | None) -> None:
    """The key is right, and a wrong option names the belief that makes it attractive."""
    assert grade(choice("a-1", "a"), None, Given((key,))) == Grade(correct, ("good",), myth=myth)


@given(st.sets(st.sampled_from(KEYS)), st.randoms())
def test_several_are_all_or_nothing(chosen: set[str], order: object) -> None:
    """Exactly the key in any order is right; a part of it, or more than it, is wrong."""
    picked = sorted(chosen)
    order.shuffle(picked)  # type: ignore[attr-defined]
    mark = grade(SEVERAL, None, Given(tuple(picked)))
    assert mark.correct == (chosen == {"a", "c"})
    wrong = [f"myth-{key}" for key in picked if key in ("b", "d")]
    assert mark.myth == (wrong[0] if wrong else None)


@pytest.mark.parametrize("item", [choice("a-1", "a"), SEVERAL, *number(16.0, 0.05)[:1]])
def test_not_knowing_is_wrong_and_reveals_nothing(item: Item) -> None:
    """Not knowing has neither myth nor slip, whatever the kind."""
    mark = grade(item, number(16.0, 0.05)[1] if item.kind == "numeric" else None, Given())
    assert Given().nothing
    assert (mark.correct, mark.myth, mark.slip) == (False, None, None)


def test_a_prediction_is_graded_by_the_run() -> None:
    """What the run measured is the key, whatever the author expected."""
    item = choice("p-1", "a", kind="predict", answer=())
    assert grade(item, None, Given(("bad",)), outcome="bad") == Grade(True, ("bad",))
    assert grade(item, None, Given(("odd",)), outcome="bad") == Grade(False, ("bad",), myth="myth-b")


@pytest.mark.parametrize(("value", "correct"), [(16.0, True), (16.8, True), (15.2, True), (16.9, False), (15.1, False)])
def test_a_number_is_right_within_its_tolerance(value: float, correct: bool) -> None:
    """5 % of 16 to either side."""
    assert grade(*number(16.0, 0.05), typed(value)).correct == correct


@given(st.integers(1, 2**52), st.sampled_from([-1, 1]))
def test_an_exact_answer_is_exact(answer: int, off: int) -> None:
    """Tolerance 0 takes the integer and none of its neighbours, however large it is."""
    assert close(float(answer), float(answer), 0.0)
    assert not close(float(answer + off), float(answer), 0.0)


@given(st.floats(1e-3, 1e15))
def test_rounding_noise_is_no_mistake(answer: float) -> None:
    """A number that went through another unit and back is still the same one."""
    assert close(answer / 1024**3 * 1024**3, answer, 0.0)
    assert close(answer * 1e-9 / 1e-9, answer, 0.0)


@given(st.floats(allow_nan=True, allow_infinity=True), st.floats(0, 0.49))
def test_no_strange_number_is_right(value: float, tolerance: float) -> None:
    """Neither nan nor infinity nor a number of the other sign is ever within tolerance."""
    if close(value, 16.0, tolerance):
        assert 8 < value < 24


def test_a_known_slip_is_named() -> None:
    """A value within tolerance of a slip bears its name, the nearest where two are near; other values bear none."""
    item, drawn = number(16.0, 0.05, both=32.0, half=33.5)
    assert grade(item, drawn, typed(32.5)).slip == "both"
    assert grade(item, drawn, typed(33.0)).slip == "half"
    assert grade(item, drawn, typed(20.0)) == Grade(False, 16.0)


def test_a_slip_of_the_prefix_is_named() -> None:
    """The right digits in another unit are told from a wrong formula, and a named slip comes first."""
    item, drawn = number(16.0, 0.02)
    for value in (16.0 * 1e9 / 2**30, 16_000.0, 16.0e9, 128.0):
        assert grade(item, drawn, typed(value)).slip, value
    item, drawn = number(16.0, 0.02, **{"the eightfold": 128.0})
    assert grade(item, drawn, typed(128.0)).slip == "the eightfold"


def test_a_number_without_a_family_has_its_own_key_and_slips() -> None:
    """An item that states its answer is graded by it."""
    item = choice("n-2", "a", kind="numeric", options=(), answer=("5056",), unit="B", slips={"words only": 2496.0})
    assert grade(item, None, typed(5056)) == Grade(True, 5056.0)
    assert grade(item, None, typed(2496)).slip == "words only"


@given(st.sampled_from(sorted(FAMILIES)), st.integers(0, 2**31 - 1))
def test_every_family_knows_its_own_slips(name: str, seed: int) -> None:
    """Whatever is drawn, the answer is right and each wrong formula is diagnosed by its name."""
    family, drawn = FAMILIES[name], draw(name, {}, seed)
    item, _ = number(0.0, family.tolerance, family.unit)
    assert grade(item, drawn, typed(drawn.answer)) == Grade(True, drawn.answer)
    for slip, value in drawn.slips.items():
        assert grade(item, drawn, typed(value)) == Grade(False, drawn.answer, slip=slip)


STEPS = choice(
    "o-1",
    "a",
    kind="order",
    answer=("a", "b", "c", "d"),
    options=(Option("c", "C", "myth-c"), Option("a", "A"), Option("d", "D", "myth-d"), Option("b", "B")),
)
GAPS = choice(
    "c-1",
    "a",
    kind="cloze",
    options=(),
    answer=("loss", "gradients"),
    gaps=(Gap("one", ("loss",), {"weights": "myth-a"}), Gap("two", ("gradients", "grads"), {"moments": "myth-b"})),
)
POINTS = choice(
    "e-1", "a", kind="explain", answer=("a", "b", "c", "d"), options=tuple(Option(key, key.upper()) for key in "abcd")
)


@given(st.permutations(KEYS))
def test_an_order_is_all_or_nothing(order: list[str]) -> None:
    """The right order alone is right; a wrong one names a step put before the one it should follow, and its first wrong place."""
    mark = grade(STEPS, None, Given(tuple(order)))
    assert mark.correct == (order == ["a", "b", "c", "d"])
    early = [key for key, before in (("c", "b"), ("d", "c")) if order.index(key) < order.index(before)]
    assert mark.myth == (f"myth-{early[0]}" if early else None)
    if not mark.correct:
        place = first_wrong_place(order, STEPS.answer)
        assert order[: place - 1] == list(STEPS.answer[: place - 1]) and order[place - 1] != STEPS.answer[place - 1]


@pytest.mark.parametrize(
    ("raw", "correct", "slip", "myth"),
    [
        ("loss; grads", True, None, None),
        (" loss ;gradients ", True, None, None),
        ("loss; moments", False, "moments", "myth-b"),
        ("weights; moments", False, "weights", "myth-a"),
        ("input; moments", False, "moments", "myth-b"),
        ("loss; outputs", False, None, None),
        ("gradients; loss", False, None, None),
    ],
)
def test_gaps_are_all_or_nothing(raw: str, correct: bool, slip: str | None, myth: str | None) -> None:
    """Each gap takes what it accepts; the first foreseen wrong text is named with its myth."""
    assert grade(GAPS, None, Given(raw=raw)) == Grade(correct, ("loss", "gradients"), slip=slip, myth=myth)


@pytest.mark.parametrize(
    ("ticked", "correct", "short"), [("abcd", True, 0), ("acd", True, 1), ("ab", False, 2), ("c", False, 3)]
)
def test_points_are_counted(ticked: str, correct: bool, short: int) -> None:
    """All, or all but one, is right; half is not."""
    assert grade(POINTS, None, Given(tuple(ticked))) == Grade(correct, ("a", "b", "c", "d"), short=short)


@pytest.mark.parametrize("item", [STEPS, GAPS, POINTS], ids=["order", "cloze", "explain"])
def test_not_knowing_the_other_kinds(item: Item) -> None:
    """Not knowing is wrong and names nothing."""
    mark = grade(item, None, Given())
    assert (mark.correct, mark.slip, mark.myth) == (False, None, None)
