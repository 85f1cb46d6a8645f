"""What more time a day is worth, from the learner's own home, on the command line and on Today."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from tests.learning.making import TODAY
from tests.screens import practise
from tests.support import FakeClock
from tutor.cli.main import main
from tutor.learning.studyday import add_days
from tutor.paths import Home
from tutor.study.desk import Desk
from tutor.study.outlook import BRACKETS, MINUTES, document, gather, in_a_line, lines, look_ahead

DATE = add_days(TODAY, 24)


def set_date(home: Home, date: str = DATE, more: str = "") -> None:
    """Write the interview date into the settings."""
    home.folder.mkdir(parents=True, exist_ok=True)
    home.config.write_text(f'interview = "{date}"\n{more}')


@pytest.mark.parametrize("date", ["", TODAY, add_days(TODAY, -3)])
def test_without_a_date_ahead_there_is_nothing_to_forecast(home: Home, clock: FakeClock, date: str) -> None:
    """No date, the day itself and a day that is over."""
    set_date(home, date)
    with Desk(home, clock) as desk:
        assert gather(desk) is None


def test_the_forecasts_of_a_newcomer(home: Home, clock: FakeClock) -> None:
    """Shares of every scheduled item rise with the time; what the limit of new ones leaves out is said."""
    set_date(home, more="new_per_day = 3\n")
    with Desk(home, clock) as desk:
        gathered = gather(desk)
        found = document(gathered, MINUTES)
        count = sum(1 for _ in desk.library.scheduled())
        said = in_a_line(gathered, look_ahead(gathered, MINUTES))
    values = [budget["value"] for budget in found["budgets"]]
    assert (found["interview"], found["days"], found["items"]) == (DATE, 24, count)
    assert values == sorted(values) and 0 < values[0] < values[-1] <= 72 / count
    assert found["unmet"] == count - 72
    assert sum(part["n"] for part in found["budgets"][0]["concepts"]) == count
    assert f"15 min {values[0]:.0%} [" in said and f"At 3 new a day {count - 72} stay unmet." in said


def test_the_pace_runs_from_the_day_the_date_was_set(home: Home, clock: FakeClock) -> None:
    """Ten days later the same days of pace are left, less ten."""
    set_date(home)
    with Desk(home, clock) as desk:
        first = gather(desk).until
    clock.pass_days(10)
    with Desk(home, clock) as desk:
        assert gather(desk).until == first - 10
        assert desk.rules().interview_set == TODAY


def test_the_command_line(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """`tutor due --minutes` in lines and as JSON; without a date a sentence says how to set one."""
    monkeypatch.setenv("TUTOR_HOME", str(home.folder))
    monkeypatch.setenv("TUTOR_NOW", "2026-11-30T08:00:00Z")
    run = CliRunner().invoke
    assert run(main, ["review", "--plain"], input="q\n").exit_code == 0
    without = run(main, ["due", "--minutes", "30"])
    assert without.exit_code == 1 and 'interview = "' in without.output
    set_date(home)
    assert run(main, ["review", "--plain"], input="q\n").exit_code == 0
    said = run(main, ["due", "--minutes", "15", "--minutes", "30"])
    assert said.exit_code == 0 and " 30 min a day, " in said.output and DATE in said.output
    found = json.loads(run(main, ["due", "--minutes", "30", "--json"]).output)
    assert [budget["minutes"] for budget in found["outlook"]["budgets"]] == [30]
    stats = json.loads(run(main, ["stats", "--json"]).output)
    assert [budget["minutes"] for budget in stats["outlook"]["budgets"]] == list(MINUTES)
    assert stats["sealed"]["n"] == 0


def test_lines_name_the_interval(home: Home, clock: FakeClock) -> None:
    """Each budget has its interval and the number of answers it holds."""
    set_date(home)
    with Desk(home, clock) as desk:
        said = lines(gather(desk), [30])
    assert "30 min a day, 72 answers: " in said[1] and "[" in said[1]
    assert said[2] == "least ready at 30 min:" and BRACKETS in said
    shares = [int(line.split(": ")[1].split("%")[0]) for line in said[3:8]]
    assert shares == sorted(shares) and all("%] of " in line for line in said[3:8])


def test_the_answers_are_in_the_forecast(home: Home, clock: FakeClock) -> None:
    """A learner who has answered is not forecast as one of whom nothing is known, with the same cards at the same time."""
    set_date(home)
    with Desk(home, clock) as desk:
        practise(desk, clock, days=12)
        gathered = gather(desk)
        told = look_ahead(gathered, [30])[0].whole
        assert any(card is not None for card in gathered.cards.values())
        blank = Home(home.folder.parent / "blank")
        unknown = look_ahead(replace(gathered, home=blank), [30])[0].whole
    assert told != unknown
    assert 0 < told.low <= told.value <= told.high < 1
