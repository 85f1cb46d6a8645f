"""A learner through rollovers, changes of the clocks, flights and broken clocks, with a real store.

Always: nothing answered is lost, no study day is lived twice, no card is due in the past because of the clock, and the doctor agrees.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.learning.making import at, seen_from
from tests.store.given import assert_sound
from tests.support import FakeClock
from tutor.clock import Instant
from tutor.learning import moves
from tutor.learning.cards import Card
from tutor.paths import Home
from tutor.store.events import Event
from tutor.study.desk import Desk, with_limits
from tutor.study.sitting import Sitting
from tutor.study.today import today
from tutor.study.wording import notice_words

DAY = 86_400


class Learner:
    """Answers one item after the other on a clock that the test sets."""

    def __init__(self, home: Home) -> None:
        self.home, self.clock = home, FakeClock()
        home.folder.mkdir(parents=True)
        home.config.write_text("confidence = false\nlab = 'off'\n")

    def at(self, local: str, zone: str) -> None:
        """Set the clock to a wall time."""
        self.set(at(local, zone))

    def after(self, seconds: int, zone: str | None = None) -> None:
        """Move on in real time, perhaps to another zone."""
        self.set(seen_from(self.clock.utc_us // 1_000_000 + seconds, zone or self.clock.zone))

    def set(self, now: Instant) -> None:
        """Set the clock."""
        self.clock.utc_us, self.clock.offset_min, self.clock.zone = now.utc_us, now.offset_min, now.zone
        self.clock.mono_ms += 60_000

    def answer(self, place: int = 0, right: bool = True) -> str:
        """Answer the choice item at a place of the library in a sitting of its own; return what was said first."""
        with Desk(self.home, self.clock) as desk:
            item = [item for item in desk.library.scheduled() if item.kind == "choice"][place]
            rules = with_limits(desk.rules(), limit=None, new=None, item=item.id, decks=frozenset())
            sitting = Sitting(desk, rules)
            said = " ".join(notice_words(notice, desk.library) for notice in sitting.session.notices)
            if right:
                sitting.send(moves.Answer(desk.now(), choice=item.answer))
            else:
                sitting.send(moves.DontKnow(desk.now()))
            return said

    def cards(self) -> list[Card]:
        """Return the cards, in the order of their first answers."""
        with Desk(self.home, self.clock, read_only=True) as desk:
            first = [answer.payload["item"] for answer in desk.store.answers()]
            return sorted(desk.store.cards().values(), key=lambda card: first.index(card.item))

    def days(self) -> list[str]:
        """Return the study days with answers."""
        with Desk(self.home, self.clock, read_only=True) as desk:
            return [row.day for row in desk.store.days()]

    def streak(self) -> int:
        """Return the streak Today shows."""
        with Desk(self.home, self.clock, read_only=True) as desk:
            return today(desk).streak

    def answered(self) -> list[Event]:
        """Return the answers as they were written."""
        with Desk(self.home, self.clock, read_only=True) as desk:
            return [event for event in desk.store.events() if event.kind == "answered"]


@pytest.fixture
def learner(home: Home) -> Iterator[Learner]:
    """A learner whose log must be whole at the end."""
    learner = Learner(home)
    yield learner
    events = learner.answered()
    with Desk(home, learner.clock, read_only=True) as desk:
        assert len(list(desk.store.answers())) == len(events), "an answer was lost"
        assert all(card.due > card.last_day for card in desk.store.cards().values()), (
            "due in the past because of the clock"
        )
    assert all(early.hlc < late.hlc for early, late in pairwise(events))
    assert_sound(home, learner.clock)


def test_at_0359_it_is_yesterday_and_at_0400_today(learner: Learner) -> None:
    """Two answers a minute apart over the rollover are of two days; the card answered before is due on the new one's morrow."""
    learner.at("2026-11-30T03:59", "Europe/Paris")
    learner.answer(0, right=False)
    learner.at("2026-11-30T04:00", "Europe/Paris")
    learner.answer(1, right=False)
    assert learner.days() == ["2026-11-29", "2026-11-30"]
    assert [card.due for card in learner.cards()] == ["2026-11-30", "2026-12-01"]
    assert learner.streak() == 2
    learner.answer(0)
    assert learner.cards()[0].reps == 2


def test_a_sitting_across_the_rollover_goes_on(learner: Learner) -> None:
    """One sitting, one item before four o'clock and one after: each has its own day, and both are kept."""
    learner.at("2026-11-30T03:58", "Europe/Paris")
    with Desk(learner.home, learner.clock) as desk:
        sitting = Sitting(desk, desk.rules())
        for _ in range(2):
            sitting.send(moves.DontKnow(desk.now()))
            sitting.send(moves.Continue(desk.now()))
            learner.after(180)
        days = [answer.study_day for answer in desk.store.answers()]
    assert days == ["2026-11-29", "2026-11-30"]


@pytest.mark.parametrize("night", ["2026-03-29", "2026-10-25"], ids=["spring", "autumn"])
def test_a_change_of_the_clocks_is_a_day_like_any_other(learner: Learner, night: str) -> None:
    """Answers on the evening before, at 03:30 and at 04:30 of the changed night: two days, memory by real time."""
    zone = "Europe/Paris"
    for local in (f"{night[:-2]}{int(night[-2:]) - 1}T21:00", f"{night}T03:30"):
        learner.at(local, zone)
        learner.answer(len(learner.answered()))
    learner.at(f"{night}T04:30", zone)
    learner.answer(2)
    assert len(learner.days()) == 2
    first, _, third = learner.cards()
    assert third.last_us - first.last_us == (6.5 if night.endswith("29") else 8.5) * 3_600_000_000
    assert learner.streak() == 2


def test_flying_west_lives_no_day_twice(learner: Learner) -> None:
    """Tokyo to Honolulu lands on the date before: the day stands still until Honolulu has caught up, new cards count once."""
    learner.at("2026-12-01T09:00", "Asia/Tokyo")
    learner.answer(0)
    learner.after(8 * 3600, "Pacific/Honolulu")
    assert learner.clock.now().local.date().isoformat() == "2026-11-30"
    assert learner.answer(1) == ""
    assert learner.days() == ["2026-12-01"]
    assert learner.streak() == 1
    learner.after(DAY)
    learner.answer(2)
    assert learner.days() == ["2026-12-01"]
    learner.after(DAY)
    learner.answer(3)
    assert learner.days() == ["2026-12-01", "2026-12-02"]


def test_flying_east_loses_no_card(learner: Learner) -> None:
    """Honolulu to Tokyo leaves a date out: what was due on it is due on landing."""
    learner.at("2026-11-29T20:00", "Pacific/Honolulu")
    learner.answer(0, right=False)
    assert learner.cards()[0].due == "2026-11-30"
    learner.after(9 * 3600, "Asia/Tokyo")
    learner.after(14 * 3600)
    with Desk(learner.home, learner.clock, read_only=True) as desk:
        assert (today(desk).day, today(desk).due) == ("2026-12-01", 1)


def test_apia_has_no_thirtieth(learner: Learner) -> None:
    """What falls due on the date that Samoa left out is due on the next morning."""
    learner.at("2011-12-29T12:00", "Pacific/Apia")
    learner.answer(0, right=False)
    assert learner.cards()[0].due == "2011-12-30"
    learner.after(DAY)
    assert learner.clock.now().local.date().isoformat() == "2011-12-31"
    with Desk(learner.home, learner.clock, read_only=True) as desk:
        assert (today(desk).day, today(desk).due) == ("2011-12-31", 1)


def test_the_leap_day_is_a_day(learner: Learner) -> None:
    """28 and 29 February and 1 March 2028 are three days in a row."""
    for day in ("2028-02-28", "2028-02-29", "2028-03-01"):
        learner.at(f"{day}T08:00", "UTC")
        learner.answer(0, right=False)
    assert learner.days() == ["2028-02-28", "2028-02-29", "2028-03-01"]
    assert learner.streak() == 3
    assert learner.cards()[0].reps == 3


def test_a_clock_three_days_back_stands_still(learner: Learner) -> None:
    """Marked and said; the day and the memory wait for the clock, and no card is due before it could be."""
    learner.at("2026-11-30T08:00", "UTC")
    learner.answer(0)
    learner.after(-3 * DAY)
    said = learner.answer(1)
    assert "clock has gone back" in said
    assert [event.clock_suspect for event in learner.answered()] == [0, 1]
    assert learner.days() == ["2026-11-30"]
    before, behind = learner.cards()
    assert behind.due == before.due > "2026-11-30"
    learner.after(4 * DAY)
    assert learner.answer(2) == ""
    assert learner.days() == ["2026-11-30", "2026-12-01"]


def test_a_clock_ten_years_ahead_is_forgotten_once_it_is_set_right(learner: Learner) -> None:
    """Marked and said; when the clock is back, what was answered ahead counts from then: memory, day and due day."""
    for day in range(3):
        learner.at(f"2026-11-{28 + day}T08:00", "UTC")
        learner.answer(0, right=day > 0)
    learner.after(3653 * DAY)
    said = learner.answer(0)
    assert "more than 400 days past your last answer" in said
    learner.answer(1)
    assert learner.days()[-1] == "2036-11-30"
    learner.at("2026-12-01T08:00", "UTC")
    assert "clock has gone back" in learner.answer(2)
    assert learner.days() == ["2026-11-28", "2026-11-29", "2026-11-30", "2026-12-01"]
    assert [event.study_day for event in learner.answered()][3:] == ["2036-11-30", "2036-11-30", "2026-12-01"]
    for card in learner.cards():
        assert card.last_us <= learner.clock.utc_us
        assert "2026-12-01" < card.due < "2027-12-01"
    learner.after(DAY)
    assert learner.streak() == 4


def test_a_learner_who_comes_back_after_two_years_is_believed(learner: Learner) -> None:
    """Nobody can tell a long absence from a wrong clock; said once, and time goes on from there."""
    learner.at("2026-11-30T08:00", "UTC")
    learner.answer(0)
    learner.after(800 * DAY)
    assert "more than 400 days" in learner.answer(0)
    learner.after(DAY)
    assert learner.answer(1) == ""
    assert learner.cards()[0].memory.stability > 2.4
    assert learner.days()[-2:] == ["2029-02-07", "2029-02-08"]
