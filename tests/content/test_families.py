"""Numeric families: every number that can be asked has an answer of its own, told apart from each of its slips."""

from __future__ import annotations

import itertools
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.content.families import FAMILIES, NothingToDraw, draw, humane, instance, render

families = pytest.mark.parametrize("id", FAMILIES)
seeds = st.integers(0, 2**31 - 1)

WORKED = [
    ("mem.params", {"h": 768, "L": 12, "V": 50257}, 0.12365),
    ("mem.act_layer_gib", {"s": 2048, "b": 1, "h": 12288, "a": 96}, 2.672),
    ("mem.ckpt_boundaries_gib", {"s": 32768, "b": 1, "h": 4096, "L": 32}, 8),
    ("mem.logits_gib", {"s": 32768, "b": 1, "V": 128256}, 15.656),
    ("mem.total_ckpt_gib", {"s": 32768, "c": 28, "h": 4096, "L": 32, "V": 128256}, 70.625),
    ("mem.accum_batch", {"m": 4, "k": 8, "d": 64}, 2048),
    ("opt.adam_moments_gb", {"N": 7e9}, 56),
    ("opt.max_params", {"r": "fp32-adamw", "g": 8, "m": 80}, 40),
    ("opt.ckpt_file_gb", {"N": 13e9}, 182),
    ("opt.lora_params", {"r": 16, "din": 4096, "dout": 4096}, 131072),
    ("ckpt.live_units", {"N": 36, "k": 6, "b": 17}, 108),
    ("ckpt.best_k", {"N": 64, "b": 16}, 2),
    ("ckpt.flop_ratio", {"r": 2.0, "p": 0.5}, 3.5 / 3),
    ("attn.scores_gib", {"b": 1, "a": 32, "s": 16384}, 16),
    ("rng.mask_agreement", {"p": 0.3}, 0.58),
    ("rng.state_bytes", {"n": 12}, 59.25),
]
"""Instances worked by hand or printed by the family's source."""


@pytest.mark.parametrize(("id", "values", "answer"), WORKED)
def test_worked_examples(id: str, values, answer: float) -> None:
    """The family gives the answer its source prints, and its working says it."""
    drawn = instance(FAMILIES[id], values, FAMILIES[id].tolerance)

    assert drawn is not None
    assert drawn.answer == pytest.approx(answer, rel=1e-3)
    assert humane(drawn.answer) in drawn.working


@families
@given(seed=seeds)
def test_slips_are_told_apart(id: str, seed: int) -> None:
    """Each slip lies further than twice the tolerance from the answer and from every other slip."""
    family, drawn = FAMILIES[id], draw(id, {}, seed)
    values = [drawn.answer, *drawn.slips.values()]

    assert drawn.slips, "a family without a slip diagnoses nothing"
    for one, other in itertools.combinations(values, 2):
        assert abs(one - other) > 2 * family.tolerance * max(abs(one), abs(other)), drawn


@families
@given(seed=seeds)
def test_a_seed_draws_the_same_numbers(id: str, seed: int) -> None:
    """The answer can be graded again from the seed that was stored."""
    assert draw(id, {}, seed) == draw(id, {}, seed)


@families
@given(seed=seeds)
def test_drawn_numbers_are_of_the_family(id: str, seed: int) -> None:
    """What is drawn lies in the ranges, fits together, and has a finite positive answer."""
    family, drawn = FAMILIES[id], draw(id, {}, seed)

    assert all(drawn.values[name] in values for name, values in family.ranges.items())
    assert family.fits(**drawn.values)
    assert math.isfinite(drawn.answer) and drawn.answer > 0


@families
def test_seeds_vary_the_question(id: str) -> None:
    """Another seed asks with other numbers: a transfer is not the same question again."""
    assert len({tuple(draw(id, {}, seed).values.values()) for seed in range(40)}) >= 3


@families
def test_the_working_is_filled(id: str) -> None:
    """No brace, no exponent and no nan is left in the working that a learner reads."""
    for seed in range(25):
        assert not re.search(r"[{}]|\d[eE][+-]?\d|nan|inf", draw(id, {}, seed).working)


@families
def test_a_family_names_its_source(id: str) -> None:
    """A formula without a source is an opinion."""
    assert FAMILIES[id].source and FAMILIES[id].concept and FAMILIES[id].unit


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
    assert shown.why == "24 · 5056 bytes / 1024 = 118.5 KiB. Beside one hidden state, 118.5 KiB is nothing."


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
