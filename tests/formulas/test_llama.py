"""The closed forms of a LLaMA against published sizes and sums by hand."""

from __future__ import annotations

import pytest

from tutor.formulas.llama import Shape, block_saved_units, parameter_count, peak_bytes, phase_of_peak, recipe

SEVEN = Shape()


def test_seven_billion() -> None:
    """The model called 7B has 6 738 415 616 parameters, the one called 13B 13 015 864 320."""
    assert parameter_count(SEVEN) == 6_738_415_616
    assert parameter_count(Shape(layers=40, width=5120, heads=40, hidden=13_824)) == 13_015_864_320


@pytest.mark.parametrize(
    ("precision", "optimizer", "foreach", "total"),
    [
        ("bf16", "adamw", True, 10),
        ("bf16", "adamw", False, 8),
        ("fp32", "adamw", True, 20),
        ("fp32", "adamw", False, 16),
        ("bf16-master", "adamw", True, 22),
        ("bf16-master", "adamw", False, 18),
        ("bf16", "sgd", True, 4),
        ("fp32", "sgd", False, 8),
    ],
)
def test_bytes_a_parameter_in_the_step(precision: str, optimizer: str, foreach: bool, total: int) -> None:
    """Weights, gradients, state and what the step holds, added by hand."""
    r = recipe(precision, optimizer, foreach)

    assert 2 * r.weights + r.state + r.step == total


def test_block_saves() -> None:
    """4F/d is 10.75 for the 7B shape: 20.76 units in fp32, 24.77 in bf16."""
    assert block_saved_units(SEVEN, 4) == pytest.approx(20.7583)
    assert block_saved_units(SEVEN, 2) == pytest.approx(24.7666)


def test_where_the_peak_lies() -> None:
    """All tensors at once: the step. One by one: backward. Sharded over many: backward, since activations are not."""
    assert phase_of_peak(SEVEN, recipe("bf16", "adamw", True)) == "step"
    assert phase_of_peak(SEVEN, recipe("bf16", "adamw", False)) == "backward"
    assert phase_of_peak(SEVEN, recipe("bf16", "adamw", True), ranks=64) == "backward"
    assert peak_bytes(SEVEN, recipe("bf16", "adamw", True)) == 10 * 6_738_415_616


@pytest.mark.parametrize(
    ("batch", "precision", "optimizer", "foreach", "checkpointed", "gigabytes"),
    [
        (1, "bf16", "adamw", False, False, 54.6),
        (1, "bf16", "adamw", True, False, 67.4),
        (4, "bf16", "adamw", True, False, 97.1),
        (4, "bf16", "adamw", False, True, 55.5),
        (4, "fp32", "adamw", False, True, 110.3),
        (4, "fp32", "adamw", True, True, 134.8),
        (4, "bf16", "sgd", True, True, 28.5),
    ],
)
def test_measured_peaks(
    batch: int, precision: str, optimizer: str, foreach: bool, checkpointed: bool, gigabytes: float
) -> None:
    """Peaks of the true 7B model, measured with fake tensors to a tenth of a gigabyte."""
    peak = peak_bytes(Shape(batch=batch), recipe(precision, optimizer, foreach), checkpointed)

    assert peak / 1e9 == pytest.approx(gigabytes, abs=0.06)
