"""A mock interview: sealed items, each answered once, that move no card and are met nowhere else."""

from __future__ import annotations

from dataclasses import replace

from tests.support import FakeClock, Table, choice, world
from tutor.learning import moves
from tutor.learning.effects import Record, Retract, RetractEarlier
from tutor.learning.session import begin
from tutor.learning.state import Asking, Finished, Shown
from tutor.learning.world import Rules, World

SEALED = [choice(f"s-{n}", concept, sealed=True, scheduled=False) for n, concept in enumerate("abc")]
TAUGHT = [choice(f"t-{concept}", concept) for concept in "abc"]


def mock(*ids: str, **changes: object) -> World:
    """Return a world in which those sealed items are asked."""
    rules = Rules(confidence=False, lab="off", mock=len(ids))
    return replace(world(*TAUGHT, *SEALED, rules=rules, mode="mock", quiz=ids), **changes)


def sit(key: str = "bad") -> Table:
    """Answer both items of a mock alike."""
    table = Table(begin(mock("s-0", "s-2", readiness={"a": 0.7}), FakeClock().now()))
    for _ in range(2):
        table.move(moves.Answer, choice=(key,))
        assert isinstance(table.session.phase, Shown)
        table.move(moves.Continue)
    return table


def test_each_is_asked_once_and_a_miss_brings_nothing() -> None:
    """No retry, no transfer, no card, no run: the list and then the end."""
    table = sit()
    records = [effect.answered for effect in table.of(Record)]
    assert [(one.item, one.role, one.mode, one.correct) for one in records] == [
        ("s-0", "sealed", "mock", False),
        ("s-2", "sealed", "mock", False),
    ]
    assert all(one.rating is None and one.due is None for one in records)
    assert table.session.changed == {}
    assert table.session.phase == Finished("done")


def test_the_forecast_goes_into_the_record() -> None:
    """What was to be expected is written before it can be known; a concept with nothing learnt is forecast as unknown."""
    assert [effect.answered.predicted for effect in sit("good").of(Record)] == [0.7, 0.0]


def test_no_answer_is_taken_back() -> None:
    """The answer was seen: a second would be no first sight, and none of an earlier sitting is touched."""
    table = Table(begin(mock("s-0", "s-2"), FakeClock().now()))
    table.move(moves.Undo)
    table.move(moves.Answer, choice=("bad",))
    shown = table.session
    assert table.move(moves.Undo) == shown
    assert table.of(Retract) == table.of(RetractEarlier) == []


def test_an_ordinary_sitting_never_asks_one() -> None:
    """Whatever is answered, sealed items stay unseen."""
    table = Table(
        begin(world(*TAUGHT, *SEALED, rules=Rules(confidence=False, lab="off", new_per_day=50)), FakeClock().now())
    )
    asked = set()
    for _ in range(40):
        if isinstance(table.session.phase, Asking):
            asked.add(table.session.phase.question.item.id)
            table.move(moves.Answer, choice=("bad",))
        else:
            table.move(moves.Continue)
    assert isinstance(table.session.phase, Finished)
    assert asked and not any(id.startswith("s-") for id in asked)
