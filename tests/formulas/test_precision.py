"""The closed forms of floating-point formats against torch's own numbers."""

from __future__ import annotations

import pytest
import torch

from tutor.formulas import precision

DTYPES = {
    "fp32": torch.float32,
    "bf16": torch.bfloat16,
    "fp16": torch.float16,
    "fp8-e4m3": torch.float8_e4m3fn,
    "fp8-e5m2": torch.float8_e5m2,
}
formats = pytest.mark.parametrize("name", DTYPES)


@formats
def test_limits_are_torchs(name: str) -> None:
    """The distance of neighbours at 1, and the smallest normal number."""
    limits = torch.finfo(DTYPES[name])

    assert precision.spacing(name, 0) == limits.eps
    assert precision.smallest_normal(name) == limits.smallest_normal


@pytest.mark.parametrize("name", ["bf16", "fp16"])
@pytest.mark.parametrize("increment", [1, 2, 4])
def test_a_counter_stops(name: str, increment: int) -> None:
    """Adding again and again gets no further than the closed form says."""
    counter = torch.zeros((), dtype=DTYPES[name])
    for _ in range(3000):
        counter += increment

    assert counter.item() == precision.counter_stops(name, increment)


@pytest.mark.parametrize("exponent", [-3, 0, 5])
def test_the_least_change(exponent: int) -> None:
    """A weight moves by a little more than half a spacing and not by a little less."""
    weight = torch.tensor(2.0**exponent, dtype=torch.bfloat16)
    least = precision.least_change("bf16", exponent)

    assert weight + least * 0.99 == weight
    assert weight + least * 1.01 > weight


def test_bounds_of_sums_hold() -> None:
    """Adding 4096 ones in bf16 one by one stops at 256, in fp32 it errs not at all; a tree keeps to its bound."""
    ones = torch.ones(4096, dtype=torch.bfloat16)
    running = torch.zeros((), dtype=torch.bfloat16)
    for one in ones:
        running += one
    pairs = ones
    while len(pairs) > 1:
        pairs = pairs[::2] + pairs[1::2]

    assert 1 - running.item() / 4096 <= precision.sum_error(4096, "bf16")
    assert abs(1 - pairs.item() / 4096) <= precision.pairwise_sum_error(4096, "bf16")


@pytest.mark.parametrize("gradient", [3e-8, 1e-6, 2.0**-20, 0.3])
def test_loss_scales(gradient: float) -> None:
    """Scaled, the smallest gradient is a normal fp16 number and half the scale does not do; the largest stays finite."""
    least, most = precision.loss_scale_exponent(gradient), precision.largest_scale_exponent(gradient)
    normal, largest = torch.finfo(torch.float16).smallest_normal, torch.finfo(torch.float16).max

    assert gradient * 2.0**least >= normal > gradient * 2.0 ** (least - 1)
    assert gradient * 2.0**most <= largest < gradient * 2.0 ** (most + 1)
