"""Commands that tell how the learner stands. They read only, beside an open tutor too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from tutor.cli.context import NOT_IN_ORDER, USAGE, Common, common, fail, print_json
from tutor.i18n import _, ngettext
from tutor.study.outlook import MINUTES, document, gather, lines
from tutor.study.reporting import SUFFIXES, report_of, write_report
from tutor.study.today import today


@click.command()
@click.option(
    "--minutes",
    multiple=True,
    type=click.IntRange(1, 1440),
    help="Forecast the interview's day at so many minutes a day; may be repeated.",
)
@common
def due(shared: Common, minutes: tuple[int, ...]) -> None:
    """What is due, in counts."""
    with shared.desk(read_only=True) as desk:
        figures = today(desk)
        ahead = gather(desk) if minutes else None
    if minutes and ahead is None:
        said = _('No interview is ahead to forecast; write a line such as interview = "2027-01-15" in config.toml.')
        fail(said, NOT_IN_ORDER)
    if shared.json:
        print_json(
            {
                "day": figures.day,
                "due": figures.due,
                "new": figures.new,
                "minutes": round(figures.minutes, 1),
                "streak": figures.streak,
                "forecast": list(figures.forecast),
            }
            | ({"outlook": document(ahead, minutes)} if ahead else {})
        )
    else:
        minutes_needed = max(1, round(figures.minutes)) if figures.due + figures.new else 0
        said = _("{due} due, {new} new, about {minutes} min")
        click.echo(said.format(due=figures.due, new=figures.new, minutes=minutes_needed))
        for line in lines(ahead, minutes) if ahead else ():
            click.echo(line)


@click.command()
@click.option("--calibration", is_flag=True, help="How well the memory model predicts your answers.")
@common
def stats(shared: Common, calibration: bool) -> None:
    """Your statistics."""
    if calibration:
        _calibration(shared)
        return
    with shared.desk(read_only=True) as desk:
        report = report_of(desk)
        ahead = gather(desk)
    if shared.json:
        print_json(report | {"outlook": document(ahead, MINUTES) if ahead else None})
        return
    rows = list(_rows(report))
    width = max(len(name) for name, _figure in rows)
    for name, figure in rows:
        click.echo(f"{name:<{width}}  {figure}")
    for line in lines(ahead, MINUTES) if ahead else ():
        click.echo(line)


def _rows(report: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the report's figures in short, each with its name."""
    from tutor.report import words
    from tutor.report.myths import still_held

    reviews, time = report["reviews"], report["time"]
    yield _("period"), words.period(report)
    yield _("answers"), _("{answered}, right {right}, cards begun {new}").format(**reviews)
    each = time["seconds_per_answer"]
    spent = _("{minutes} min, {each} s an answer") if each else _("{minutes} min")
    yield _("time"), spent.format(minutes=time["minutes"], each=each)
    target = _("target {target:.0%}").format(target=report["retention"]["target"])
    yield _("retention"), f"{words.rate(report['retention'])}, {target}"
    for row in report["calibration"]:
        yield words.sureness(row["sureness"]), _("right {rate}").format(rate=words.rate(row))
    for row in still_held(report["myths"])[:5]:
        yield _("myth {picked}×").format(picked=row["picked"]), row["text"]
    count = len(report["runs"])
    yield _("experiments"), ngettext("{count} run", "{count} runs", count).format(count=count)
    yield _("sealed"), words.sealed(report["sealed"])


def _calibration(shared: Common) -> None:
    from tutor.study import calibration

    with shared.desk(read_only=True) as desk:
        found = calibration.calibration(desk.store)
    if shared.json:
        print_json(found)
    else:
        click.echo("\n".join(calibration.words(found)))


@click.command()
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write; the suffix names the format.",
)
@common
def report(shared: Common, output: Path) -> None:
    """Write a progress report (.html .md .csv .json)."""
    if output.suffix.lower() not in SUFFIXES:
        said = _("{output}: the suffix names the format; use one of {suffixes}.")
        fail(said.format(output=output, suffixes=", ".join(SUFFIXES)), USAGE)
    with shared.desk(read_only=True) as desk:
        write_report(desk, output)
    click.echo(str(output), err=True)
