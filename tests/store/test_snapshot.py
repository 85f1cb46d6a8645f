"""A view of the file at one moment: later writing is not seen in it, however late it looks."""

from __future__ import annotations

import gc
import sqlite3
import threading

import pytest

from tests.store.given import DAY, answered, assert_sound, write
from tests.support import FakeClock, candidates
from tutor.learning.memory import retrievability
from tutor.learning.queue import due_items
from tutor.paths import Home
from tutor.store import StoreError, open_store
from tutor.store.snapshot import Snapshot


def standing_alone(home: Home, db: sqlite3.Connection) -> Snapshot:
    """Return a view beside a connection that is about to write."""
    view = Snapshot(home, db, "")
    view.stand_alone()
    return view


def test_what_is_written_later_is_not_seen(home: Home, clock: FakeClock) -> None:
    """Cards, due days, load and times are those of the moment, although they are read for the first time after an answer."""
    with open_store(home, clock) as store:
        write(store, clock, 12)
        view = store.snapshot()
        past, cards = view.history(DAY), view.lookup()
        store.append("answered", answered("item-3", correct=False, rating=1, due="2026-12-01"), clock.now(), DAY)
        store.append("answered", answered("later"), clock.now(), DAY)

        assert (cards["item-3"].lapses, store.cards()["item-3"].lapses) == (0, 1)
        assert "later" not in cards
        assert set(cards) == set(past.seen) == {f"item-{n}" for n in range(12)}
        assert past.load.get("2026-12-02") == 12
        assert sum(outcome.cards for outcome in past.outcomes) == 12
        assert store.snapshot().history(DAY).load.get("2026-12-02") == 12, "one moved away, one came"
    assert_sound(home, clock)


def test_views_hold_up_neither_the_writer_nor_the_end(home: Home, clock: FakeClock) -> None:
    """Two views lie open through answers; once the store is closed, nothing of the write-ahead log is left."""
    with open_store(home, clock) as store:
        views = [store.snapshot()]
        write(store, clock, 3)
        views.append(store.snapshot())
        write(store, clock, 3)
        assert [len(view.lookup()) for view in views] == [0, 3]
    assert [path.name for path in home.folder.iterdir() if path.name.endswith("-wal")] == []
    with pytest.raises(StoreError):
        views[0].cards()


def test_a_view_that_nobody_holds_is_closed(home: Home, clock: FakeClock) -> None:
    """A sitting need not say that it is over."""
    with open_store(home, clock) as store:
        view = store.snapshot()
        write(store, clock, 1)
        db = view._db
        assert db is not store._db
        del view
        gc.collect()
        with pytest.raises(sqlite3.ProgrammingError):
            db.execute("SELECT 1")


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_a_view_may_be_collected_in_any_thread(
    home: Home, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """A forecast is worked out beside the screen; the sitting before may be collected there, and nothing is said of it."""
    with open_store(home, clock) as store:
        write(store, clock, 1)
    db = sqlite3.connect(home.database, isolation_level=None)
    db.execute(f"PRAGMA journal_mode = {mode}")
    said: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", said.append)
    held = {"view": standing_alone(home, db)}
    held["itself"] = held  # type: ignore[assignment]
    view = held["view"]._db
    del held
    collecting = threading.Thread(target=gc.collect)
    collecting.start()
    collecting.join()
    assert said == []
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        view.execute("SELECT 1")
    db.close()


def test_without_a_write_ahead_log_the_view_is_a_copy(home: Home, clock: FakeClock) -> None:
    """Where the file system knows none, a reader would hold up the writer: the moment is kept in memory."""
    with open_store(home, clock) as store:
        write(store, clock, 2)
    db = sqlite3.connect(home.database, isolation_level=None)
    db.execute("PRAGMA journal_mode = DELETE")
    view = standing_alone(home, db)
    db.execute("BEGIN IMMEDIATE")
    db.execute("DELETE FROM card")
    db.execute("COMMIT")
    assert set(view.lookup()) == {"item-0", "item-1"}
    view.close()
    db.close()


def test_what_is_due_comes_likeliest_forgotten_first(home: Home, clock: FakeClock) -> None:
    """The file's order by time over stability is the order by recall; what is set aside or not yet due is not in it."""
    with open_store(home, clock) as store:
        for number, rating in enumerate((3, 4, 1, 2, 3, 3)):
            payload = answered(f"i-{number}", rating=rating, due="2026-12-02" if number < 5 else "2027-01-01")
            store.append("answered", payload, clock.now(), DAY)
            clock.pass_seconds(3 * 3600)
        store.append("suspended", {"item": "i-4", "note": ""}, clock.now(), DAY)
        clock.pass_days(4)
        now = clock.now().utc_us
        view, parameters, cards = store.snapshot(), store.parameters(), store.cards()
        due = view.likeliest_forgotten("2026-12-04", now, 9)
        assert {one.item: one for one in due} == {id: candidates(cards.values())[id] for id in view.due("2026-12-04")}
        assert [one.due for one in due] == ["2026-12-02"] * 4
        recalls = [retrievability((now - one.last_us) / 86_400_000_000, one.stability, parameters) for one in due]
        assert recalls == sorted(recalls)
        assert tuple(one.item for one in due) == due_items(candidates(cards.values()).values(), "2026-12-04", now)
        assert view.likeliest_forgotten("2026-12-04", now, 2) == due[:2]
        assert view.due("2026-12-01") == view.likeliest_forgotten("2026-12-01", now, 9) == []
        assert [one.item for one in view.candidates(["i-5", "gone", "i-4", "i-0"])] == ["i-5", "i-0"]
        assert len(view.candidates()) == 5


def test_damage_that_is_noticed_late_is_the_same_sentence(home: Home, clock: FakeClock) -> None:
    """A collection that reads at the first look says of a damaged file what the store would have said."""
    with open_store(home, clock) as store:
        view = store.snapshot()
        past = view.history(DAY)
        write(store, clock, 1)
        view.close()
        for look in (
            lambda: len(past.seen),
            lambda: past.load.get(DAY),
            lambda: list(past.outcomes),
            lambda: dict(past.myths),
        ):
            with pytest.raises(StoreError, match="is damaged"):
                look()
