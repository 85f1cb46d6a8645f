"""The report's figures in words, shared by the formats a person reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FEW = 5


def rate(row: Mapping[str, Any]) -> str:
    """Return a rate with its n, or that there are too few answers for one."""
    n = row["n"]
    if n < FEW:
        return f"too few answers (n = {n})"
    return f"{row['value']:.0%} (95 % interval {row['low']:.0%} to {row['high']:.0%}, n = {n})"


def value(thing: Any, unit: str = "") -> str:
    """Return a bet or a measured value in words."""
    if thing is None:
        return "none"
    if isinstance(thing, float):
        return f"{thing:.4g} {unit}".strip() if unit != "choice" else f"{thing:.4g}"
    return str(thing)


def theory(row: Mapping[str, Any] | None) -> str:
    """Return what theory says."""
    return f"{'' if row['op'] == '==' else row['op'] + ' '}{value(row['value'])}" if row else "none"


def held_myth(row: Mapping[str, Any]) -> str:
    """Return whether a myth is gone, or how likely it is still held."""
    if row["gone"]:
        return "gone"
    return f"{row['held']:.0%} likely" if row["held"] >= 0.01 else "less than 1% likely"


def sealed(row: Mapping[str, Any]) -> str:
    """Return how sealed items were answered at first sight, against what was forecast."""
    if not row["n"]:
        return f"none asked, {row['left']} left"
    score = f"Brier score {row['brier']:.3f}, 0.250 for always saying 50 %"
    return f"right at first sight {rate(row)}, forecast {row['forecast']:.0%}; {score}; {row['left']} left"


def period(report: Mapping[str, Any]) -> str:
    """Return the period reported on."""
    span = report["period"]
    return f"{span['from']} to {span['to']}" if span["from"] else "nothing answered yet"


def bets(row: Mapping[str, Any]) -> str:
    """Return how bets came out: right of n, and for numbers how many times off and which way."""
    said = f"{row['right']} of {row['n']} right"
    if not row["numbers"]:
        return said
    way = "too high" if row["bias"] > 1.05 else "too low" if row["bias"] < 0.95 else "to neither side"
    return f"{said}; numbers typically {row['off']:.2g} times off, mostly {way} (n = {row['numbers']})"
