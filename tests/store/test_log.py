"""The log: what an event holds, in which order it stands, and that it is never rewritten."""

from __future__ import annotations

import json
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.given import DAY, answered, assert_sound, parameters, ran, write
from tests.support import FakeClock
from tutor import __version__
from tutor.paths import Home
from tutor.store import open_store
from tutor.store.events import COLUMNS, canonical, chain_hash, tick

TIMES = st.integers(min_value=0, max_value=4_000_000_000_000_000)


@given(st.lists(TIMES, min_size=2, max_size=30))
def test_the_order_never_goes_back_whatever_the_clock_does(times: list[int]) -> None:
    """Readings of one clock rise strictly as text, have one width, and are never behind the time itself."""
    last, readings = "", []
    for utc_us in times:
        last = tick(last, utc_us)
        readings.append(last)
        assert int(last[:14]) >= utc_us // 1000
    assert readings == sorted(set(readings))
    assert {len(reading) for reading in readings} == {21}


@given(st.dictionaries(st.text(max_size=5), st.one_of(st.integers(), st.text(max_size=5), st.none()), max_size=6))
def test_canonical_json_depends_on_the_values_alone(payload: dict[str, object]) -> None:
    """Keys in another order give the same bytes, and the values come back."""
    turned = dict(reversed(payload.items()))
    assert canonical(payload) == canonical(turned)
    assert json.loads(canonical(payload)) == payload


def test_an_event_holds_all_that_the_design_names(home: Home, clock: FakeClock) -> None:
    """Place, kind, version, both clocks, zone, study day, program, chain and payload are what was handed in."""
    clock.offset_min, clock.zone = 420, "Asia/Ho_Chi_Minh"
    with open_store(home, clock) as store:
        first = store.append("answered", answered(), clock.now(), DAY)
        second = store.append("suspended", {"item": "a"}, clock.now(), DAY)
        one, two = store.events()
        assert first == (store.device, 1)
        assert second == (store.device, 2)
    assert (one.kind, one.v, one.study_day, one.app, one.clock_suspect) == ("answered", 1, DAY, __version__, 0)
    assert (one.utc_us, one.mono_ms, one.offset_min, one.zone) == (clock.utc_us, clock.mono_ms, 420, "Asia/Ho_Chi_Minh")
    assert (one.prev, two.prev) == ("", one.hash)
    assert one.hash == chain_hash({name: getattr(one, name) for name in COLUMNS})
    assert one.data == json.loads(json.dumps(answered()))
    assert one.payload == canonical(one.data)


@pytest.mark.parametrize("field", [name for name in COLUMNS if name != "hash"])
def test_the_hash_covers_every_field(field: str) -> None:
    """Whatever field is altered, the hash is another."""
    fields = {
        name: 1 if name in ("seq", "v", "utc_us", "mono_ms", "offset_min", "clock_suspect") else "x" for name in COLUMNS
    }
    assert chain_hash(fields | {field: 2 if fields[field] == 1 else "y"}) != chain_hash(fields)


def test_several_events_are_written_together_or_not_at_all(home: Home, clock: FakeClock) -> None:
    """One unusable payload among several leaves neither events nor cards."""
    with open_store(home, clock) as store:
        with pytest.raises(KeyError):
            store.append_many([("answered", answered()), ("answered", {"item": "b"})], clock.now(), DAY)
        assert list(store.events()) == []
        assert store.cards() == {}
        refs = store.append_many([("answered", answered("a")), ("answered", answered("b"))], clock.now(), DAY)
        assert refs == [(store.device, 1), (store.device, 2)]
    assert_sound(home, clock)


@pytest.mark.parametrize("statement", ["UPDATE event SET kind = 'x'", "DELETE FROM event"])
def test_the_file_itself_refuses_to_rewrite_an_event(home: Home, clock: FakeClock, statement: str) -> None:
    """Neither update nor delete passes, whoever opens the file."""
    with open_store(home, clock) as store:
        write(store, clock, 1)
    db = sqlite3.connect(home.database)
    with pytest.raises(sqlite3.IntegrityError, match="never"):
        db.execute(statement)
    db.close()


@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan")])
def test_a_number_beyond_json_is_kept_as_its_name(home: Home, clock: FakeClock, number: float) -> None:
    """A run that measured an overflow is recorded, and what is stored is JSON that any reader takes."""
    with open_store(home, clock) as store:
        store.append("ran", ran(measured=number, params={"scale": [number, 1.5]}), clock.now(), DAY)
        (run,) = store.runs()
    assert run.payload["measured"] == str(number)
    assert run.payload["params"] == {"scale": [str(number), 1.5]}
    assert_sound(home, clock)


def test_an_unknown_kind_is_kept_and_moves_nothing(home: Home, clock: FakeClock) -> None:
    """An event of a later program stays in the log and disturbs no projection."""
    with open_store(home, clock) as store:
        write(store, clock, 1)
        before = store.cards()
        store.append("dreamt", {"of": ["sheep"]}, clock.now(), DAY)
        assert store.cards() == before
        assert [event.kind for event in store.events()] == ["answered", "dreamt"]
    assert_sound(home, clock)


@pytest.mark.parametrize(("days", "suspect"), [(-0.001, 1), (0.0, 0), (399.0, 0), (401.0, 1)])
def test_a_clock_that_jumps_is_marked_and_loses_nothing(
    home: Home, clock: FakeClock, days: float, suspect: int
) -> None:
    """Back at all, or forward by more than 400 days: marked, kept as read, and still last in order."""
    with open_store(home, clock) as store:
        store.append("answered", answered("before"), clock.now(), DAY)
        clock.pass_days(days)
        store.append("answered", answered("after"), clock.now(), DAY)
        events = list(store.events())
        assert [event.data["item"] for event in events] == ["before", "after"]
        assert events[1].clock_suspect == suspect
        assert events[1].utc_us == clock.utc_us
    assert_sound(home, clock)


def test_a_card_is_never_moved_back_in_time(home: Home, clock: FakeClock) -> None:
    """An answer with the clock two years back counts as no time elapsed, and the card's last answer stays."""
    with open_store(home, clock) as store:
        store.append("answered", answered(), clock.now(), DAY)
        first = store.cards()["a"]
        clock.pass_days(-730)
        store.append("answered", answered(due="2026-12-03", interval=3), clock.now(), DAY)
        second = store.cards()["a"]
    assert second.last_us == first.last_us
    assert second.memory.stability >= first.memory.stability
    assert second.reps == 2


def test_the_newest_parameter_set_is_in_force(home: Home, clock: FakeClock) -> None:
    """The library's defaults stand until the log names a set; then the last one named."""
    with open_store(home, clock) as store:
        assert store.parameters().id == "fsrs6-default"
        assert not store.has_parameters()
        store.append("parameters", parameters("one", 1.1), clock.now(), DAY)
        store.append("parameters", parameters("two", 1.2), clock.now(), DAY)
        assert store.parameters().id == "two"
        assert store.has_parameters()
