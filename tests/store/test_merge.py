"""Several devices: their events together give the same cards, in whatever order they arrive."""

from __future__ import annotations

import random
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.given import DAY, answered, assert_sound, parameters, practised, ran, tables, write
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import Event, Store, StoreError, open_store
from tutor.store.log import Log

SKEWS_MINUTES = (0, -60, 120)

STEP = st.tuples(
    st.integers(0, 2),
    st.sampled_from(
        ["answered"] * 4 + ["practised", "undo", "suspended", "resumed", "halve", "reset", "ran", "parameters", "meet"]
    ),
    st.sampled_from("ab"),
    st.sampled_from([1, 3, 4]),
    st.sampled_from([0, 1, 3_600, 90_000]),
)
Step = tuple[int, str, str, int, int]


def act(stores: list[Store], clocks: list[FakeClock], step: Step) -> None:
    """Do one thing on one device; `meet` hands it what the next device knows."""
    who, what, item, rating, _ = step
    store, now = stores[who], clocks[who].now()
    day = clocks[who].now().local.date().isoformat()
    match what:
        case "answered":
            store.append(
                "answered", answered(item, rating=rating, correct=rating > 1, due=day, interval=rating), now, day
            )
        case "practised":
            store.append("answered", practised(item), now, day)
        case "undo":
            if (last := store.last_answer()) is not None:
                store.undo(last.ref, now, day)
        case "halve" | "reset":
            store.append("revised", {"item": item, "old_rev": 1, "new_rev": 2, "choice": what}, now, day)
        case "ran":
            store.append("ran", ran(), now, day)
        case "parameters":
            store.append("parameters", parameters(f"set-{who}-{rating}", rating / 2), now, day)
        case "meet":
            store.merge(list(stores[(who + 1) % 3].events()))
        case _:
            store.append(what, {"item": item}, now, day)


def deliver(store: Store, events: list[Event], order: random.Random) -> None:
    """Hand a store all events shuffled, in pieces, some of them twice."""
    parcel = [*events, *order.sample(events, len(events) // 3)]
    order.shuffle(parcel)
    while parcel:
        size = order.randint(1, len(parcel))
        store.merge(parcel[:size])
        parcel = parcel[size:]


@settings(max_examples=40, deadline=None)
@given(st.lists(STEP, min_size=3, max_size=14), st.integers(0, 2**32))
def test_three_devices_come_to_the_same_cards(steps: list[Step], seed: int) -> None:
    """With clocks an hour behind and two ahead, shuffled and repeated deliveries end in byte-identical projections."""
    with tempfile.TemporaryDirectory() as folder:
        homes = [Home(Path(folder) / name) for name in ("one", "two", "three")]
        clocks = [FakeClock() for _ in homes]
        for clock, minutes in zip(clocks, SKEWS_MINUTES, strict=True):
            clock.pass_seconds(minutes * 60)
        with ExitStack() as stack:
            stores = [stack.enter_context(open_store(home, clock)) for home, clock in zip(homes, clocks, strict=True)]
            for step in steps:
                act(stores, clocks, step)
                for clock in clocks:
                    clock.pass_seconds(step[-1])
            events = list({(event.device, event.seq): event for store in stores for event in store.events()}.values())
            order = random.Random(seed)
            for store in stores:
                deliver(store, events, order)
        first, *others = [tables(home.database) for home in homes]
        assert others == [first, first]
        assert_sound(homes[0], clocks[0])


def test_merging_says_how_many_events_were_new(home: Home, clock: FakeClock, tmp_path: Path) -> None:
    """What is known already is not taken in again."""
    with open_store(home, clock) as store, open_store(Home(tmp_path / "other"), clock) as other:
        write(other, clock, 3)
        assert store.merge(other.events()) == 3
        assert store.merge(other.events()) == 0
        write(other, clock, 1)
        assert store.merge(other.events()) == 1


def test_an_earlier_answer_arriving_late_takes_its_place(home: Home, clock: FakeClock, tmp_path: Path) -> None:
    """The card is as if both answers had been given here, in the order they were given."""
    with open_store(home, clock) as store, open_store(Home(tmp_path / "other"), clock) as other:
        other.append("answered", answered(due="2026-12-01", interval=1), clock.now(), DAY)
        clock.pass_days(3)
        store.append("answered", answered(due="2026-12-20", interval=17), clock.now(), "2026-12-03")
        store.merge(other.events())
        card = store.cards()["a"]
    assert (card.first_day, card.last_day, card.due, card.reps) == (DAY, "2026-12-03", "2026-12-20", 2)


def test_what_is_written_after_a_meeting_comes_after_it(home: Home, clock: FakeClock, tmp_path: Path) -> None:
    """A device behind in time orders its next event after all it has seen."""
    ahead = FakeClock(clock.utc_us + 7_200_000_000)
    with open_store(home, clock) as store, open_store(Home(tmp_path / "other"), ahead) as other:
        write(other, ahead, 2)
        store.merge(other.events())
        last = store.append("answered", answered("mine"), clock.now(), DAY)
        final = list(store.events())[-1]
        assert (final.device, final.seq) == last


def test_an_altered_event_is_not_taken_in(home: Home, clock: FakeClock, tmp_path: Path) -> None:
    """One that does not match its hash is refused with all that came with it: the log could never be rid of it."""
    with open_store(home, clock) as store, open_store(Home(tmp_path / "other"), clock) as other:
        write(other, clock, 2)
        first, second = other.events()
        with pytest.raises(StoreError, match=f"Event 2 of device {other.device} was altered"):
            store.merge([first, replace(second, utc_us=second.utc_us + 1)])
        assert list(store.events()) == []
        assert store.merge([first, second]) == 2


def test_two_events_of_one_number_are_said(home: Home, clock: FakeClock, tmp_path: Path) -> None:
    """Where a copy went on under the same id, its events are not dropped without a word."""
    twin = Home(tmp_path / "twin")
    with open_store(home, clock) as store:
        write(store, clock, 1)
        store.backup(twin.database)
        store.append("answered", answered("here"), clock.now(), DAY)
    with open_store(twin, clock) as forked:
        forked._log = Log(forked._db, store.device)
        forked.append("answered", answered("there"), clock.now(), DAY)
        with open_store(home, clock) as store, pytest.raises(StoreError, match="Two different events are number 2"):
            store.merge(forked.events())


def test_an_undo_that_arrives_before_its_answer_still_holds(home: Home, clock: FakeClock, tmp_path: Path) -> None:
    """The answer it takes back never counts, even where it comes later."""
    with open_store(home, clock) as store, open_store(Home(tmp_path / "other"), clock) as other:
        (ref,) = write(other, clock, 1)
        other.undo(ref, clock.now(), DAY)
        answer, undone = other.events()
        store.merge([undone])
        store.merge([answer])
        assert store.cards() == {}
        assert list(store.answers()) == []
