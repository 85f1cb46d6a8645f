"""What a fit of the learner's own log came to, in plain values: computed here, said as JSON between processes, and told in words.

numpy is loaded by the fit alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from tutor.learning.parameters import Parameters
from tutor.store import Store

if TYPE_CHECKING:
    from tutor.learning.fit import Fit, Stop, Watch


@dataclass(frozen=True)
class Verdict:
    """What a fit came to, in plain values. Log losses are in nats; an interval is (value, low, high) with 95 %."""

    better: bool
    """Whether the new set predicts the last fifth of the log better than the one in use."""
    reason: str
    """better | not better | no repeats | too few | one outcome | too few held out | cancelled"""
    why: str
    """The reason in a sentence, with its numbers."""
    reviews: int
    scored: int
    """Reviews that are evidence of memory: neither a card's first nor on the same day as the one before."""
    held_out: int
    before: float | None
    after: float | None
    difference: tuple[float, float, float] | None
    changes: tuple[tuple[int, float, float], ...]
    """(index of the weight, before, after)."""
    present: str
    """Id of the set in use."""
    id: str
    """Id of the set to use from now on: the same where the fit is not better."""
    weights: tuple[float, ...]
    threshold: float
    """Days below which an answer counts as same-day."""
    step_version: int
    through: Mapping[str, int]
    """Last event per device that the fit has seen."""


def fit_log(store: Store, watch: Watch | None = None, cancelled: Stop | None = None) -> Verdict:
    """Fit the store's answers and return the verdict; writes nothing. `watch` and `cancelled` as in `learning.fit.fit`."""
    from tutor.learning.fit import fit
    from tutor.study.review_log import review_log

    through, present = store.through(), store.parameters()
    log = review_log(store.answers(), store.of_kind("revised"))
    return _verdict(fit(log, present, watch, cancelled), present, through)


def words(verdict: Verdict) -> list[str]:
    """Return the verdict as lines for the learner: n, log loss before and after with its interval, what changed."""
    lines = [f"{verdict.reviews:,} reviews, {verdict.scored:,} of them evidence of memory", verdict.why]
    if verdict.better:
        lines.append(f"{verdict.present} -> {verdict.id}, {len(verdict.changes)} of 21 weights changed:")
        lines += [f"  w{index:<2} {before:>9.4f} -> {after:>9.4f}" for index, before, after in verdict.changes]
    return lines


def document(verdict: Verdict) -> dict[str, Any]:
    """Return the verdict as one JSON value."""
    return asdict(verdict)


def from_document(data: Mapping[str, Any]) -> Verdict:
    """Return the verdict that `document` has written."""
    pairs = {name: data[name] for name in Verdict.__dataclass_fields__}
    pairs["changes"] = tuple((int(j), before, after) for j, before, after in data["changes"])
    pairs["weights"] = tuple(data["weights"])
    pairs["difference"] = tuple(data["difference"]) if data["difference"] else None
    return Verdict(**pairs)


def _verdict(fit: Fit, present: Parameters, through: Mapping[str, int]) -> Verdict:
    interval = fit.difference
    return Verdict(
        better=fit.adopted,
        reason=fit.reason,
        why=fit.why,
        reviews=fit.reviews,
        scored=fit.scored,
        held_out=fit.held_out,
        before=fit.before,
        after=fit.after,
        difference=(interval.value, interval.low, interval.high) if interval else None,
        changes=tuple((change.weight, change.before, change.after) for change in fit.changes),
        present=present.id,
        id=fit.parameters.id,
        weights=fit.parameters.weights,
        threshold=fit.parameters.threshold_days,
        step_version=fit.parameters.step_version,
        through=through,
    )
