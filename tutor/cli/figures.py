"""Commands that tell how the learner stands. They read only, beside an open tutor too."""

from __future__ import annotations

from pathlib import Path

import click

from tutor.cli.context import NOT_IN_ORDER, USAGE, Common, common, fail, print_json
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
        fail(
            'No interview is ahead to forecast; write a line such as interview = "2027-01-15" in config.toml.',
            NOT_IN_ORDER,
        )
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
        click.echo(
            f"{figures.due} due, {figures.new} new, about {max(1, round(figures.minutes)) if figures.due + figures.new else 0} min"
        )
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
    from tutor.report import words

    reviews, time = report["reviews"], report["time"]
    click.echo(f"period       {words.period(report)}")
    click.echo(f"answers      {reviews['answered']}, right {reviews['right']}, cards begun {reviews['new']}")
    click.echo(
        f"time         {time['minutes']} min"
        + (f", {time['seconds_per_answer']} s an answer" if time["seconds_per_answer"] else "")
    )
    click.echo(f"retention    {words.rate(report['retention'])}, target {report['retention']['target']:.0%}")
    for row in report["calibration"]:
        click.echo(f"{row['sureness']:<12} right {words.rate(row)}")
    for row in report["myths"][:5]:
        click.echo(f"myth {row['picked']}×      {row['text']}")
    click.echo(f"experiments  {len(report['runs'])} run")
    click.echo(f"sealed       {words.sealed(report['sealed'])}")
    for line in lines(ahead, MINUTES) if ahead else ():
        click.echo(line)


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
        fail(f"{output}: the suffix names the format; use one of {', '.join(SUFFIXES)}.", USAGE)
    with shared.desk(read_only=True) as desk:
        write_report(desk, output)
    click.echo(str(output), err=True)
