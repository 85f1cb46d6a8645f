"""Bytes of model state under each recipe, against printed examples and measured bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.formulas import gpt
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


def test_whole_copies_by_hand() -> None:
    """A 3 by 5 matrix and a vector of 7 are 22 numbers: one copy 88 bytes, two copies and two counters 184."""
    shapes = [(3, 5), (7,)]

    assert opt.full_state_bytes(shapes, "sgd") == 0
    assert opt.full_state_bytes(shapes, "momentum") == 88
    assert opt.full_state_bytes(shapes, "adamw") == 2 * 88 + 8
    assert opt.full_state_bytes(shapes, "adamw", element=2) == 88 + 8


def test_eight_bit_state_by_hand() -> None:
    """300 numbers take two blocks: two moments of 300 bytes and two scales each. At scale, 2.03 bytes a parameter."""
    assert opt.eight_bit_state_bytes([(300,)]) == 2 * (300 + 8)
    assert opt.eight_bit_state_bytes([(1024, 1024)]) / 2**20 == 2 + 8 / 256


def test_held_state_is_each_optimizers_own() -> None:
    """Factored and 8-bit state go by their own formulas, the others by whole copies."""
    shapes = [(64, 32), (7,)]

    assert opt.held_state_bytes(shapes, "adafactor") == opt.adafactor_state_bytes(shapes)
    assert opt.held_state_bytes(shapes, "8-bit-adam") == opt.eight_bit_state_bytes(shapes)
    assert opt.held_state_bytes(shapes, "rmsprop") == opt.full_state_bytes(shapes, "rmsprop")


def test_temporaries_of_a_step_by_hand() -> None:
    """foreach holds a copy of all 22 numbers, the loop two of the largest 15."""
    shapes = [(3, 5), (7,)]

    assert opt.step_temporary_bytes(shapes, foreach=True) == 88
    assert opt.step_temporary_bytes(shapes, foreach=False) == 120


def test_gradients_in_flight_by_hand() -> None:
    """With the step in backward the largest gradient is all that is held."""
    assert opt.gradient_in_flight_bytes([(3, 5), (7,)], in_backward=False) == 88
    assert opt.gradient_in_flight_bytes([(3, 5), (7,)], in_backward=True) == 60


def test_step_of_death_by_hand() -> None:
    """From 2 with 3 a step and a budget of 12: 5, 8, 11 fit and the fourth does not; 11 fits to the byte."""
    assert opt.step_of_death(12, 2, 3) == 4
    assert opt.step_of_death(11, 2, 3) == 4
    assert opt.step_of_death(10.9, 2, 3) == 3
    assert opt.step_of_death(1, 2, 3) == 1


def test_offload_of_seven_billion() -> None:
    """7B in bf16: 4 bytes a parameter on the device, 13.5 GB each way a step, 0.54 s at 25 GB/s."""
    assert opt.offload_device_bytes(6.74e9, 2, 2) == 4 * 6.74e9
    down, up = opt.offload_traffic_bytes(6.74e9, 2, 2)
    assert down == up == pytest.approx(13.48 * GB)
    assert opt.transfer_seconds(down, 25 * GB) == pytest.approx(0.54, abs=0.001)


def test_phases_of_a_step() -> None:
    """State is there from the second forward on, and a step needs the same each time; SGD's steps do not differ."""
    shape = gpt.Shape(layers=4, width=128, heads=4, tokens=64, batch=4, vocabulary=256)
    count = gpt.parameter_count(shape)
    first, later = (opt.phase_needs(shape, count, "adamw", begun=begun) for begun in (False, True))

    assert later["forward"] - first["forward"] == later["backward"] - first["backward"] == 8 * count + 4 * 53
    assert first["step"] == later["step"] == 16 * count + 4 * 53 + 2 * 4 * 512 * 128
    assert opt.phase_needs(shape, count, "adamw", foreach=True)["step"] == 20 * count + 4 * 53
    assert opt.phase_needs(shape, count, "sgd") == opt.phase_needs(shape, count, "sgd", begun=True)
    assert opt.phase_needs(shape, count, "sgd", checkpointed=True)["forward"] < first["forward"]


def test_first_moment_over_a_budget() -> None:
    """The first in order of time is named, not the largest; a need that just fits is none."""
    needs = {"forward": 3, "backward": 5, "step": 9}

    assert opt.first_over(needs, 4) == "backward"
    assert opt.first_over(needs, 5) == "step"
    assert opt.first_over(needs, 9) == "never"
