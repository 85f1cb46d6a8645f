"""Myths in the report: picked, still likely, gone."""

from __future__ import annotations

from tests.support import FakeClock
from tutor.cli.figures import _rows
from tutor.learning import moves
from tutor.report.html import to_html
from tutor.report.markdown import to_markdown
from tutor.report.model import build_report
from tutor.report.tables import to_csv
from tutor.study.desk import Desk, with_limits
from tutor.study.reporting import report_of
from tutor.study.sitting import Sitting
from tutor.study.today import today

DROPOUT, MYTH = "rng-7f3k", "determinism-check-sees-values"


def answer(desk: Desk, key: str, sureness: str | None = None, id: str = DROPOUT) -> None:
    """Answer the item in a sitting of its own."""
    sitting = Sitting(desk, with_limits(desk.rules(), limit=None, new=None, item=id, decks=frozenset()))
    if sureness:
        sitting.send(moves.Mark(desk.now(), sureness))
    sitting.send(moves.Answer(desk.now(), choice=(key,)))


def row(desk: Desk) -> dict[str, object]:
    """Return the one myth of the report."""
    (found,) = build_report(desk.store, desk.library, desk.catalogue, desk.day(), desk.now().utc_us)["myths"]
    return found


def test_a_myth_fades_and_goes(desk: Desk, clock: FakeClock) -> None:
    """Picked once, rejected surely the next day and nine days later: less likely each time, then gone, in both formats."""
    answer(desk, "shape")
    seen = [row(desk)]
    for days in (1, 9):
        clock.pass_days(days)
        answer(desk, "mask", "sure")
        seen.append(row(desk))
    assert [one["gone"] for one in seen] == [False, False, True]
    assert seen[0]["held"] > seen[1]["held"] > seen[2]["held"]
    report = build_report(desk.store, desk.library, desk.catalogue, desk.day(), desk.now().utc_us)
    assert "| gone |" in to_markdown(report)
    assert "<td>gone</td>" in to_html(report)
    clock.pass_days(1)
    answer(desk, "shape")
    assert not row(desk)["gone"]


def test_a_myth_that_is_gone_is_no_longer_called_picked(desk: Desk, clock: FakeClock) -> None:
    """Today, the figures in short and the rows of CSV drop it together, and name it again after the next pick."""

    def named() -> tuple[bool, bool, bool]:
        report = report_of(desk)
        text = str(report["myths"][0]["text"])
        return (
            text in dict(today(desk).myths),
            text in dict(map(reversed, _rows(report))),
            f"\nmyth,{text}," in to_csv(report),
        )

    answer(desk, "shape")
    assert named() == (True, True, True)
    for days in (1, 9):
        clock.pass_days(days)
        answer(desk, "mask", "sure")
    assert named() == (False, False, False)
    assert "\nmyth gone," in to_csv(report_of(desk))
    clock.pass_days(1)
    answer(desk, "shape")
    assert named() == (True, True, True)


def test_the_next_myth_takes_the_place_of_one_that_is_gone(desk: Desk, clock: FakeClock) -> None:
    """Of four myths three stand on Today; when the most picked one goes, the fourth comes up."""
    others = {}
    for item in desk.library.items.values():
        wrong = next((one for one in item.options if one.myth and item.kind == "choice"), None)
        if wrong is not None and wrong.myth not in (MYTH, *others) and MYTH not in item.myths and len(others) < 3:
            others[wrong.myth] = (item.id, wrong.key)
    for _ in range(2):
        answer(desk, "shape")
    for id, key in others.values():
        answer(desk, key, id=id)
    text = desk.library.myths[MYTH].text
    assert today(desk).myths[0] == (text, 2)
    assert len(today(desk).myths) == 3
    for days in (1, 9):
        clock.pass_days(days)
        answer(desk, "mask", "sure")
    assert {shown for shown, _ in today(desk).myths} == {desk.library.myths[id].text for id in others}
