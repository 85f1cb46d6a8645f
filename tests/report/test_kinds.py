"""Steps, gaps and points in the log: projections agree and the report counts them as it counts any answer."""

from __future__ import annotations

from tests.support import FakeClock
from tutor.learning import moves
from tutor.store import doctor
from tutor.study.desk import Desk, with_limits
from tutor.study.reporting import report_of
from tutor.study.sitting import Sitting

ANSWERS = {
    "act-w4ke": {"choice": ("weights", "saved", "moments", "gradients")},
    "act-7hqd": {"raw": "eval"},
    "ckp-3hfj": {"choice": ("saves", "replay", "same")},
}


def test_all_three_are_counted_and_rebuilt(desk: Desk, clock: FakeClock) -> None:
    """Two misses with their myths and one right; what the log says is what the projections hold."""
    for id, fields in ANSWERS.items():
        sitting = Sitting(desk, with_limits(desk.rules(), limit=None, new=None, item=id, decks=frozenset()))
        clock.pass_seconds(20)
        sitting.send(moves.Answer(desk.now(), **fields))
    report = report_of(desk)

    assert report["reviews"] == {"answered": 3, "right": 1, "scheduled": 3, "new": 3, "cards": 3}
    assert {row["myth"] for row in report["myths"]} == {"state-from-the-start", "eval-frees-activations"}
    assert {row["concept"]: row["known"] for row in report["concepts"]} == {
        "mem.timeline": 0,
        "mem.no-grad": 0,
        "ckpt.tradeoff": 1,
    }
    assert all(finding.ok for finding in doctor(desk.home, clock))
