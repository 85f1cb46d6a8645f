"""Every public formula says what it computes, in which units, from where; its working is what it computes."""

from __future__ import annotations

import math
import random

import pytest

from tutor.content.units import Quantity as Read
from tutor.content.units import parse_quantity
from tutor.formulas.catalogue import Formula, Parameter, Value, find, formulas
from tutor.formulas.working import working

every = pytest.mark.parametrize("name", formulas())


def read(parameter: Parameter, text: str) -> Value:
    """Return the value of a text as a person gives it."""
    if parameter.choices:
        assert text in parameter.choices, (parameter.name, text)
        return text == "yes" if parameter.choices == ("yes", "no") else text
    quantity = parse_quantity(text, parameter.quantity.unit)
    assert isinstance(quantity, Read), quantity
    assert parameter.quantity.least <= quantity.value <= parameter.quantity.most, (parameter.name, text)
    return round(quantity.value) if parameter.whole else quantity.value


def examples(formula: Formula) -> dict[str, Value]:
    """Return the values of a formula's examples."""
    return {parameter.name: read(parameter, parameter.example) for parameter in formula.parameters}


@every
def test_a_formula_says_what_and_whence(name: str) -> None:
    """A sentence, a source, and a meaning and an example in the right unit for each parameter."""
    formula = formulas()[name]

    assert len(formula.what) > 20
    assert len(formula.source) > 5
    assert all(parameter.meaning and parameter.example for parameter in formula.parameters)
    assert math.isfinite(formula.compute(examples(formula)))


@every
def test_the_working_is_what_is_computed(name: str) -> None:
    """The last line of the working has the value of the formula, in names and in numbers."""
    formula = formulas()[name]
    values = examples(formula)
    arguments = formula.arguments(values)
    shown = {parameter.name: parameter.example for parameter in formula.parameters}
    *steps, last = working(formula.function, arguments, shown)

    assert last.value == pytest.approx(formula.compute(values), rel=1e-12)
    assert last.name == ""
    assert all(step.name for step in steps)
    lines = " ".join(step.formula for step in (*steps, last))
    assert "(s" in lines or any(parameter.name in lines for parameter in formula.parameters)
    assert not any(mark in last.numbers for mark in ("**", "==", "["))


@every
def test_a_name_finds_its_formula(name: str) -> None:
    """In full, with hyphens, and by the function alone where it is the only one."""
    module, _, function = name.partition(".")
    formula = formulas()[name]

    assert find(name) == find(name.replace("_", "-")) == [formula]
    assert formula in find(function)
    assert find(f"{module}.nothing") == []


def test_numbers_stand_in_the_order_of_the_operations() -> None:
    """A quotient in a product, a difference in a difference, a power of a sum: brackets where they are needed, no others."""

    def tangled(a: int, b: int) -> float:
        """Return nonsense."""
        c = a - (b - a)
        return -((a + b) ** 2) / (a / b) * (c - 1) + a / b - (a + b)

    first, last = working(tangled, {"a": 3, "b": 5}, {"a": "3", "b": "5"})
    assert first.numbers == "3 - (5 - 3)"
    assert last.formula == "-(a + b)^2 / (a / b) · (c - 1) + a / b - (a + b)"
    assert last.numbers == "-(3 + 5)^2 / (3 / 5) · (1 - 1) + 3 / 5 - (3 + 5)"


def test_a_value_with_a_compound_unit_is_bracketed() -> None:
    """1 GB over 50 GB/s is not 1 GB over 50 GB over a second."""
    formula = formulas()["collectives.ring_all_gather"]
    shown = {"size": "1 GB", "ranks": "8", "bandwidth": "50 GB/s"}
    (step,) = working(formula.function, {"size": 1e9, "ranks": 8, "bandwidth": 50e9}, shown)

    assert step.numbers == "(8 - 1) / 8 · 1 GB / (50 GB/s)"


def test_random_values_stay_in_the_domain() -> None:
    """Within the ranges of its parameters a formula computes a number or says that it cannot."""
    source = random.Random(7)
    for formula in formulas().values():
        for _ in range(20):
            values = {parameter.name: drawn(parameter, source) for parameter in formula.parameters}
            try:
                assert isinstance(formula.compute(values), float)
            except (ZeroDivisionError, OverflowError, ValueError):
                continue


def drawn(parameter: Parameter, source: random.Random) -> Value:
    """Return a value a parameter may have."""
    if parameter.choices:
        return read(parameter, source.choice(parameter.choices))
    quantity = parameter.quantity
    low = max(quantity.least, -100.0)
    high = min(quantity.most, low + 10 ** source.uniform(0, 6))
    return source.randint(math.ceil(low), math.floor(high)) if parameter.whole else source.uniform(low, high)
