"""One schedule across languages: what is answered in one is not new in another."""

from __future__ import annotations

from tests.report.test_myths import DROPOUT, answer
from tests.support import FakeClock
from tutor.paths import Home
from tutor.study.desk import Desk, Wishes


def test_a_card_has_no_language(home: Home, clock: FakeClock) -> None:
    """Answered in Vietnamese, read in Turkish and answered again in English: one card, and the log tells the languages."""
    with Desk(home, clock, Wishes(lang="vi")) as desk:
        answer(desk, "mask")
        stems = {desk.library.items[DROPOUT].stem}
        first = desk.store.cards()[DROPOUT]
    clock.pass_days(3)
    with Desk(home, clock, Wishes(lang="tr")) as desk:
        stems.add(desk.library.items[DROPOUT].stem)
        assert desk.store.cards()[DROPOUT] == first
    with Desk(home, clock, Wishes(lang="en")) as desk:
        answer(desk, "mask")
        stems.add(desk.library.items[DROPOUT].stem)
        (event, again) = (stored.payload for stored in desk.store.answers())
        assert (event["lang"], again["lang"]) == ("vi", "en")
        assert (event["item"], event["choice"], event["rev"]) == (again["item"], again["choice"], again["rev"])
        assert len(desk.store.cards()) == 1 and desk.store.cards()[DROPOUT].reps == first.reps + 1
    assert len(stems) == 3
