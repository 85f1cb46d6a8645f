"""What a number of a formula measures: its unit and the values that make sense, as types a signature can name.

Formulas take and return base units: bytes, seconds, FLOPs, parameters. `Annotated` leaves the plain type to the checker.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, TypeVar


@dataclass(frozen=True, slots=True)
class Quantity:
    """A unit, and the least and the largest value."""

    unit: str
    least: float = 0.0
    most: float = math.inf


Bytes = Annotated[float, Quantity("B")]
BytesPerElement = Annotated[float, Quantity("B", 1 / 8)]
BytesPerSecond = Annotated[float, Quantity("B/s", 1)]
Count = Annotated[int, Quantity("", 1)]
"""How many there are of something that there is."""
Number = Annotated[int, Quantity("")]
"""How many there are of something that may be absent."""
Dollars = Annotated[float, Quantity("$")]
Exponent = Annotated[int, Quantity("", -1000, 1000)]
"""A power of two."""
Factor = Annotated[float, Quantity("x")]
Flops = Annotated[float, Quantity("FLOP")]
FlopsPerByte = Annotated[float, Quantity("FLOP/B")]
FlopsPerSecond = Annotated[float, Quantity("FLOP/s", 1)]
Params = Annotated[float, Quantity("params", 1)]
PerSecond = Annotated[float, Quantity("1/s")]
Real = Annotated[float, Quantity("", -math.inf)]
Seconds = Annotated[float, Quantity("s")]
Share = Annotated[float, Quantity("fraction", 0, 1)]
Tokens = Annotated[float, Quantity("tokens", 1)]
TokensPerSecond = Annotated[float, Quantity("tokens/s")]
WholeBytes = Annotated[int, Quantity("B")]
WholeFlops = Annotated[int, Quantity("FLOP")]
WholeParams = Annotated[int, Quantity("params")]
WholeTokens = Annotated[int, Quantity("tokens")]
Units = Annotated[float, Quantity("units")]
"""Sizes of one activation, batch times width elements."""

MARKED: dict[str, Callable[..., float]] = {}
"""The public formulas that have been imported, by module and name."""

F = TypeVar("F", bound=Callable[..., float])


def formula(function: F) -> F:
    """Make a function a public formula: the catalogue lists it and `tutor estimate` computes it.

    Units stand in the signature. The docstring says what is returned, then a line a parameter, `name: meaning, such as
    EXAMPLE`, then `Source: ...`.
    """
    MARKED[f"{function.__module__.rpartition('.')[2]}.{function.__name__}"] = function
    return function
