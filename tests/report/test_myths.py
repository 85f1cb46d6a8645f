"""Myths in the report: picked, still likely, gone."""

from __future__ import annotations

from tests.support import FakeClock
from tutor.learning import moves
from tutor.report.html import to_html
from tutor.report.markdown import to_markdown
from tutor.report.model import build_report
from tutor.study.desk import Desk, with_limits
from tutor.study.sitting import Sitting

DROPOUT = "rng-7f3k"


def answer(desk: Desk, key: str, sureness: str | None = None) -> None:
    """Answer the item in a sitting of its own."""
    sitting = Sitting(desk, with_limits(desk.rules(), limit=None, new=None, item=DROPOUT, decks=frozenset()))
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
