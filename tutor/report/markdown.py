"""The report as Markdown. Texts from decks and names are escaped, so that they show as written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tutor.i18n import _
from tutor.report import words

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")


def to_markdown(report: Mapping[str, Any]) -> str:
    """Return the report as one Markdown document, in the language spoken."""
    reviews, retention, bets = report["reviews"], report["retention"], report["bets"]
    target = _("target {target:.0%}").format(target=retention["target"])
    parts = [
        "# " + _title(report["name"]),
        _period(report),
        _("Answers: {answered}, right {right}. Cards begun: {new}.").format(**reviews),
        _("True retention: {rate}, {target}.").format(rate=words.rate(retention), target=target),
        *_section(_("Concepts"), _concepts(report["concepts"])),
        *_section(_("How sure, how right"), _sureness(report["calibration"])),
        *_section(_("Sealed questions, at first sight"), words.sealed(report["sealed"]) + "."),
        *_section(
            _("Due in the next 14 days"),
            table([_("day"), _("cards")], [[row["day"], row["due"]] for row in report["forecast"]]),
        ),
        *_section(_("Myths picked"), _myths(report["myths"])),
        *(
            _section(_("Wrong options that are hardly ever picked"), _options(report["options"]))
            if report["options"]
            else ()
        ),
        *_section(_("Set aside after repeated misses"), _aside(report["aside"])),
        *_section(
            _("Bets against this machine"),
            words.bets(bets["all"]) + "." if bets["all"]["n"] else "",
            table([_("concept"), _("bets")], [[row["title"], words.bets(row)] for row in bets["concepts"]]),
            table([_("week"), _("bets")], [[row["week"], words.bets(row)] for row in bets["weeks"]]),
        ),
        *_section(_("Experiments run on this machine"), _runs(report["runs"])),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(head: str, *parts: str) -> tuple[str, ...]:
    return (f"## {head}", *parts)


def _title(name: str) -> str:
    return _("Progress report of {name}").format(name=quoted(name)) if name else _("Progress report")


def _period(report: Mapping[str, Any]) -> str:
    said = _("Period: {period}. Study days: {days}. Time: {minutes} min.")
    days, minutes = report["period"]["days"], report["time"]["minutes"]
    return said.format(period=words.period(report), days=days, minutes=minutes)


def _concepts(concepts: Sequence[Mapping[str, Any]]) -> str:
    head = [_("concept"), _("known"), _("unsure"), _("guessed"), _("missed"), "n", _("recall now")]
    rows = [
        [c["title"], *(c[name] for name in ("known", "unsure", "guessed", "missed", "n")), _recall(c["recall"])]
        for c in concepts
    ]
    return table(head, rows)


def _recall(share: float | None) -> str:
    return "" if share is None else f"{share:.0%}"


def _sureness(rows: Sequence[Mapping[str, Any]]) -> str:
    return table([_("said"), _("right")], [[words.sureness(row["sureness"]), words.rate(row)] for row in rows])


def _myths(rows: Sequence[Mapping[str, Any]]) -> str:
    head = [_("belief"), _("times"), _("last"), _("still held")]
    return table(head, [[row["text"], row["picked"], row["last"], words.held_myth(row)] for row in rows])


def _options(rows: Sequence[Mapping[str, Any]]) -> str:
    head = [_("item"), _("answers"), _("wrong options that work")]
    return table(head, [[row["item"], row["n"], words.plausible(row)] for row in rows])


def _aside(rows: Sequence[Mapping[str, Any]]) -> str:
    head = [_("item"), _("since"), _("suggested instead")]
    return table(head, [[row["item"], row["at"], words.remedy(row)] for row in rows])


def _runs(runs: Sequence[Mapping[str, Any]]) -> str:
    head = [_("day"), _("experiment"), _("bet"), _("theory"), _("measured"), _("seen"), _("claims held")]
    rows = []
    for run in runs:
        bet, measured, seen = (words.of_run(run, name) for name in ("bet", "measured", "observation"))
        rows.append([run["at"], run["experiment"], bet, words.theory(run), measured, seen, words.claims_held(run)])
    return table(head, rows)


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a Markdown table, or one line where there is nothing to show."""
    if not rows:
        return _("Nothing yet.")
    lines = [" | ".join(head), " | ".join("---" for _ in head)]
    lines += [" | ".join(quoted(str(cell)) for cell in row) for row in rows]
    return "\n".join(f"| {line} |" for line in lines)


def quoted(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", text.replace("\n", " "))
