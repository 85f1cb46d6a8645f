"""The report's figures in words, shared by the formats a person reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tutor.i18n import _, marked
from tutor.lab.endings import ending_words

FEW = 5


_SURENESS = {"sure": marked("sure"), "think": marked("think so"), "guess": marked("a guess")}
_REMEDIES = {
    "prerequisite": marked("what it builds on: {target}"),
    "experiment": marked("the experiment {target}"),
    "guide": marked("the guide of {target}"),
    "source": marked("its source: {target}"),
}


def sureness(word: str) -> str:
    """Return how sure a learner said to be."""
    return _(_SURENESS[word])


def remedy(row: Mapping[str, Any]) -> str:
    """Return what should help instead with an item set aside."""
    if not row["target"]:
        return _("put it in your own words")
    return _(_REMEDIES[row["remedy"]]).format(target=row["title"])


def plausible(row: Mapping[str, Any]) -> str:
    """Return how many of a choice's wrong options are picked now and then."""
    return _("{held} of {all}").format(held=row["plausible"], all=len(row["picked"]))


def claims_held(run: Mapping[str, Any]) -> str:
    """Return how many of a run's claims held, or how it ended."""
    if run["ending"] not in ("passed", "failed"):
        return ending_words(run["ending"])
    claims = run["claims"]
    return _("{held} of {all}").format(held=sum(claim["passed"] for claim in claims), all=len(claims))


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


def of_run(run: Mapping[str, Any], name: str) -> str:
    """Return a run's `bet`, `measured` or `observation` in words: a choice by its text, a number with its unit."""
    unit = "" if name == "observation" else run["unit"]
    return str(run["texts"].get(name) or value(run[name], unit))


def run(row: Mapping[str, Any]) -> str:
    """Return what was bet, what theory says and what was seen in a run, and when."""
    said = _("bet {bet}, theory {theory}, seen {seen}, {day}")
    bet, seen = of_run(row, "bet"), of_run(row, "observation")
    return said.format(bet=bet, theory=theory(row), seen=seen, day=row["at"])


def theory(run: Mapping[str, Any]) -> str:
    """Return what theory says of a run."""
    said = run["theory"]
    if not said:
        return _("none")
    return ("" if said["op"] == "==" else f"{said['op']} ") + str(run["texts"].get("theory") or value(said["value"]))


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
        "right at first sight {rate}, forecast {forecast:.0%}, so {low} to {high} of {n} in 95 % of cases{bias}; "
        "Brier score {brier:.3f}, 0.250 for always saying 50 %; {left} left"
    )
    bias = {"high": _(": too high for you"), "low": _(": too low for you"), "": ""}[forecast_bias(row)]
    return said.format(
        rate=rate(row), forecast=row["forecast"], low=row["expected_low"], high=row["expected_high"], n=row["n"], bias=bias,
        brier=row["brier"], left=row["left"],
    )  # fmt: skip


def forecast_bias(row: Mapping[str, Any]) -> str:
    """Return `high` where fewer sealed items were right than their forecast allows, `low` where more were, else nothing."""
    return "high" if row["right"] < row["expected_low"] else "low" if row["right"] > row["expected_high"] else ""


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
