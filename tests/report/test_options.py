"""Rule W6: wrong options that are hardly ever picked are named once there are answers enough to say so."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.report.test_myths import DROPOUT, answer
from tests.support import FakeClock
from tutor.report.html import to_html
from tutor.report.markdown import to_markdown
from tutor.report.options import LEAST, option_report
from tutor.report.tables import to_csv
from tutor.study.desk import Desk
from tutor.study.reporting import report_of


def answers(desk: Desk, clock: FakeClock, *keys: str) -> None:
    """Answer the item once a day."""
    for key in keys:
        answer(desk, key)
        clock.pass_days(1)


def wrong(desk: Desk) -> list[str]:
    """Return the keys of the item's wrong options."""
    item = desk.library.items[DROPOUT]
    return [option.key for option in item.options if option.key not in item.answer]


def test_too_few_answers_say_nothing(desk: Desk, clock: FakeClock) -> None:
    """One below the least number."""
    answers(desk, clock, *["mask"] * (LEAST - 1))
    assert report_of(desk)["options"] == []


@pytest.mark.parametrize("picked", [0, 1, 2, 3])
def test_fewer_than_two_options_that_work_are_named(desk: Desk, clock: FakeClock, picked: int) -> None:
    """Each option picked once in twenty answers works; with two the question is sound."""
    keys = wrong(desk)[:picked]
    answers(desk, clock, *keys, *["mask"] * (LEAST - picked))
    rows = report_of(desk)["options"]
    assert [(row["item"], row["n"], row["plausible"]) for row in rows] == (
        [(DROPOUT, LEAST, picked)] if picked < 2 else []
    )
    if rows:
        assert rows[0]["picked"] == {key: (1 / LEAST if key in keys else 0) for key in wrong(desk)}


def test_the_report_says_so_in_each_format(desk: Desk, clock: FakeClock) -> None:
    """As a table where there is something to say, and not at all before."""
    head = "Wrong options that are hardly ever picked"
    assert head not in to_markdown(report_of(desk)) + to_html(report_of(desk))
    answers(desk, clock, *["mask"] * LEAST)
    report = report_of(desk)
    assert f"| {DROPOUT} | {LEAST} | 0 of 3 |" in to_markdown(report).split(head)[1]
    assert f"<td>{DROPOUT}</td><td>{LEAST}</td><td>0 of 3</td>" in to_html(report).split(head)[1]
    assert f"options,{DROPOUT},0,{LEAST}," in to_csv(report)
    assert json.loads(json.dumps(report))["options"][0]["item"] == DROPOUT


def test_items_that_left_or_have_no_options_are_passed_over(desk: Desk, clock: FakeClock) -> None:
    """Only scheduled choices of the present decks are judged."""
    answers(desk, clock, *["mask"] * LEAST)
    item = desk.library.items[DROPOUT]
    others = replace(item, kind="multi"), replace(item, scheduled=False)
    for items in ({}, *({DROPOUT: other} for other in others)):
        assert option_report(desk.store, replace(desk.library, items=items), [DROPOUT]) == []
