"""The report's figures in words, shared by the formats a person reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tutor.i18n import _

FEW = 5


def rate(row: Mapping[str, Any]) -> str:
    """Return a rate with its n, or that there are too few answers for one."""
    n = row["n"]
    if n < FEW:
        return _("too few answers (n = {n})").format(n=n)
    said = _("{value:.0%} (95 % interval {low:.0%} to {high:.0%}, n = {n})")
    return said.format(value=row["value"], low=row["low"], high=row["high"], n=n)


def value(thing: Any, unit: str = "") -> str:
    """Return a bet or a measured value in words."""
    if thing is None:
        return _("none")
    if isinstance(thing, float):
        return f"{thing:.4g} {unit}".strip() if unit != "choice" else f"{thing:.4g}"
    return str(thing)


def theory(row: Mapping[str, Any] | None) -> str:
    """Return what theory says."""
    return f"{'' if row['op'] == '==' else row['op'] + ' '}{value(row['value'])}" if row else _("none")


def held_myth(row: Mapping[str, Any]) -> str:
    """Return whether a myth is gone, or how likely it is still held."""
    if row["gone"]:
        return _("gone")
    return _("{held:.0%} likely").format(held=row["held"]) if row["held"] >= 0.01 else _("less than 1% likely")


def sealed(row: Mapping[str, Any]) -> str:
    """Return how sealed items were answered at first sight, against what was forecast."""
    if not row["n"]:
        return _("none asked, {left} left").format(left=row["left"])
    said = _(
        "right at first sight {rate}, forecast {forecast:.0%}; Brier score {brier:.3f}, 0.250 for always saying 50 %; {left} left"
    )
    return said.format(rate=rate(row), forecast=row["forecast"], brier=row["brier"], left=row["left"])


def period(report: Mapping[str, Any]) -> str:
    """Return the period reported on."""
    span = report["period"]
    if not span["from"]:
        return _("nothing answered yet")
    return _("{begun} to {end}").format(begun=span["from"], end=span["to"])


def bets(row: Mapping[str, Any]) -> str:
    """Return how bets came out: right of n, and for numbers how many times off and which way."""
    said = _("{right} of {n} right").format(right=row["right"], n=row["n"])
    if not row["numbers"]:
        return said
    way = _("too high") if row["bias"] > 1.05 else _("too low") if row["bias"] < 0.95 else _("to neither side")
    off = _("numbers typically {off:.2g} times off, mostly {way} (n = {n})")
    return f"{said}; {off.format(off=row['off'], way=way, n=row['numbers'])}"
