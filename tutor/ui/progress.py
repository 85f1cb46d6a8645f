"""Draws the report's figures as text: bars, a calendar of signs, rates with their n. No figure is worked out here."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from textual.content import Content

from tutor.content.experiments import Bet, Catalogue
from tutor.i18n import _, ngettext
from tutor.learning.bets import bet_holds
from tutor.report import words
from tutor.study.showing import bet_verdict, bet_words
from tutor.study.values import day_words, month_words, short_day
from tutor.ui.theme import STRONG

Report = Mapping[str, Any]

SIGNS = "░▒▓█"
WEEKS = 8
"""Weeks of true retention shown; the report file has all."""
LEAST_WEEKS = 12
"""Weeks in the calendar of a learner who has just begun."""
BETS = 5
"""Latest bets shown."""


def progress_body(report: Report, catalogue: Catalogue, width: int) -> Content:
    """Return every section that has something to show, headings above, at most `width` cells wide."""
    if not report["reviews"]["answered"]:
        return Content(_("Nothing answered yet. What you answer shows here."))
    sections: Sequence[tuple[str, list[str]]] = (
        ("", overview(report)),
        (_("Days"), calendar(report["days"], report["period"]["written"], width)),
        (_("True retention by week"), retention(report["retention"], width)),
        (_("How sure, how right"), calibration(report["calibration"], width)),
        (_("Due in the next days"), forecast(report["forecast"], width)),
        (_("Ready now, weakest first"), readiness(report["concepts"], width)),
        (_("Myths you picked"), myths(report["myths"])),
        (_("Your bets against this machine"), bets(report, catalogue)),
        (_("Time"), time_spent(report)),
    )
    parts: list[Content | str | tuple[str, str]] = []
    for title, lines in sections:
        if lines:
            parts += ["\n\n"] if parts else []
            parts += [(title, STRONG), "\n"] if title else []
            parts.append(Content("\n".join(wrapped(lines, width))))
    # each section was freed of control codes as it was made, which takes longer than all else here
    return Content.assemble(*parts, strip_control_codes=False)


def wrapped(lines: Sequence[str], width: int) -> list[str]:
    """Return the lines, long ones broken between words and hung two cells in; drawn rows fit already and stay."""
    rows: list[str] = []
    for line in lines:
        rows += [line] if len(line) <= width else textwrap.wrap(line, width, subsequent_indent="  ")
    return rows


def bar(value: float, cells: int, mark: float | None = None) -> str:
    """Return a share between 0 and 1 as a bar; a line stands in it at `mark`."""
    full = round(value * cells)
    drawn = "█" * full + "░" * (cells - full)
    if mark is None:
        return drawn
    at = min(cells - 1, round(mark * cells))
    return f"{drawn[:at]}│{drawn[at + 1 :]}"


def rate(row: Report) -> str:
    """Return a rate with its n, or that there are too few answers for one."""
    return f"{row['value']:>4.0%} (n = {row['n']})" if row["n"] >= words.FEW else words.rate(row)


def overview(report: Report) -> list[str]:
    """The period, and what was answered in it."""
    reviews, days = report["reviews"], report["period"]["days"]
    return [
        f"{words.period(report)}, {ngettext('{count} study day', '{count} study days', days).format(count=days)}",
        _("answered {answered:,}, right {right:,}, cards begun {new:,}, kept {cards:,}").format(
            answered=reviews["answered"], right=reviews["right"], new=reviews["new"], cards=reviews["cards"]
        ),
    ]


def calendar(days: Sequence[Report], today: str, width: int) -> list[str]:
    """One sign a day, a column a week, the latest week last; the legend says what each sign counts."""
    answered = {row["day"]: row["answered"] for row in days}
    end, begun = date.fromisoformat(today), date.fromisoformat(days[0]["day"])
    weeks = min(53, (width - 4) // 2, max(LEAST_WEEKS, (end - begun).days // 7 + 2))
    monday = end - timedelta(days=end.weekday() + 7 * (weeks - 1))
    shown = [answered.get((monday + timedelta(days=n)).isoformat(), 0) for n in range(7 * weeks)]
    top = max(*shown, 1)
    rows = [_months(monday, weeks)]
    for weekday, name in enumerate(_("Mo Tu We Th Fr Sa Su").split()):
        cells = [
            " " if monday + timedelta(days=7 * week + weekday) > end else sign(shown[7 * week + weekday], top)
            for week in range(weeks)
        ]
        rows.append(f"{name} {' '.join(cells)}".rstrip())
    edges = sorted({max(1, top * (n + 1) // 4): SIGNS[n] for n in range(4)}.items())
    said = [_("· none"), *(_("{mark} to {edge}").format(mark=mark, edge=edge) for edge, mark in edges)]
    return [*rows, _("{signs} answers a day").format(signs="  ".join(said))]


def sign(count: int, top: int) -> str:
    """Return a day's sign: a dot for none, then four shades by quarters of the busiest day."""
    if count == 0:
        return "·"
    return next(SIGNS[n] for n in range(3, -1, -1) if n == 0 or count > top * n // 4)


def _months(monday: date, weeks: int) -> str:
    """The months' names over the weeks that hold their first day."""
    row = [" "] * (2 * weeks + 5)
    for week in range(weeks):
        first = next((d for n in range(7) if (d := monday + timedelta(days=7 * week + n)).day == 1), None)
        if first is not None:
            name = month_words(first.month)
            row[3 + 2 * week : 3 + len(name) + 2 * week] = name
    return "".join(row).rstrip()


def retention(found: Report, width: int) -> list[str]:
    """All weeks in words, then the latest ones as bars with a line at the target."""
    cells = 20 if width >= 60 else 8
    lines = [
        _("all: {rate}; target {target:.0%}, the line in the bars").format(
            rate=words.rate(found), target=found["target"]
        )
    ]
    for week in found["weeks"][-WEEKS:]:
        drawn = bar(week["value"], cells, found["target"]) if week["n"] >= words.FEW else " " * cells
        lines.append(f"{week['week'][2:]} {drawn} {rate(week)}")
    return lines


def calibration(rows: Sequence[Report], width: int) -> list[str]:
    """How often right, by how sure the answer was said to be."""
    cells = 20 if width >= 60 else 8
    said = {"sure": _("sure"), "think": _("think so"), "guess": _("a guess")}
    wide = max(8, *map(len, said.values()))
    right = [_("right {rate}").format(rate=rate(row).strip()) for row in rows]
    return [
        f"{said[row['sureness']]:<{wide}} {bar(row['value'], cells)} {told}"
        for row, told in zip(rows, right, strict=True)
    ]


def forecast(rows: Sequence[Report], width: int) -> list[str]:
    """A bar a day with its number: two weeks."""
    top = max(*(row["due"] for row in rows), 1)
    cells = min(30, width - 18)
    return [
        f"{day_words(row['day']):<10} {row['due']:>4} {'█' * math.ceil(row['due'] / top * cells)}".rstrip()
        for row in rows
    ]


def readiness(rows: Sequence[Report], width: int) -> list[str]:
    """Expected recall per concept, and how its items were last answered."""
    lines = []
    named = {"known": _("known"), "unsure": _("unsure"), "guessed": _("guessed"), "missed": _("missed")}
    for row in sorted(rows, key=lambda row: (row["recall"] is not None, row["recall"] or 0.0)):
        states = ", ".join(f"{row[state]} {word}" for state, word in named.items() if row[state])
        drawn = _("no card yet") if row["recall"] is None else f"{bar(row['recall'], 10)} {row['recall']:>4.0%}"
        cards = ngettext("{count} card", "{count} cards", row["cards"]).format(count=row["cards"])
        said = f"{drawn} (n = {cards})  {_('last: {states}').format(states=states)}"
        if width >= 70 and len(row["title"]) <= 22:
            lines.append(f"{row['title']:<22} {said}")
        else:
            lines += [row["title"], f"  {said}"]
    return lines


def myths(rows: Sequence[Report]) -> list[str]:
    """Each belief with how often it was picked, and whether it is gone."""
    return [
        f"{'✓' if row['gone'] else '·'} {row['text']} {row['picked']}×, {_('last {day}').format(day=short_day(row['last']))}, "
        + (_("gone") if row["gone"] else _("held with {held:.0%} probability").format(held=row["held"]))
        for row in rows
    ]


def bets(report: Report, catalogue: Catalogue) -> list[str]:
    """All bets in words, then the latest with what was measured."""
    laid = [run for run in report["runs"] if run["bet"] is not None and run["measured"] is not None]
    lines = [words.bets(report["bets"]["all"])] if report["bets"]["all"]["n"] else []
    for run in laid[: -BETS - 1 : -1]:
        bet = _bet(run, catalogue)
        verdict = bet_verdict(bet_holds(bet, run["bet"], run["measured"])) if bet else ""
        told = _("{day} {experiment}: you bet {bet}, measured {measured}").format(
            day=short_day(run["at"]),
            experiment=run["experiment"],
            bet=bet_words(bet, run["bet"]),
            measured=bet_words(bet, run["measured"]),
        )
        lines.append(f"{told}  {verdict}".rstrip())
    ran = len(report["runs"])
    return [*lines, ngettext("{count} run in all", "{count} runs in all", ran).format(count=ran)] if ran else []


def _bet(run: Report, catalogue: Catalogue) -> Bet | None:
    experiment = catalogue.get(run["experiment"])
    return next((b for b in experiment.bets.values() if b.metric == run["metric"]), None) if experiment else None


def time_spent(report: Report) -> list[str]:
    """Minutes altogether and over the last seven days, and seconds an answer."""
    since = (date.fromisoformat(report["period"]["written"]) - timedelta(days=6)).isoformat()
    week = sum(row["minutes"] for row in report["days"] if row["day"] >= since)
    each, n = report["time"]["seconds_per_answer"], report["reviews"]["answered"]
    return [
        _("{minutes:g} min in all, {week:g} min in the last seven days, {each:g} s an answer (n = {n:,})").format(
            minutes=report["time"]["minutes"], week=week, each=each, n=n
        )
    ]
