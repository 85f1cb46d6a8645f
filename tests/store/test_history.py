"""What a sitting is told of the past."""

from __future__ import annotations

import pytest

from tests.store.given import DAY, answered, offered, practised, ran, write
from tests.support import FakeClock
from tutor.learning.records import History, MythHistory, PastRun
from tutor.paths import Home
from tutor.store import open_store


def test_a_newcomer_has_no_history(home: Home, clock: FakeClock) -> None:
    """An empty log is an empty history, for a writer and for a reader before there is any file."""
    with open_store(home, clock, read_only=True) as reader:
        assert reader.history(DAY) == History()
    assert not home.folder.exists()
    with open_store(home, clock) as store:
        assert store.history(DAY) == History()
        assert store.cards() == {}
        assert store.last_answer() is None


def test_todays_counts_are_of_today_alone(home: Home, clock: FakeClock) -> None:
    """New and scheduled answers are counted per study day; practice counts as neither."""
    with open_store(home, clock) as store:
        write(store, clock, 3)
        store.append("answered", practised("item-0"), clock.now(), DAY)
        clock.pass_days(1)
        store.append("answered", answered("item-0"), clock.now(), "2026-12-01")
        store.append("answered", answered("fresh"), clock.now(), "2026-12-01")
        today, next_day, empty = (store.history(day) for day in (DAY, "2026-12-01", "2026-12-02"))
    assert (today.new_today, today.answered_today) == (3, 3)
    assert (next_day.new_today, next_day.answered_today) == (1, 2)
    assert (empty.new_today, empty.answered_today) == (0, 0)


def test_the_load_is_the_cards_due_each_day(home: Home, clock: FakeClock) -> None:
    """Each card counts once, on the day its last answer gave."""
    with open_store(home, clock) as store:
        for item, due in [("a", "2026-12-02"), ("b", "2026-12-02"), ("c", "2026-12-05"), ("a", "2026-12-05")]:
            store.append("answered", answered(item, due=due), clock.now(), DAY)
        assert store.history(DAY).load == {"2026-12-02": 1, "2026-12-05": 2}


def test_generated_transfers_are_counted_by_their_origin(home: Home, clock: FakeClock) -> None:
    """Each generated item counts once for the item it was made from."""
    with open_store(home, clock) as store:
        for item in ("x~1", "x~2", "x~2", "y~1", "y"):
            store.append("answered", answered(item), clock.now(), DAY)
        assert store.history(DAY).generated == {"x": 2, "y": 1}


@pytest.mark.parametrize(("count", "median"), [(9, None), (10, 1_500.0), (150, 1_500.0)])
def test_a_median_needs_ten_right_answers(home: Home, clock: FakeClock, count: int, median: float | None) -> None:
    """The learner's own median is of right, scheduled answers of one kind: the last hundred, and at least ten."""
    with open_store(home, clock) as store:
        slow = [("answered", answered(f"old-{n}", ms=60_000)) for n in range(100 if count == 150 else 0)]
        times = [("answered", answered(f"item-{n}", ms=1_000 if n % 2 else 2_000)) for n in range(count)]
        wrong = [("answered", answered("wrong", ms=9, correct=False, rating=1)), ("answered", practised("wrong", ms=9))]
        store.append_many([*slow, *times, *wrong], clock.now(), DAY)
        assert store.history(DAY).median_ms.get("choice") == median
        assert "numeric" not in store.history(DAY).median_ms


def test_the_ladder_of_a_myth_is_remembered(home: Home, clock: FakeClock) -> None:
    """Times picked, the latest completed run, recaps and flipped bets won, each by myth."""
    with open_store(home, clock) as store:
        for _ in range(2):
            store.append("answered", answered(correct=False, rating=1, choice=("bad",), myth="m"), clock.now(), DAY)
        store.append("ran", ran(measured=1), clock.now(), "2026-11-29")
        store.append("ran", ran(measured=24), clock.now(), DAY)
        store.append("ran", ran(measured=None, ending="crashed"), clock.now(), DAY)
        for offer in (
            offered("recalled"),
            offered("flipped", right=True),
            offered("flipped", right=False),
            offered("skipped"),
        ):
            store.append("offered", offer, clock.now(), DAY)
        past = PastRun(DAY, "proof", {"layers": 12}, "calls", "yes", 24, tuple(store.runs()[1].payload["claims"]))
        assert store.history(DAY).myths == {"m": MythHistory(picked=2, run=past, recalled=1, flips_right=1)}


def test_a_miss_without_a_myth_climbs_the_ladder_of_its_experiment(home: Home, clock: FakeClock) -> None:
    """Its run is found again under the experiment's name; a run of curiosity counts for nothing."""
    with open_store(home, clock) as store:
        store.append("ran", ran(myth=None, miss=None, experiment="curious"), clock.now(), DAY)
        store.append("ran", ran(myth=None), clock.now(), DAY)
        store.append("offered", offered("recalled", myth=None), clock.now(), DAY)
        myths = dict(store.history(DAY).myths)
    assert set(myths) == {"experiment:proof"}
    assert myths["experiment:proof"].run is not None
    assert myths["experiment:proof"].recalled == 1


def test_an_undone_miss_was_never_picked(home: Home, clock: FakeClock) -> None:
    """Taking back a wrong answer takes back the myth it named."""
    with open_store(home, clock) as store:
        miss = store.append("answered", answered(correct=False, rating=1, myth="m"), clock.now(), DAY)
        store.undo(miss, clock.now(), DAY)
        assert store.history(DAY).myths == {}


def test_the_last_value_of_a_setting_counts(home: Home, clock: FakeClock) -> None:
    """Each setting by its key, as it was last recorded; an undone change does not count."""
    with open_store(home, clock) as store:
        for old, new in [(None, 0.9), (0.9, 0.85)]:
            store.append("setting", {"key": "retention", "old": old, "new": new}, clock.now(), DAY)
        last = store.append("setting", {"key": "retention", "old": 0.85, "new": 0.7}, clock.now(), DAY)
        store.append("setting", {"key": "lab", "old": None, "new": "off"}, clock.now(), DAY)
        store.undo(last, clock.now(), DAY)
        assert store.settings() == {"retention": 0.85, "lab": "off"}


def test_flags_come_with_their_notes(home: Home, clock: FakeClock) -> None:
    """A flagged item is listed with what the learner wrote."""
    with open_store(home, clock) as store:
        store.append("flagged", {"item": "a", "note": "the unit is missing — ¿GiB?"}, clock.now(), DAY)
        (flag,) = store.flags()
    assert flag.payload == {"item": "a", "note": "the unit is missing — ¿GiB?"}
