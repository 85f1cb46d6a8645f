"""How well the memory model predicts the learner's own answers, as one document and in words.

Prequential and guess-aware (`learning.evaluate`), beside the library's defaults and a constant; numpy is loaded when it is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tutor.i18n import _, marked
from tutor.store import Store
from tutor.study.jobs import Job
from tutor.study.skipped import skipped_counts, skipped_words

if TYPE_CHECKING:
    from tutor.learning.evaluate import Score
    from tutor.learning.fit import Watch
    from tutor.learning.intervals import Interval

RULES = {
    "fitted": marked("fitted, each fold from what came before it"),
    "present": marked("the parameters in use"),
    "default": marked("the library's defaults"),
    "constant": marked("a constant: the share right so far"),
}


STOPPED = marked("The evaluation was stopped.")
ENDED = marked("The evaluation ended before it was done. `tutor stats --calibration` shows why.")


class CalibrationJob(Job[Mapping[str, Any]]):
    """`calibration` in a process of its own."""

    task, stopped, ended = "calibration", STOPPED, ENDED

    def read(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the document."""
        return message


def calibration(store: Store, watch: Watch | None = None) -> dict[str, Any]:
    """Return the evaluation on the store's answers as one JSON value; log losses in nats, intervals 95 % over cards.

    `why` is empty, or the sentence that says why there are no scores. `parameters` is the set in use and the fit it came from. `watch` as in
    `learning.fit.fit`.
    """
    from tutor.learning.evaluate import LEAST_EVALUATED, evaluate
    from tutor.study.review_log import review_log

    log = review_log(store.answers(), store.of_kind("revised"))
    found = evaluate(log, store.parameters(), watch)
    few = _("{scored} of {reviews:,} reviews can be predicted from what came before; an evaluation needs {needed}.")
    return {
        "reviews": len(log),
        "left_out": skipped_words(skipped_counts(log)),
        "scored": found.scored,
        "cards": found.cards,
        "right": found.right,
        "parameters": _in_use(store),
        "rules": {name: _score(score) for name, score in found.scores.items()},
        "why": "" if found.scores else few.format(scored=found.scored, reviews=len(log), needed=LEAST_EVALUATED),
    }


def words(found: Mapping[str, Any]) -> list[str]:
    """Return the document as lines of text."""
    if found["why"]:
        return [found["why"]]
    counted = _("{scored:,} reviews of {cards:,} cards, {right:.1%} right")
    lines = [counted.format(scored=found["scored"], cards=found["cards"], right=found["right"])]
    lines += [f"({found['left_out']})"] if found["left_out"] else []
    lines.append(f"{'':<44} {'log loss':<24} {'AUC':<6} {_('less the defaults')}")
    for name, title in RULES.items():
        score = found["rules"][name]
        loss, auc = score["log_loss"], score["auc"]["value"]
        area = "-" if auc is None else f"{auc:.3f}"
        beside = "" if name == "default" else _signed(score["difference"])
        spread = f"{loss['value']:.4f} [{loss['low']:.4f}, {loss['high']:.4f}]"
        lines.append(f"{_(title):<44} {spread:<24} {area:<6} {beside}".rstrip())
    lines.append(_("predicted by the parameters in use, and what came true:"))
    row = _("  {predicted:>6.1%} {right:>6.1%} [{low:.1%}, {high:.1%}] of {reviews:,}")
    lines += [row.format(**part) for part in found["rules"]["present"]["curve"]]
    fit = found["parameters"]
    if fit["n"]:
        said = _("{id} was fitted to {n:,} reviews; those it has seen flatter it.")
        lines.append(said.format(id=fit["id"], n=fit["n"]))
    return lines


def _in_use(store: Store) -> dict[str, Any]:
    """Return id, weights and origin of the set in use."""
    parameters = store.parameters()
    newest = next((one for one in reversed(store.of_kind("parameters")) if one.payload["id"] == parameters.id), None)
    origin = newest.payload if newest else {}
    return {
        "id": parameters.id,
        "weights": list(parameters.weights),
        "n": origin.get("n", 0),
        "loss": origin.get("loss"),
        "adopted": newest.study_day if newest else None,
    }


def _score(score: Score) -> dict[str, Any]:
    return {
        "log_loss": _interval(score.log_loss),
        "auc": _interval(score.auc),
        "difference": _interval(score.difference),
        "calibration_error": score.calibration_error,
        "curve": [
            {"predicted": b.predicted, "right": b.right, "low": b.low, "high": b.high, "reviews": b.reviews}
            for b in score.curve
        ],
    }


def _interval(interval: Interval) -> dict[str, float | None]:
    """Return an interval; None stands for what does not exist, such as an AUC where every answer was right."""
    pairs = {"value": interval.value, "low": interval.low, "high": interval.high}
    return {name: None if math.isnan(value) else value for name, value in pairs.items()}


def _signed(interval: Mapping[str, float]) -> str:
    return f"{interval['value']:+.4f} [{interval['low']:+.4f}, {interval['high']:+.4f}]"
