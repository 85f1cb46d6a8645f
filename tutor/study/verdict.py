"""What a fit of the learner's own log came to, in plain values: computed here, said as JSON between processes, and told in words.

numpy is loaded by the fit alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from tutor.i18n import _, marked, ngettext
from tutor.learning.parameters import Parameters
from tutor.store import Store
from tutor.study.skipped import skipped_counts, skipped_words

if TYPE_CHECKING:
    from tutor.learning.fit import Fit, Stop, Watch


@dataclass(frozen=True)
class Verdict:
    """What a fit came to, in plain values. Log losses are in nats; an interval is (value, low, high) with 95 %."""

    better: bool
    """Whether the new set predicts the last fifth of the log better than the one in use."""
    reason: str
    """better | not better | no repeats | too few | one outcome | too few held out | cancelled"""
    needed: int
    """How many reviews there should have been, where there were too few; else 0."""
    skipped: Mapping[str, int]
    """Rows of the log left out or repaired, by cause (`reviewlog.Skipped`)."""
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
    return judged(fit(log, present, watch, cancelled), present, through, skipped_counts(log))


def words(verdict: Verdict) -> list[str]:
    """Return the verdict as lines for the learner: n, log loss before and after with its interval, what changed."""
    counted = ngettext(
        "{reviews:,} review, {scored:,} of them evidence of memory",
        "{reviews:,} reviews, {scored:,} of them evidence of memory",
        verdict.reviews,
    )
    lines = [counted.format(reviews=verdict.reviews, scored=verdict.scored), why(verdict)]
    if verdict.better:
        changed = _("{before} -> {after}, {count} of 21 weights changed:")
        lines.append(changed.format(before=verdict.present, after=verdict.id, count=len(verdict.changes)))
        lines += [f"  w{index:<2} {before:>9.4f} -> {after:>9.4f}" for index, before, after in verdict.changes]
    return lines


_WHY = {
    "better": marked("Better: {losses}."),
    "not better": marked("Not better: {losses}. Parameters kept."),
    "no repeats": marked("None of {reviews} repeats a card on a later day. Parameters kept."),
    "too few": marked("{scored:,} of {reviews} can be scored; a fit needs {needed}. Parameters kept."),
    "one outcome": marked(
        "All {scored:,} scored reviews of {reviews} came out alike; a fit needs both outcomes. Parameters kept."
    ),
    "too few held out": marked(
        "The last fifth of the time holds {held_out} reviews to check a fit on; {needed} are needed. Parameters kept."
    ),
    "cancelled": marked("The fit was stopped. Parameters kept."),
}


def why(verdict: Verdict) -> str:
    """Return the reason in a sentence, with its numbers."""
    reviews = ngettext("{count:,} review", "{count:,} reviews", verdict.reviews).format(count=verdict.reviews)
    left_out = skipped_words(verdict.skipped)
    return _(_WHY[verdict.reason]).format(
        losses=_losses(verdict),
        reviews=f"{reviews} ({left_out})" if left_out else reviews,
        scored=verdict.scored,
        needed=verdict.needed,
        held_out=verdict.held_out,
    )


def _losses(verdict: Verdict) -> str:
    if verdict.difference is None:
        return ""
    difference, low, high = verdict.difference
    said = _(
        "log loss {before:.4f} -> {after:.4f} ({difference:+.4f} [{low:+.4f}, {high:+.4f}]) on the {count:,} scored reviews of the last fifth"
    )
    return said.format(
        before=verdict.before, after=verdict.after, difference=difference, low=low, high=high, count=verdict.held_out
    )


def document(verdict: Verdict) -> dict[str, Any]:
    """Return the verdict as one JSON value, with its reason in a sentence."""
    return {**asdict(verdict), "why": why(verdict)}


def from_document(data: Mapping[str, Any]) -> Verdict:
    """Return the verdict that `document` has written."""
    pairs = {name: data[name] for name in Verdict.__dataclass_fields__}
    pairs["changes"] = tuple((int(j), before, after) for j, before, after in data["changes"])
    pairs["weights"] = tuple(data["weights"])
    pairs["difference"] = tuple(data["difference"]) if data["difference"] else None
    return Verdict(**pairs)


def judged(fit: Fit, present: Parameters, through: Mapping[str, int], skipped: Mapping[str, int]) -> Verdict:
    """Return what a fit came to in plain values: beside the set in use, the last event it has seen and the rows it left out."""
    from tutor.learning.fit import LEAST_HELD_OUT, LEAST_SCORED

    interval = fit.difference
    return Verdict(
        better=fit.adopted,
        reason=fit.reason,
        needed={"too few": LEAST_SCORED, "too few held out": LEAST_HELD_OUT}.get(fit.reason, 0),
        skipped=skipped,
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
