"""What is said beside a question, and the placement of a newcomer, in the usual and in the least window."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.store.given import answered
from tests.support import FakeClock
from tests.ui.conftest import Opener, screen_text
from tutor.learning import moves
from tutor.learning.leeches import LAPSES
from tutor.learning.state import Asking, Finished, Notice
from tutor.study.desk import Desk, with_limits
from tutor.study.sitting import Sitting
from tutor.study.wording import notice_words

DROPOUT = "rng-7f3k"
SIZES = pytest.mark.parametrize("size", [(80, 24), (40, 12)], ids=["80x24", "40x12"])


async def words_on(pilot) -> set[str]:
    """Return every word of the page, read from its top to its end by the arrow key."""
    pilot.app.screen.body.scroll_home(animate=False)
    await pilot.pause()
    words = set(screen_text(pilot.app).split())
    while pilot.app.screen.body.scroll_y < pilot.app.screen.body.max_scroll_y:
        await pilot.press("down")
        words |= set(screen_text(pilot.app).split())
    return words


async def assert_told(pilot, kind: str, *keys: str) -> None:
    """The notice can be read whole, and the keys still stand below it."""
    session = pilot.app.screen.sitting.session
    (notice,) = (notice for notice in session.notices if notice.kind == kind)
    assert set(notice_words(notice, session.world.library).split()) <= await words_on(pilot)
    assert all(key in " ".join(screen_text(pilot.app).split()) for key in keys)


def tired(desk: Desk, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tutor.learning.judge.tired", lambda paces: True)


def missed_often(desk: Desk, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = with_limits(desk.rules(), limit=None, new=None, item=DROPOUT, decks=frozenset())
    for _ in range(LAPSES):
        Sitting(desk, rules).send(moves.Answer(desk.now(), choice=("shape",)))
        clock.pass_days(1)


@SIZES
@pytest.mark.parametrize(("kind", "prepare"), [("leech", missed_often), ("stop", tired)], ids=["leech", "tired"])
async def test_what_an_answer_brings_stands_with_its_verdict(
    opened: Opener,
    desk: Desk,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
    size: tuple[int, int],
    kind: str,
    prepare: Callable[..., None],
) -> None:
    """An item set aside as a leech, and the offer to stop; the way on is still named."""
    prepare(desk, clock, monkeypatch)
    async with opened(size=size, item=DROPOUT) as pilot:
        order = pilot.app.screen.sitting.session.phase.question.order
        await pilot.press(str(order.index("shape") + 1))
        await assert_told(pilot, kind, "not now")


def long_away(desk: Desk, clock: FakeClock) -> None:
    for day in range(3):
        for item in list(desk.library.scheduled())[20 * day : 20 * day + 20]:
            due = f"2026-12-0{day + 3}"
            desk.store.append("answered", answered(item.id, rev=item.rev, due=due), clock.now(), desk.day())
        clock.pass_days(1)
    clock.pass_days(60)


def clock_back(desk: Desk, clock: FakeClock) -> None:
    desk.store.append("answered", answered(DROPOUT), clock.now(), desk.day())
    clock.pass_days(-3)


def clock_ahead(desk: Desk, clock: FakeClock) -> None:
    desk.store.append("answered", answered(DROPOUT), clock.now(), desk.day())
    clock.pass_days(800)


def changed_since(desk: Desk, clock: FakeClock) -> None:
    desk.store.append("answered", answered(DROPOUT, rev=0, due="2027-03-01", interval=90), clock.now(), desk.day())


@SIZES
@pytest.mark.parametrize(
    ("kind", "prepare"),
    [("backlog", long_away), ("clock-back", clock_back), ("clock-ahead", clock_ahead), ("revised", changed_since)],
    ids=["break", "clock-back", "clock-ahead", "revised"],
)
async def test_what_a_sitting_begins_with_stands_above_its_question(
    opened: Opener, desk: Desk, clock: FakeClock, size: tuple[int, int], kind: str, prepare: Callable[..., None]
) -> None:
    """After weeks away, with a clock that jumped, after an edit: said before the question."""
    prepare(desk, clock)
    async with opened(size=size) as pilot:
        await pilot.press("enter")
        await assert_told(pilot, kind, "I don't know")


@SIZES
async def test_a_question_stays_where_it_was_below_its_notice(
    opened: Opener, desk: Desk, clock: FakeClock, size: tuple[int, int]
) -> None:
    """The sentence above a question stays there when the question is answered."""
    clock_back(desk, clock)
    async with opened(size=size, item=DROPOUT) as pilot:
        before = [line.strip(" ▂▁▃▄▅▆▇█") for line in screen_text(pilot.app).splitlines()[1:7]]
        assert "gone back" in " ".join(before)
        await pilot.press(str(pilot.app.screen.sitting.session.phase.question.order.index("mask") + 1))
        assert [line.strip(" ▂▁▃▄▅▆▇█") for line in screen_text(pilot.app).splitlines()[1:7]] == before


@SIZES
async def test_a_newcomer_is_placed_by_one_key(opened: Opener, size: tuple[int, int]) -> None:
    """`a` on Today asks a dozen questions at most, offers no experiment between them, and says where to begin."""
    async with opened(size=size) as pilot:
        assert "New here? a asks" in screen_text(pilot.app)
        await pilot.press("a")
        session = pilot.app.screen.sitting.session
        assert session.world.rules.placement
        assert "1 of 12" in screen_text(pilot.app) and " new" not in screen_text(pilot.app).splitlines()[0]
        for _ in range(12):
            if isinstance(pilot.app.screen.sitting.session.phase, Asking):
                await pilot.press("f4", "space")
        phase = pilot.app.screen.sitting.session.phase
        assert isinstance(phase, Finished) and phase.reason == "placed"
        assert "Likely known:" in screen_text(pilot.app)
        await pilot.press("space")
        assert "New here?" not in screen_text(pilot.app)


def test_one_is_not_many(desk: Desk) -> None:
    """A notice that counts one thing speaks of one."""
    for kind, one, many in (("revised", f"{DROPOUT} was", "2 questions were"), ("backlog", "1 more is", "2 more are")):
        said = [notice_words(Notice(kind, DROPOUT, count=count), desk.library) for count in (1, 2)]
        assert said[0].startswith(one) and said[1].startswith(many)


async def test_a_placement_broken_off_is_offered_again(opened: Opener) -> None:
    """One answer, then esc: Today still offers it."""
    async with opened() as pilot:
        await pilot.press("a", "f4", "i", "escape", "escape")
        await pilot.pause()
        assert "New here? a asks" in screen_text(pilot.app)
