"""Floating-point formats: how far apart numbers lie, what vanishes, and how a loss is scaled. Powers of two, exact."""

from __future__ import annotations

import math
from typing import Annotated

from tutor.formulas.quantities import Bytes, Count, Exponent, Params, Quantity, Real, formula
from tutor.formulas.rounding import ceiling, floor

FORMATS = {"fp32": (8, 23), "tf32": (8, 10), "bf16": (8, 7), "fp16": (5, 10), "fp8-e4m3": (4, 3), "fp8-e5m2": (5, 2)}
"""Bits of exponent and of stored fraction."""

Format = Annotated[str, tuple(FORMATS)]
Relative = Annotated[float, Quantity("fraction")]
Positive = Annotated[float, Quantity("", 1e-300)]


@formula
def spacing(number_format: Format, exponent: Exponent) -> Real:
    """Return the distance of neighbouring numbers from 2^e up to 2^(e+1): 2^(e - stored fraction bits).

    number_format: one of the formats, such as bf16
    exponent: e, such as 8
    Source: IEEE 754-2019, 3.3; bfloat16 has 7 stored fraction bits; measured bf16 256 + 1 = 256 (torch 2.13).
    """
    return 2.0 ** (exponent - FORMATS[number_format][1])


@formula
def least_change(number_format: Format, exponent: Exponent) -> Real:
    """Return the update that a weight from 2^e up to 2^(e+1) must exceed to change at all: half a spacing.

    number_format: of the stored weight, such as bf16
    exponent: e, such as 0
    Source: IEEE 754-2019, rounding to the nearest, ties to even; measured bf16 1 + 0.001 a hundred times = 1 (torch 2.13).
    """
    return 2.0 ** (exponent - FORMATS[number_format][1] - 1)


@formula
def counter_stops(number_format: Format, increment: Count) -> Real:
    """Return where a counter stops that adds a power of two again and again: increment · 2^(fraction bits + 1).

    There the increment is half a spacing, and the tie goes to the even number, which is the counter itself.
    number_format: of the counter, such as bf16
    increment: a power of two, such as 1
    Source: IEEE 754-2019, ties to even; measured bf16 256, fp16 2048 (torch 2.13).
    """
    return increment * 2.0 ** (FORMATS[number_format][1] + 1)


@formula
def smallest_normal(number_format: Format) -> Real:
    """Return the smallest number with full precision: 2^(2 - 2^(exponent bits - 1)).

    number_format: one of the formats, such as fp16
    Source: IEEE 754-2019, 3.3; 2^-14 for fp16, 2^-126 for bf16.
    """
    return 2 ** (2 - 2.0 ** (FORMATS[number_format][0] - 1))


@formula
def loss_scale_exponent(gradient: Positive) -> int:
    """Return the least k for which a gradient times 2^k is a normal fp16 number, at least 2^-14.

    gradient: the smallest that must keep its precision, such as 3e-8
    Source: Micikevicius et al. 2017 (arXiv:1710.03740), section 3.2.
    """
    return ceiling(-14 - math.log2(gradient))


@formula
def largest_scale_exponent(gradient: Positive) -> int:
    """Return the largest k for which a gradient times 2^k does not exceed fp16's 65504.

    gradient: the largest, such as 0.5
    Source: Micikevicius et al. 2017 (arXiv:1710.03740), section 3.2.
    """
    return floor(math.log2(65504 / gradient))


@formula
def sum_error(terms: Count, number_format: Format) -> Relative:
    """Return the bound on the relative error of adding positive terms one by one: (n - 1) · half a spacing at 1.

    terms: positive numbers, such as 4096
    number_format: of the running sum, such as bf16
    Source: Higham 2002, Accuracy and Stability of Numerical Algorithms, 4.2, to first order.
    """
    return (terms - 1) * least_change(number_format, 0)


@formula
def pairwise_sum_error(terms: Count, number_format: Format) -> Relative:
    """Return the bound on the relative error of adding positive terms in a tree: log2(n) roundings deep.

    terms: positive numbers, such as 4096
    number_format: of the partial sums, such as bf16
    Source: Higham 2002, Accuracy and Stability of Numerical Algorithms, 4.2, to first order.
    """
    return ceiling(math.log2(terms)) * least_change(number_format, 0)


@formula
def quantised_bytes(parameters: Params, bits: Count, group: Count, scale_bits: Count = 16) -> Bytes:
    """Return bytes of weights in few bits with one scale a group: N · (bits + scale/group) / 8.

    parameters: of the model, such as 70B
    bits: of a weight, such as 4
    group: weights that share a scale, such as 64
    scale_bits: of a scale
    Source: arithmetic of the layout; 4 bits with an 8-bit scale for 32 values are the 4.25 bits of OCP MXFP4.
    """
    return parameters * (bits + scale_bits / group) / 8
