"""A sitting carries the session's effects to the store, and brings nothing else."""

from __future__ import annotations

from dataclasses import replace

from tests.support import FakeClock
from tutor.learning import moves
from tutor.learning.state import Asking
from tutor.paths import Home
from tutor.store import doctor
from tutor.study.desk import Desk, with_limits
from tutor.study.sitting import Sitting
from tutor.study.today import streak, today


def begin(desk: Desk, item: str = "rng-7f3k") -> Sitting:
    """Return a sitting at one item."""
    return Sitting(desk, with_limits(desk.rules(), limit=None, new=None, item=item, decks=frozenset()))


def answer(sitting: Sitting, key: str) -> None:
    """Answer the question at hand."""
    sitting.send(moves.Answer(sitting.desk.now(), choice=(key,)))


def test_an_answer_is_in_the_store_when_send_returns(desk: Desk) -> None:
    """What the verdict shows is what the store holds."""
    sitting = begin(desk)
    answer(sitting, "mask")
    stored = next(desk.store.answers())
    assert stored.payload["correct"] is True
    assert desk.store.cards()["rng-7f3k"] == sitting.card("rng-7f3k")
    assert stored.payload["options"] == list(sitting.session.phase.judged.question.order)


def test_a_follow_up_names_its_miss_by_place(desk: Desk) -> None:
    """The cause of a transfer is the (device, seq) of the miss."""
    sitting = begin(desk)
    answer(sitting, "shape")
    miss = desk.store.last_answer()
    sitting.send(moves.Skip(desk.now()))
    while sitting.session.phase.question.role != "transfer":
        sitting.send(moves.DontKnow(desk.now()))
        sitting.send(moves.Skip(desk.now()))
        if not isinstance(sitting.session.phase, Asking):
            sitting.send(moves.Continue(desk.now()))
    sitting.send(moves.DontKnow(desk.now()))
    follow = next(a for a in desk.store.answers() if a.payload["role"] == "transfer")
    assert tuple(follow.payload["cause"]) == miss.ref


def test_undo_after_the_program_was_closed(home: Home, clock: FakeClock) -> None:
    """A new program takes back the last answer of the one before and asks its item again."""
    with Desk(home, clock) as first:
        answer(begin(first), "mask")
    clock.pass_seconds(60)
    with Desk(home, clock) as second:
        sitting = begin(second, item="")
        sitting.send(moves.Undo(second.now()))
        assert sitting.session.phase.question.item.id == "rng-7f3k"
        assert second.store.cards() == {}
    assert all(finding.ok for finding in doctor(home, clock))


def test_undo_at_the_first_question_of_a_placement(desk: Desk) -> None:
    """The answer of the sitting before stays in the log and the placement stays where it is."""
    answer(begin(desk), "mask")
    placement = Sitting(desk, replace(desk.rules(), placement=True, lab="off"))
    asked = placement.session
    placement.send(moves.Undo(desk.now()))
    assert placement.session is asked
    assert desk.store.last_answer().payload["item"] == "rng-7f3k"


def test_what_the_model_uses_is_written_down_once(home: Home, clock: FakeClock) -> None:
    """Settings and parameters become events when they differ from the log, and only then."""
    home.folder.mkdir()
    home.config.write_text("retention = 0.85\n")
    for _ in range(2):
        with Desk(home, clock) as desk:
            assert desk.store.settings()["retention"] == 0.85
            kinds = [event.kind for event in desk.store.events()]
    assert kinds.count("parameters") == 1
    assert kinds.count("setting") == len(desk_settings(kinds))


def desk_settings(kinds: list[str]) -> list[str]:
    """Return the setting events."""
    return [kind for kind in kinds if kind == "setting"]


def test_today_counts_what_waits(desk: Desk, clock: FakeClock) -> None:
    """Due tomorrow after a miss, new within the limit, a streak of one."""
    answer(begin(desk), "shape")
    figures = today(desk)
    assert (figures.due, figures.new, figures.streak) == (0, 5, 1)
    assert figures.forecast[1] == 1
    assert figures.myths[0][1] == 1
    clock.pass_days(1)
    assert today(desk).due == 1


def test_a_streak_is_kept_until_the_day_after_is_over() -> None:
    """Yesterday counts while today has no answer yet; a gap ends it."""
    assert streak(["2026-11-28", "2026-11-29"], "2026-11-30") == 2
    assert streak(["2026-11-28", "2026-11-30"], "2026-11-30") == 1
    assert streak([], "2026-11-30") == 0


def test_an_item_set_aside_comes_back_when_it_is_asked_for(desk: Desk, clock: FakeClock) -> None:
    """Suspended, it is not due; asked for by name, it is taken up again, and both are in the log."""
    sitting = begin(desk)
    answer(sitting, "mask")
    sitting.send(moves.Suspend(desk.now()))
    clock.pass_days(30)
    assert desk.store.cards()["rng-7f3k"].suspended
    assert begin(desk, item="").session.phase.question.item.id != "rng-7f3k"
    assert begin(desk).session.phase.question.item.id == "rng-7f3k"
    assert not desk.store.cards()["rng-7f3k"].suspended
    assert [event.kind for event in desk.store.events()][-2:] == ["suspended", "resumed"]


def test_a_new_item_set_aside_is_not_introduced_again(desk: Desk) -> None:
    """Suspended before its first answer, an item without a card stays away until it is asked for."""
    first = begin(desk, item="")
    aside = first.session.phase.question.item.id
    first.send(moves.Suspend(desk.now()))
    again = begin(desk, item="")
    assert again.session.phase.question.item.id != aside
    assert aside not in again.session.new
    assert begin(desk, item=aside).session.phase.question.item.id == aside
    assert desk.store.set_aside() == frozenset()
