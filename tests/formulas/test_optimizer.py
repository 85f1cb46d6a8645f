"""Bytes of model state under each recipe, against printed examples and measured bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.formulas import optimizer as opt
from tutor.formulas.units import GB


@pytest.mark.parametrize(
    ("recipe", "total"),
    [
        ("fp32-adamw", 16),
        ("bf16-weights+bf16-grads+fp32-master-adamw", 16),
        ("bf16-weights+fp32-grads+fp32-master-adamw", 18),
        ("bf16-weights+bf16-grads+fp32-master+fp32-grad-accum-adamw", 20),
        ("pure-bf16-adamw", 8),
        ("fp32-sgd", 8),
        ("fp32-sgd-momentum", 12),
        ("bf16+8bit-adam+fp32-master", 10),
    ],
)
def test_recipes_add_up(recipe: str, total: int) -> None:
    """Each recipe comes to the bytes a parameter that its source prints."""
    assert opt.RECIPES[recipe].total == total


def test_printed_examples() -> None:
    """7.5B take 120 GB (ZeRO), 30B take 480 GB, and eight 80 GB cards hold the fp32 AdamW state of 40B."""
    mixed = "bf16-weights+bf16-grads+fp32-master-adamw"

    assert opt.state_bytes(7.5e9, mixed) == 120 * GB
    assert opt.state_bytes(30e9, mixed) == 480 * GB
    assert opt.largest_model(8, 80 * GB, "fp32-adamw") == 40e9


def test_resumable_checkpoint_of_a_large_model() -> None:
    """176B parameters resume from a file of 2.46 TB, 14 bytes a parameter; BLOOM's authors report about 2.3."""
    assert opt.resumable_checkpoint_bytes(176e9) == 2464e9
    assert opt.resumable_checkpoint_bytes(176e9) == pytest.approx(2.3e12, rel=0.1)


def test_moments_are_two_fp32_numbers() -> None:
    """AdamW adds 8 bytes a parameter, plain SGD none."""
    assert opt.moments_bytes(1e9) == 8 * GB
    assert opt.STATE_BYTES["sgd"] == 0


def test_lora_by_hand() -> None:
    """Rank 2 on a 3 by 5 Linear trains 2·3 + 5·2 numbers."""
    assert opt.lora_parameters(2, 3, 5) == 16


def test_adafactor_by_hand() -> None:
    """A 3 by 5 matrix keeps 3 + 5 numbers, a vector of 7 all of them, and each tensor a step counter."""
    assert opt.adafactor_state_bytes([(3, 5), (7,)]) == 4 * (8 + 7 + 2)
    assert opt.adafactor_state_bytes([(2, 3, 5)]) == 4 * (2 * 3 + 2 * 5 + 1)


@given(st.sampled_from(sorted(opt.RECIPES)), st.integers(1, 64), st.sampled_from([24, 40, 80, 141, 192]))
def test_the_largest_model_fills_the_devices(recipe: str, devices: int, gigabytes: int) -> None:
    """The state of the largest model that fits is the memory there is."""
    largest = opt.largest_model(devices, gigabytes * GB, recipe)

    assert opt.state_bytes(largest, recipe) == pytest.approx(devices * gigabytes * GB)
