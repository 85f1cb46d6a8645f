"""Numeric families: every number that can be asked has an answer of its own, told apart from each of its slips."""

from __future__ import annotations

import itertools
import math
import random
import re
from functools import cache

import pytest

from tests.support import choice
from tutor.content.families import FAMILIES, Drawn, NothingToDraw, draw, humane, instance, render
from tutor.content.units import Quantity, parse_quantity
from tutor.formulas.rounding import ceiling, floor
from tutor.learning.grading import Given, close, grade

families = pytest.mark.parametrize("id", FAMILIES)
SEEDS = random.Random(7).sample(range(2**31), 40)

UNITS = {"KiB": "kB", "MiB": "MB", "GiB": "GB", "kB": "KiB", "MB": "MiB", "GB": "GiB"}
SIZES = {"kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
SIGNS = {"·": "*", "²": "**2", "√(": "sqrt(", "e^(": "exp(", "^": "**", "⌈": "ceil(", "⌉": ")", "⌊": "floor(", "⌋": ")"}
"""What a working writes -> what Python reads."""
UNUSED: dict[str, tuple[str, ...]] = {"par.in_flight_gib": ("m",), "roof.attainable": ("p",)}
"""Numbers of a question that the answer does not need; its slips do."""
LETTERS = {"T": "e12", "B": "e9", "M": "e6"}


def equations(working: str) -> list[tuple[float, float]]:
    """Return both sides of each equation of a working that is in numbers alone."""
    found = []
    chunks = re.split(r" = |: |; |, here ", working)
    for left, right in itertools.pairwise(chunks):
        number = re.match(r"-?[\d.]+", right)
        text = re.sub(r"(\d)([TBM])\b", lambda m: m[1] + LETTERS[m[2]], left)
        for sign, code in SIGNS.items():
            text = text.replace(sign, code)
        if number and re.fullmatch(r"[\d.e+*/() ,-]*(?:(?:sqrt|exp|ceil|floor|min|max)\([\d.e+*/() ,-]*)*", text):
            names = {"sqrt": math.sqrt, "exp": math.exp, "ceil": ceiling, "floor": floor, "min": min, "max": max}
            found.append((float(eval(text, names)), float(number[0])))
    return found


@cache
def instances(id: str) -> list[Drawn]:
    """Return every instance of a family that can be drawn from its own ranges."""
    family = FAMILIES[id]
    combinations = (
        dict(zip(family.ranges, values, strict=True)) for values in itertools.product(*family.ranges.values())
    )
    return [drawn for values in combinations if (drawn := instance(family, values, family.tolerance))]


@families
def test_slips_are_told_apart(id: str) -> None:
    """Each slip lies further than twice the tolerance from the answer and from every other slip."""
    family = FAMILIES[id]
    for drawn in instances(id):
        assert drawn.slips, "a family without a slip diagnoses nothing"
        for one, other in itertools.combinations([drawn.answer, *drawn.slips.values()], 2):
            assert abs(one - other) > 2 * family.tolerance * max(abs(one), abs(other)), drawn


@families
def test_a_seed_draws_the_same_numbers(id: str) -> None:
    """The answer can be graded again from the seed that was stored, and what is drawn is one of the instances."""
    drawn = [draw(id, {}, seed) for seed in SEEDS]

    assert drawn == [draw(id, {}, seed) for seed in SEEDS]
    assert all(one in instances(id) for one in drawn)


@families
def test_answers_are_sound(id: str) -> None:
    """What is drawn fits together and has a finite positive answer; most of what fits can be drawn."""
    family = FAMILIES[id]
    combinations = (
        dict(zip(family.ranges, values, strict=True)) for values in itertools.product(*family.ranges.values())
    )
    fitting = sum(bool(family.fits(**values)) for values in combinations)

    assert all(math.isfinite(drawn.answer) and drawn.answer > 0 for drawn in instances(id))
    assert len(instances(id)) >= max(6, fitting / 4)


@families
def test_seeds_vary_the_question(id: str) -> None:
    """Another seed asks with other numbers: a transfer is not the same question again."""
    assert len({tuple(draw(id, {}, seed).values.values()) for seed in SEEDS}) >= 5


@families
def test_the_working_is_filled(id: str) -> None:
    """No brace, no exponent and no nan is left in the working that a learner reads."""
    for drawn in instances(id):
        assert not re.search(r"[{}]|\d[eE][+-]?\d|nan|inf", drawn.working)


@families
def test_the_working_computes_the_answer(id: str) -> None:
    """The arithmetic in numbers comes to the number behind it, and the last one is the answer."""
    for drawn in instances(id):
        sides = equations(drawn.working)
        assert sides, drawn.working
        assert all(left == pytest.approx(right, rel=6e-4) for left, right in sides), drawn.working
        assert any(left == pytest.approx(drawn.answer, rel=1e-9) for left, _ in sides) or id == "ckpt.best_k"
        assert humane(drawn.answer) in drawn.working


@families
def test_the_working_has_the_numbers_drawn(id: str) -> None:
    """Each number of the question stands in the explanation; a word stands for the numbers it means."""
    for drawn in instances(id):
        for name, value in drawn.values.items():
            assert isinstance(value, str) or humane(value) in drawn.working or name in UNUSED.get(id, ()), drawn


@families
def test_the_answer_is_read_in_its_unit(id: str) -> None:
    """What the explanation prints is right when it is typed, bare or with its unit; in the other kind of prefix it is not."""
    family = FAMILIES[id]
    for drawn in instances(id):
        printed = humane(drawn.answer)
        for text in (printed, f"{printed} {family.unit}".strip()):
            read = parse_quantity(text, family.unit)
            assert isinstance(read, Quantity), text
            assert close(read.value, drawn.answer, family.tolerance), text
        if family.unit in UNITS:
            other = UNITS[family.unit]
            converted = drawn.answer * SIZES[family.unit] / SIZES[other]
            assert not close(converted, drawn.answer, family.tolerance)
            read = parse_quantity(f"{converted:.9g} {other}", family.unit)
            assert isinstance(read, Quantity) and close(read.value, drawn.answer, family.tolerance)


@families
def test_slips_are_diagnosed_by_name(id: str) -> None:
    """A typed number that is a slip's gets the slip's name, even where its digits look like a wrong prefix."""
    family = FAMILIES[id]
    item = choice(
        "n-1", "a", kind="numeric", options=(), answer=(), family=id, unit=family.unit, tolerance=family.tolerance
    )
    for drawn in instances(id):
        assert grade(item, drawn, Given(value=drawn.answer)).correct
        for name, value in drawn.slips.items():
            assert grade(item, drawn, Given(value=value)).slip == name


def test_there_are_enough() -> None:
    """At least sixty families, over ten subjects, and three slips named for every two of them."""
    assert len(FAMILIES) >= 60
    assert len({id.partition(".")[0] for id in FAMILIES}) == 10
    assert sum(len(family.slips) for family in FAMILIES.values()) >= 1.5 * len(FAMILIES)


@families
def test_every_slip_is_met(id: str) -> None:
    """No name of a mistake is there that no draw can show."""
    assert {name for drawn in instances(id) for name in drawn.slips} == set(FAMILIES[id].slips)


@families
def test_a_family_names_its_source(id: str) -> None:
    """A formula without a source is an opinion."""
    assert FAMILIES[id].source and FAMILIES[id].concept
    assert id.partition(".")[0] == FAMILIES[id].concept.partition(".")[0]


def test_integers_are_exact() -> None:
    """A family without tolerance answers in whole numbers."""
    for family in FAMILIES.values():
        if not family.tolerance:
            assert all(draw(family.id, {}, seed).answer.is_integer() for seed in range(40)), family.id


def test_a_deck_narrows_the_ranges() -> None:
    """The lists of a deck are what is drawn from."""
    assert {draw("rng.state_bytes", {"n": (12, 48)}, seed).values["n"] for seed in range(20)} == {12, 48}


def test_nothing_to_draw() -> None:
    """Where every combination confuses a slip with the answer, the family says so rather than asking."""
    with pytest.raises(NothingToDraw, match=r"ckpt\.flop_ratio.*widen"):
        draw("ckpt.flop_ratio", {"p": (1.0,)}, 0)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7e9, "7B"),
        (1.3e9, "1.3B"),
        (0.35e9, "350M"),
        (176e9, "176B"),
        (32768, "32768"),
        (50257, "50257"),
        (0.5, "0.5"),
        (2.0, "2"),
        (10220.000000000002, "10220"),
        (11161.3, "11161"),
        (0.0000305175, "0.00003052"),
        (0.1 + 0.2, "0.3"),
    ],
)
def test_numbers_as_a_person_writes_them(value: float, text: str) -> None:
    """Large round numbers are 7B and 350M, sizes stay in digits."""
    assert humane(value) == text


def test_a_rendered_question(shelf) -> None:
    """Stem and explanation carry the numbers drawn, the answer with its unit, and the working."""
    item = shelf.load().items["rng-2m9d"]
    shown = render(item, draw(item.family, {"n": (24,)}, 1))

    assert "checkpoints 24 blocks" in shown.stem
    assert shown.why == "5056 bytes each: 24·5056 / 1024 = 118.5 KiB. Beside one hidden state, 118.5 KiB is nothing."


def test_braces_that_name_nothing_stay(shelf) -> None:
    """Deck text is literal: a set in braces is not a placeholder."""
    shelf.edit("A model checkpoints {n} blocks", "A model checkpoints {n} blocks of {a, b}")
    item = shelf.load().items["rng-2m9d"]
    assert "of {a, b}" in render(item, draw(item.family, item.params, 0)).stem


@families
def test_values_outside_are_refused(id: str) -> None:
    """Each parameter names its range when a deck leaves it."""
    family = FAMILIES[id]
    for name, values in family.ranges.items():
        assert not any(family.fault(name, value) for value in values)
        wrong = "no-recipe" if isinstance(values[0], str) else 10 * max(values)
        assert name in family.fault(name, wrong)
