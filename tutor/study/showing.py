"""The sentences both front ends share about runs: a run recalled, bet beside theory beside measurement, what held."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tutor.content.experiments import Bet, Experiment
from tutor.content.runs import Claim, RunResult
from tutor.frozen import dataclass
from tutor.i18n import _
from tutor.lab import glossary
from tutor.learning.records import PastRun
from tutor.learning.state import Offer
from tutor.study.values import quantity, short_day


def family_words(family: str) -> str:
    """Return the family of experiments that a folder's name stands for."""
    return glossary.said(family.replace("_", " "))


CLAIMS_RECALLED = 2
"""Claims that a recap names beside what was bet on."""


def recap(past: PastRun, experiment: Experiment | None) -> str:
    """Return one line about the learner's own earlier run: what was bet on, then what says most."""
    bet = experiment.bets.get(_bet_by_metric(experiment, past.metric)) if experiment else None
    held = [claim for claim in past.claims if claim.get("passed") and claim["name"] != past.metric]
    telling = sorted(held, key=lambda claim: claim["left"] in (0, None, "none"))  # what was there, before what was not
    claimed = [
        _named(claim["name"], claim["left"], measured_value(experiment, claim["name"], claim["left"]))
        for claim in telling[:CLAIMS_RECALLED]
    ]
    first = [] if past.measured is None else [_named(past.metric, past.measured, bet_words(bet, past.measured))]
    shown = "; ".join(first + claimed) or not_shown()
    told = _("On {day} your machine showed: {shown}.").format(day=short_day(past.day), shown=shown)
    if past.bet is None or bet is None:
        return told
    return f"{told} {_('You bet: {bet}.').format(bet=bet_words(bet, past.bet))}"


def _named(name: str, value: Any, told: str) -> str:
    """A number after its name, words before the name of what they answer."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{glossary.said(name)} {told}" if number else f"{told} ({glossary.said(name)})"


def bet_words(bet: Bet | None, value: Any) -> str:
    """Return a bet or a measured choice in words."""
    if value is None:
        return _("no bet")
    if bet is not None and bet.kind == "choice":
        return bet.choices.get(str(value), str(value))
    return quantity(value, bet.unit if bet else "")


def measured_words(experiment: Experiment, metric: str, value: Any) -> Any:
    """Return a measured choice by its text; any other value as it is."""
    for asked in (*experiment.bets.values(), experiment.observation):
        if asked is not None and asked.metric == metric and str(value) in asked.choices:
            return asked.choices[str(value)]
    return value


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the comparison. Empty strings where there was nothing to say."""

    name: str
    bet: str
    theory: str
    measured: str
    mark: str
    """`✓ held`, `✗ not shown on this machine`, or empty for a plain measure."""


def comparison(offer: Offer, bet: Any, result: RunResult) -> list[Row]:
    """Return bet, theory and measurement side by side: the metric bet on first, then every claim."""
    rows = []
    wagered = offer.bet
    if wagered is not None and result.measured(wagered.metric) is not None:
        theory = result.theory(wagered.metric)
        measured = result.measured(wagered.metric)
        right = _agrees(theory.op, measured, theory.value, wagered.tolerance) if theory else None
        said = f"{_op(theory.op)}{bet_words(wagered, theory.value)}" if theory else ""
        mark = "" if right is None else held(right)
        rows.append(
            Row(glossary.said(wagered.metric), bet_words(wagered, bet), said, bet_words(wagered, measured), mark)
        )
    rows += [
        _claim_row(claim, offer.experiment, result)
        for claim in result.claims
        if not (wagered and claim.name == wagered.metric)
    ]
    return rows


def bet_verdict(right: bool | None) -> str:
    """Return how the bet came out, in words."""
    if right is None:
        return ""
    return _("✓ your bet held") if right else _("✗ the machine says otherwise")


def seen_verdict(offer: Offer, seen: str | None, right: bool | None) -> str:
    """Return how the observation compares with what was measured."""
    if seen is None or right is None or offer.experiment.observation is None:
        return ""
    said = offer.experiment.observation.choices.get(seen, seen)
    if right:
        return _("you saw: {said} · ✓ so it was").format(said=said)
    return _("you saw: {said} · ✗ the measurement says otherwise; look again").format(said=said)


def _claim_row(claim: Claim, experiment: Experiment, result: RunResult) -> Row:
    measure = next((m for m in result.measures if m.name == claim.name), None)
    unit = measure.unit if measure else ""
    right, left = (measured_value(experiment, claim.name, side, unit) for side in (claim.right, claim.left))
    return Row(glossary.said(claim.name), "", f"{_op(claim.op)}{right}", left, held(claim.passed))


def measured_value(experiment: Experiment | None, name: str, value: Any, unit: str = "") -> str:
    """Return what was measured, or claimed of it: a choice by its text, a word as it is said, a number with its unit."""
    known = measured_words(experiment, name, value) if experiment else value
    return glossary.said(known) if isinstance(known, str) else quantity(known, unit)


def held(passed: bool) -> str:
    """Return how a claim or a bet came out, with its sign."""
    return _("✓ held") if passed else f"✗ {not_shown()}"


def not_shown() -> str:
    """Return that a run did not bear out what was claimed."""
    return _("not shown on this machine")


def _op(op: str) -> str:
    return {"==": "", "~": "≈ ", "!=": "≠ ", "<=": "≤ ", ">=": "≥ "}.get(op, f"{op} ")


def _agrees(op: str, measured: Any, value: Any, tolerance: float) -> bool:
    if isinstance(measured, str) or isinstance(value, str):
        return (str(measured) == str(value)) == (op != "!=")
    got, said = float(measured), float(value)
    near = abs(got - said) <= tolerance * abs(said)
    holds = {
        "==": near,
        "~": near,
        "!=": got != said,
        "<": got < said,
        "<=": got <= said,
        ">": got > said,
        ">=": got >= said,
    }
    return holds[op]


def _bet_by_metric(experiment: Experiment, metric: str) -> str:
    by_metric: Mapping[str, str] = {bet.metric: bet.id for bet in experiment.bets.values()}
    return by_metric.get(metric, "")
