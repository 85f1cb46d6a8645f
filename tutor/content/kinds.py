"""What an author writes for the kinds that need more than options: steps in their order, gaps, and the points of an explanation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tutor.content.gaps import fills, named_gaps
from tutor.content.model import Gap, Option
from tutor.content.shape import GAP, is_table, is_text, misshapen
from tutor.content.source import Place, Source, unknown_keys
from tutor.content.text import normal

STEPS = (3, 6)
"""How few and how many steps can be put in order from memory."""
POINTS = 4
"""Points of a full explanation."""
MOST_GAPS = 2


def check_order(
    source: Source, table: Mapping[str, Any], line: int, where: str, answer: Sequence[str], options: Sequence[Option]
) -> None:
    """Complain where the answer is not every step once, or a myth stands where there is no step before."""
    low, high = STEPS
    if not low <= len(options) <= high:
        source.complain(line, f"{where} has {len(options)} steps; give {low} to {high} as [item.option.KEY].", "E1")
    elif sorted(answer) != sorted(option.key for option in options):
        keys = ", ".join(option.key for option in options)
        source.complain(("answer", line), f"answer of {where} must name each step once: {keys}.", "E1")
    elif next(option for option in options if option.key == answer[0]).myth:
        at = (answer[0], line)
        source.complain(at, f"{answer[0]!r} of {where} comes first and can be put before nothing; drop its myth.", "E4")


def points(source: Source, table: Mapping[str, Any], line: int, where: str, kind: str) -> tuple[Option, ...]:
    """Return the points of a full explanation as options, complaining where they are not four different texts."""
    value, at = table.get("rubric", {}), ("rubric", line)
    if kind != "explain":
        if "rubric" in table:
            source.complain(at, f"{where} is no explain item; drop its rubric.", "E1")
        return ()
    for key in ("option", "answer"):
        if key in table:
            source.complain((key, line), f"{where} is an explain item: its rubric says all; drop {key!r}.")
    if (
        not is_table(value)
        or len(value) != POINTS
        or not all(is_text(text) and text.strip() for text in value.values())
    ):
        source.complain(at, f"{where} needs an [item.rubric] of {POINTS} points, each KEY = 'text'.", "E1")
        return ()
    found = tuple(Option(key, normal(text)) for key, text in value.items())
    if len({point.text.casefold() for point in found}) < POINTS:
        source.complain(at, f"two points of {where} read the same; make them differ.", "E6")
    return found


def gaps(source: Source, table: Mapping[str, Any], line: int, where: str, kind: str, stem: str) -> tuple[Gap, ...]:
    """Return the gaps of a cloze item in the order of its stem, complaining about each that cannot be filled."""
    value, at = table.get("gap", {}), ("gap", line)
    if kind != "cloze":
        if "gap" in table:
            source.complain(at, f"{where} is no cloze item; drop its gaps.", "E1")
        return ()
    for key in ("option", "answer"):
        if key in table:
            source.complain((key, line), f"{where} is a cloze item: its gaps say all; drop {key!r}.")
    if not is_table(value) or not all(is_table(one) for one in value.values()):
        source.complain(at, f"gaps of {where} are written as [item.gap.KEY] tables.", "E1")
        return ()
    found = [_gap(source, key, value[key], (key, line), where) for key in value]
    if not 1 <= len(value) <= MOST_GAPS:
        source.complain(line, f"{where} has {len(value)} gaps; give one or {MOST_GAPS} as [item.gap.KEY].", "E1")
    named = named_gaps(stem, value)
    if sorted(named) != sorted(value):
        wanted = ", ".join(f"{{{key}}}" for key in value) or "none"
        source.complain(("stem", line), f"the stem of {where} must name each gap once: {wanted}.", "E1")
        return ()
    return tuple(sorted((gap for gap in found if gap), key=lambda gap: named.index(gap.key)))


def _gap(source: Source, key: str, table: Mapping[str, Any], place: Place, where: str) -> Gap | None:
    what = f"gap {key!r} of {where}"
    unknown_keys(source, table, GAP, place, what)
    if misshapen(source, table, GAP, place, what):
        return None
    accept = tuple(normal(text) for text in table.get("accept", ()))
    if not accept or not all(accept):
        source.complain(place, f'{what} accepts nothing; write accept = ["..."].', "E1")
        return None
    slips = {normal(text): myth for text, myth in table.get("slips", {}).items()}
    gap = Gap(key, accept, slips, table.get("ignore_case", False))
    for slip in slips:
        if fills(gap, slip):
            source.complain(("slips", place), f"{what} accepts {slip!r} and calls it a slip; drop one.", "E5")
    return gap
