"""Undo: an event like any other, for any answer, at any time."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.given import DAY, answered, assert_sound, parameters, practised, ran, tables, write
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import open_store


def test_undoing_every_answer_leaves_no_trace_but_the_log(home: Home, clock: FakeClock) -> None:
    """Answers taken back one by one from the last give, step by step, the cards there were before each."""
    with open_store(home, clock) as store:
        states = [store.cards()]
        for number in range(12):
            store.append("answered", answered(f"item-{number % 3}"), clock.now(), DAY)
            clock.pass_days(0.4)
            states.append(store.cards())
        for state in reversed(states[:-1]):
            last = store.last_answer()
            assert last is not None
            store.undo(last.ref, clock.now(), DAY)
            assert store.cards() == state
        assert store.last_answer() is None
        assert store.history(DAY).seen == frozenset()
        assert [event.kind for event in store.events()] == ["answered"] * 12 + ["undone"] * 12
    assert_sound(home, clock)


def test_undo_reaches_across_sittings(home: Home, clock: FakeClock) -> None:
    """After the program was closed, the last answers of the sitting before are still to be taken back."""
    with open_store(home, clock) as store:
        write(store, clock, 3)
    clock.pass_days(1)
    with open_store(home, clock) as store:
        for left in (2, 1, 0):
            last = store.last_answer()
            assert last is not None
            assert last.payload["item"] == f"item-{left}"
            store.undo(last.ref, clock.now(), "2026-12-01")
            assert len(store.cards()) == left
    assert_sound(home, clock)


def test_an_answer_in_the_middle_can_be_undone(home: Home, clock: FakeClock) -> None:
    """The card is as if the answer had never been given, and later answers still count."""
    with open_store(home, clock) as kept:
        refs = []
        for rating in (3, 1, 3):
            refs.append(kept.append("answered", answered(rating=rating, correct=rating > 1), clock.now(), DAY))
            clock.pass_days(0.3)
        kept.undo(refs[1], clock.now(), DAY)
        card = kept.cards()["a"]
    other = Home(home.folder.parent / "other")
    twin = FakeClock()
    with open_store(other, twin) as never:
        for days in (0.6, 0.3):
            never.append("answered", answered(), twin.now(), DAY)
            twin.pass_days(days)
        assert never.cards()["a"] == card
    assert_sound(home, clock)


def test_undoing_twice_or_undoing_nothing_changes_nothing(home: Home, clock: FakeClock) -> None:
    """A second undo of one answer, and one of an answer that is not there, leave the projections alone."""
    with open_store(home, clock) as store:
        first, _ = write(store, clock, 2)
        store.undo(first, clock.now(), DAY)
        before = tables(home.database)
        store.undo(first, clock.now(), DAY)
        store.undo(("elsewhere", 99), clock.now(), DAY)
        assert tables(home.database) == before
    assert_sound(home, clock)


def test_the_last_answer_may_be_practice(home: Home, clock: FakeClock) -> None:
    """Practice too is taken back, and the card stays as it was."""
    with open_store(home, clock) as store:
        write(store, clock, 1)
        cards = store.cards()
        practice = store.append("answered", practised("item-0"), clock.now(), DAY)
        last = store.last_answer()
        assert last is not None
        assert last.ref == practice
        store.undo(practice, clock.now(), DAY)
        assert store.cards() == cards
    assert_sound(home, clock)


def event(what: str, item: str, rating: int) -> tuple[str, dict[str, Any]]:
    """Return kind and payload of one step."""
    match what:
        case "answered":
            return "answered", answered(item, rating=rating, correct=rating > 1)
        case "practised":
            return "answered", practised(item)
        case "ran":
            return "ran", ran()
        case "parameters":
            return "parameters", parameters(f"set-{rating}", rating / 2)
        case "halve" | "reset":
            return "revised", {"item": item, "old_rev": 1, "new_rev": 2, "choice": what}
        case _:
            return what, {"item": item}


def test_undoing_the_first_answer_makes_the_next_one_the_first(home: Home, clock: FakeClock) -> None:
    """The counts of both days follow: the later answer is now of a new card."""
    with open_store(home, clock) as store:
        first = store.append("answered", answered(), clock.now(), DAY)
        clock.pass_days(1)
        store.append("answered", answered(), clock.now(), "2026-12-01")
        store.undo(first, clock.now(), "2026-12-01")
        (day,) = store.days()
        assert (day.day, day.new, day.reviewed) == ("2026-12-01", 1, 0)
    assert_sound(home, clock)


def test_a_run_a_suspension_and_a_parameter_set_can_be_undone(home: Home, clock: FakeClock) -> None:
    """Undo works for whatever the projections hold, not for answers alone."""
    with open_store(home, clock) as store:
        write(store, clock, 1)
        store.settle()
        before = tables(home.database)
        for kind, payload in [("ran", ran()), ("suspended", {"item": "item-0"}), ("parameters", parameters("p", 2.0))]:
            ref = store.append(kind, payload, clock.now(), DAY)
            store.settle()
            assert tables(home.database) != before
            store.undo(ref, clock.now(), DAY)
            store.settle()
            assert tables(home.database) == before
    assert_sound(home, clock)


STEP = st.tuples(
    st.sampled_from(
        ["answered"] * 3 + ["practised", "suspended", "resumed", "halve", "reset", "ran", "parameters"] + ["undo"] * 3
    ),
    st.sampled_from("ab"),
    st.sampled_from([1, 3]),
    st.sampled_from([0.0, 0.05, -0.5, 1.1]),
    st.integers(0, 13),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(STEP, max_size=14))
def test_step_by_step_is_the_same_as_from_the_start(steps: list[tuple[str, str, int, float, int]]) -> None:
    """Whatever is done or taken back, what was kept up event by event equals what the doctor rebuilds from the log."""
    with tempfile.TemporaryDirectory() as folder:
        home, clock = Home(Path(folder)), FakeClock()
        with open_store(home, clock) as store:
            for what, item, rating, days, target in steps:
                clock.pass_days(days)
                day = clock.now().local.date().isoformat()
                written = len(list(store.events()))
                if what == "undo":
                    store.undo((store.device, min(target, written)), clock.now(), day)
                else:
                    store.append(*event(what, item, rating), clock.now(), day)
        assert_sound(home, clock)
