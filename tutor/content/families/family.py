"""A numeric family: one closed form asked with numbers that change, and the wrong formulas people use instead.

The sampler refuses numbers for which a slip lies within twice the tolerance of the answer or of another slip: every typed
value then has one diagnosis at most.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from tutor.content.model import Item, Scalar

Formula = Callable[..., float]
MAX_TRIES = 200
DRAWS_AGAINST_A_SLIP = 8


@dataclass(frozen=True)
class Family:
    """One family. `ranges` are the values each parameter may take."""

    id: str
    concept: str
    ranges: Mapping[str, tuple[Scalar, ...]]
    unit: str
    tolerance: float
    answer: Formula
    slips: Mapping[str, Callable[..., float | None]]
    """Name of the mistake -> its formula; None where it is no mistake for these numbers."""
    working: str
    """The formula with its numbers, as a template over the parameters, the terms and {answer}: `... = ARITHMETIC = {answer} ...`."""
    source: str
    fits: Callable[..., bool] = field(default=lambda **_: True)
    """Whether the parameters make sense together."""
    terms: Mapping[str, Callable[..., Scalar]] = field(default_factory=dict)
    """Numbers of the working that are no parameters, such as the bytes of a recipe."""
    version: int = 1

    def fault(self, name: str, value: object) -> str:
        """Return why a parameter value cannot be used, or nothing."""
        allowed = self.ranges[name]
        if any(isinstance(v, str) for v in allowed):
            return "" if value in allowed else f"{name} = {value!r} is not one of {', '.join(map(str, allowed))}."
        numbers = [float(v) for v in allowed if not isinstance(v, str)]
        inside = isinstance(value, int | float) and min(numbers) <= value <= max(numbers)
        return (
            ""
            if inside
            else f"{name} = {value!r} is out of range; {self.id} takes {min(numbers):g} to {max(numbers):g}."
        )


@dataclass(frozen=True, slots=True)
class Drawn:
    """One instance: the numbers drawn, the answer and each slip in the family's unit."""

    values: Mapping[str, Scalar]
    answer: float
    slips: Mapping[str, float]
    working: str
    version: int = 1


class NothingToDraw(ValueError):
    """No combination of the parameters keeps the answer and the slips apart."""


def instance(family: Family, values: Mapping[str, Scalar], tolerance: float) -> Drawn | None:
    """Return the instance at `values`, or None where it makes no sense or a slip cannot be told from the answer."""
    if not family.fits(**values):
        return None
    answer = float(family.answer(**values))
    slips: dict[str, float] = {}
    for name, wrong in family.slips.items():
        value = wrong(**values)
        if value is None:
            continue
        if _near(value, answer, tolerance) or any(_near(value, other, tolerance) for other in slips.values()):
            return None
        slips[name] = float(value)
    return Drawn(dict(values), answer, slips, worked(family, family.working, values, answer), family.version)


def worked(family: Family, template: str, values: Mapping[str, Scalar], answer: float) -> str:
    """Return a working with its numbers, from the family's own template or a translation of it."""
    terms = {name: term(**values) for name, term in family.terms.items()}
    shown = {name: humane(value) for name, value in {**values, **terms}.items()}
    return template.format(**shown, answer=humane(answer))


def draw_from(family: Family, params: Mapping[str, tuple[Scalar, ...]], seed: int) -> Drawn:
    """Return the instance that `seed` draws from `params` laid over the family's ranges. Raises NothingToDraw."""
    choices = {name: params.get(name, values) for name, values in family.ranges.items()}
    source = random.Random(seed)
    for _ in range(MAX_TRIES):
        found = instance(family, {name: source.choice(values) for name, values in choices.items()}, family.tolerance)
        if found is not None:
            return found
    for combination in itertools.product(*choices.values()):
        found = instance(family, dict(zip(choices, combination, strict=True)), family.tolerance)
        if found is not None:
            return found
    raise NothingToDraw(f"{family.id}: no numbers in {dict(params)} keep the slips apart; widen the lists.")


def draw_against(family: Family, params: Mapping[str, tuple[Scalar, ...]], seed: int, slip: str) -> Drawn:
    """Return the instance, of a few that `seed` draws, in which the value of `slip` lies farthest from the answer.

    Instances for which it is no mistake count as showing nothing. Raises NothingToDraw.
    """
    seeds = random.Random(seed)
    drawn = [draw_from(family, params, seeds.getrandbits(31)) for _ in range(DRAWS_AGAINST_A_SLIP)]

    def apart(one: Drawn) -> float:
        wrong = one.slips.get(slip, one.answer)
        return abs(wrong - one.answer) / max(abs(wrong), abs(one.answer))

    return max(drawn, key=apart)


def humane(value: Any) -> str:
    """Return a number as a question states it: 7B and 350M for large round ones, otherwise plain digits, four of a fraction."""
    if isinstance(value, str | bool):
        return str(value)
    for size, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M")):
        if (
            abs(value) >= size
            and float(f"{value / size:.6g}") * size == value
            and value / size == round(value / size, 2)
        ):
            return f"{value / size:g}{letter}"
    if abs(value) >= 1e4 or abs(value - round(value)) <= 1e-9 * abs(value):
        return str(round(value))
    return f"{Decimal(f'{value:.4g}'):f}"


def render(item: Item, drawn: Drawn) -> Item:
    """Return the item with its drawn numbers in stem and explanation. Braces that name no parameter stay as they are."""
    words = {name: humane(value) for name, value in drawn.values.items()}
    working = drawn.working if item.lang == "en" else _in_language(item, drawn)
    words |= {"answer": f"{humane(drawn.answer)} {item.unit}".rstrip(), "working": working}
    return replace(item, stem=_fill(item.stem, words), why=_fill(item.why, words))


def _in_language(item: Item, drawn: Drawn) -> str:
    from tutor.content.families import FAMILIES  # which are made of what stands in this module
    from tutor.content.phrases import phrase

    family = FAMILIES[item.family]
    return worked(family, phrase(family.working, item), drawn.values, drawn.answer)


def _fill(text: str, words: Mapping[str, str]) -> str:
    for name, word in words.items():
        text = text.replace("{" + name + "}", word)
    return text


def _near(value: float, other: float, tolerance: float) -> bool:
    return abs(value - other) <= max(2 * tolerance, 1e-9) * max(abs(value), abs(other))
