"""What of an item can be confirmed by computing or by running it, and what cannot stand.

A number is confirmed by a formula where a family computes it, or where arithmetic written in the item comes to it. A claim is
confirmed by measurement where the experiment the item names ran with the parameters of the link and every claim held.
Everything else rests on its source.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from tutor.content.arithmetic import STATED, agree, equations, evaluate
from tutor.content.experiments import Experiment
from tutor.content.families import NothingToDraw, draw, humane, render
from tutor.content.model import Item
from tutor.content.runs import RunResult

DRAWS = 25
"""Instances of a family drawn for each item."""
_SOURCE = "arithmetic:"
_EQUAL = ("==", "~")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?:[TBM]\b| ?%)?")
_SCALES = [base**power for base in (1000.0, 1024.0) for power in range(-4, 5)]
"""What lies between a number and the same number under another prefix of its unit."""


def wrong_numbers(item: Item) -> Iterator[str]:
    """Yield a sentence for each number of an item that its own arithmetic or its family contradicts."""
    for one in _surfaces(item):
        for text in (one.stem, one.why, *one.sources):
            for left, value, right in equations(text):
                if not agree(value, right):
                    yield f"{item.id} writes {left} = {right}, but that is {humane(value)}; correct it."
                    return
    if item.kind == "numeric" and not item.family and not by_formula(item):
        yield (
            f"nothing in {item.id} computes its answer {item.answer[0]}; add a source such as"
            ' "arithmetic: 2 · 16 / 4", or a family.'
        )


def by_formula(item: Item) -> bool:
    """Whether a family computes the item's answer, or its written arithmetic comes to a number of its key."""
    if item.family:
        drawn = [draw(item.family, item.params, seed) for seed in range(DRAWS)]
        return all(math.isfinite(one.answer) and humane(one.answer) in one.working for one in drawn)
    values = list(_computed(item))
    if item.kind == "numeric":
        return any(_same(value, float(item.answer[0]), max(item.tolerance, STATED)) for value in values)
    if item.kind not in ("choice", "multi"):
        return False
    written = [number for key in item.answer for number in _NUMBER.findall(item.option(key).text)]
    return any(agree(value, number) for number in written for value in values)


def rests_on(item: Item) -> tuple[str, ...]:
    """Return what can confirm an item: "formula", "experiment" or both, else its "source" alone."""
    found = {"experiment": item.experiment is not None, "formula": by_formula(item)}
    return tuple(name for name, holds in found.items() if holds) or ("source",)


def not_shown(item: Item, experiment: Experiment, result: RunResult) -> Iterator[str]:
    """Yield a sentence for each thing an item rests on that its experiment's run did not show."""
    assert item.experiment is not None
    if not result.completed:
        yield f"{experiment.id} of {item.id} did not end ({result.ending}): {result.sentence}"
        return
    for claim in result.claims:
        if not claim.passed:
            yield f"{experiment.id} of {item.id} did not show {claim.name}: {claim.left} {claim.op} {claim.right}."
    bet = experiment.bets.get(item.experiment.bet)
    if bet is None:
        return
    measured, theory = result.measured(bet.metric), result.theory(bet.metric)
    if measured is None:
        yield f"{experiment.id} of {item.id} measured no {bet.metric}, on which its bet {bet.id} is decided."
    elif bet.kind == "choice" and str(measured) not in bet.choices:
        yield f"{experiment.id} of {item.id} ended in {measured!r}, which is no choice of its bet {bet.id}."
    elif (
        theory
        and theory.op in _EQUAL
        and isinstance(measured, float | int)
        and isinstance(theory.value, float | int)
        and abs(measured - theory.value) > bet.tolerance * abs(measured)
    ):
        yield f"{experiment.id} of {item.id} measured {humane(measured)}, but its formula says {humane(theory.value)}."


def _surfaces(item: Item) -> Iterator[Item]:
    """Yield the item as it is, or as asked with numbers drawn."""
    if not item.family:
        yield item
        return
    for seed in range(DRAWS):
        try:
            yield render(item, draw(item.family, item.params, seed))
        except NothingToDraw:
            return


def _computed(item: Item) -> Iterator[float]:
    """Yield every number that the item's own arithmetic comes to."""
    for text in (item.why, *item.sources):
        for _, value, _ in equations(text):
            yield value
        if text.startswith(_SOURCE):
            value_of_source = evaluate(text.removeprefix(_SOURCE))
            if value_of_source is not None:
                yield value_of_source


def _same(value: float, other: float, tolerance: float) -> bool:
    """Whether two numbers are equal but for a prefix of their unit."""
    return any(math.isclose(value * scale, other, rel_tol=tolerance) for scale in _SCALES)
