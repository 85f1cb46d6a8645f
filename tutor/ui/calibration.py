"""Draws how often what was predicted came true: a line for each rule, and the reliability curve of the parameters in use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tutor.i18n import _, marked
from tutor.ui.progress import bar, wrapped

ROOMY = 60
"""Cells from which intervals are shown and bars are long."""
RULES = {
    "present": marked("in use"),
    "fitted": marked("refitted"),
    "default": marked("the defaults"),
    "constant": marked("a constant"),
}


def calibration_lines(found: Mapping[str, Any], width: int) -> list[str]:
    """Return the evaluation (`study.calibration`) in lines of at most `width` cells, the first its heading."""
    if found["why"]:
        return wrapped([_("Predicted, and what came true"), found["why"]], width)
    counted = _("{scored:,} reviews of {cards:,} cards, {right:.1%} right").format(
        scored=found["scored"], cards=found["cards"], right=found["right"]
    )
    fit = found["parameters"]
    flattered = _("The set in use was fitted to {n:,} reviews; those it has seen flatter it.").format(n=fit["n"])
    legend = _(
        "Bar: share right, with its number; line in it: what was predicted. Each line is as many reviews, by the parameters in use."
    )
    return wrapped(
        [
            _("Predicted, and what came true"),
            counted,
            *_rules(found["rules"], width),
            legend,
            *_curve(found["rules"]["present"]["curve"], width),
            *([flattered] if fit["n"] else []),
        ],
        width,
    )


def _rules(rules: Mapping[str, Any], width: int) -> list[str]:
    """Each rule's log loss, less that of the defaults, and how far its predictions lie from what came true."""
    roomy = width >= ROOMY
    heads = ["", _("log loss"), _("less the defaults"), _("off by")] if roomy else ["", _("loss"), "", _("off")]
    rows = [heads]
    for name, title in RULES.items():
        score = rules[name]
        difference = score["difference"]
        beside = f"{difference['value']:+.4f}"
        if roomy:
            beside += f" [{difference['low']:+.4f}, {difference['high']:+.4f}]"
        rows.append([
            _(title), f"{score['log_loss']['value']:.4f}", "" if name == "default" else beside,
            f"{score['calibration_error']:.1%}",
        ])  # fmt: skip
    wide = [max(len(row[place]) for row in rows) for place in range(4)]
    gap = "  " if roomy else " "
    return [gap.join(f"{cell:<{wide[place]}}" for place, cell in enumerate(row)).rstrip() for row in rows]


def _curve(curve: Sequence[Mapping[str, Any]], width: int) -> list[str]:
    """A bar for each part of the curve, most surely known last."""
    roomy = width >= ROOMY
    lines = []
    for part in curve:
        drawn = bar(part["right"], 24 if roomy else 8, part["predicted"])
        spread = f" [{part['low']:.0%}, {part['high']:.0%}]" if roomy else ""
        lines.append(f"{part['predicted']:>4.0%} {drawn} {part['right']:>4.0%}{spread} (n = {part['reviews']:,})")
    return lines
