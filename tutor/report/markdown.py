"""The report as Markdown. Texts from decks and names are escaped, so that they show as written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tutor.report import words

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")


def to_markdown(report: Mapping[str, Any]) -> str:
    """Return the report as one Markdown document."""
    reviews, retention = report["reviews"], report["retention"]
    parts = [
        "# Progress report" + (f" of {quoted(report['name'])}" if report["name"] else ""),
        f"Period: {words.period(report)}. Study days: {report['period']['days']}. Time: {report['time']['minutes']} min.",
        f"Answers: {reviews['answered']}, right {reviews['right']}. Cards begun: {reviews['new']}.",
        f"True retention: {words.rate(retention)}, target {retention['target']:.0%}.",
        "## Concepts",
        table(
            ["concept", "known", "unsure", "guessed", "missed", "n", "recall now"],
            [
                [
                    c["title"],
                    c["known"],
                    c["unsure"],
                    c["guessed"],
                    c["missed"],
                    c["n"],
                    "" if c["recall"] is None else f"{c['recall']:.0%}",
                ]
                for c in report["concepts"]
            ],
        ),
        "## How sure, how right",
        table(["said", "right"], [[row["sureness"], words.rate(row)] for row in report["calibration"]]),
        "## Sealed questions, at first sight",
        words.sealed(report["sealed"]) + ".",
        "## Due in the next 14 days",
        table(["day", "cards"], [[row["day"], row["due"]] for row in report["forecast"]]),
        "## Myths picked",
        table(
            ["belief", "times", "last", "still held"],
            [[row["text"], row["picked"], row["last"], words.held_myth(row)] for row in report["myths"]],
        ),
        "## Set aside after repeated misses",
        table(
            ["item", "since", "suggested instead"],
            [[row["item"], row["at"], f"{row['remedy']} {row['target']}"] for row in report["aside"]],
        ),
        "## Bets against this machine",
        words.bets(report["bets"]["all"]) + "." if report["bets"]["all"]["n"] else "",
        table(["concept", "bets"], [[row["title"], words.bets(row)] for row in report["bets"]["concepts"]]),
        table(["week", "bets"], [[row["week"], words.bets(row)] for row in report["bets"]["weeks"]]),
        "## Experiments run on this machine",
        _runs(report["runs"]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _runs(runs: Sequence[Mapping[str, Any]]) -> str:
    head = ["day", "experiment", "bet", "theory", "measured", "seen", "claims held"]
    rows = []
    for run in runs:
        bet, measured = (words.value(run[name], run["unit"]) for name in ("bet", "measured"))
        theory, seen = words.theory(run["theory"]), words.value(run["observation"])
        rows.append([run["at"], run["experiment"], bet, theory, measured, seen, held(run)])
    return table(head, rows)


def held(run: Mapping[str, Any]) -> str:
    """Return how many of a run's claims held, or how it ended."""
    if run["ending"] not in ("passed", "failed"):
        return str(run["ending"])
    return f"{sum(claim['passed'] for claim in run['claims'])} of {len(run['claims'])}"


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a Markdown table, or one line where there is nothing to show."""
    if not rows:
        return "Nothing yet."
    lines = [" | ".join(head), " | ".join("---" for _ in head)]
    lines += [" | ".join(quoted(str(cell)) for cell in row) for row in rows]
    return "\n".join(f"| {line} |" for line in lines)


def quoted(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", text.replace("\n", " "))
