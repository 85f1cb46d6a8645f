"""The log that benches fill at once is one that the store could have written."""

from __future__ import annotations

from tests.bench.bulk import fill
from tests.store.given import DAY, answered, assert_sound
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import open_store


def test_what_is_filled_at_once_is_what_the_events_give(home: Home, clock: FakeClock) -> None:
    """The chain holds, every projection is the one that a rebuilding gives, every index is there, and answers go on from it."""
    with open_store(home, clock) as store:
        before = store._db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()
    fill(home, clock, cards=30, reviews=700)
    with open_store(home, clock) as store:
        assert store._db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall() == before
        assert (len(store.cards()), sum(day.answered for day in store.days())) == (30, 700)
        assert sum(day.new for day in store.days()) == 30
        ref = store.append("answered", answered("i-3"), clock.now(), DAY)
        store.undo(ref, clock.now(), DAY)
    assert_sound(home, clock)
