"""What the log tells of a learner's ways."""

from __future__ import annotations

from tests.store.given import DAY, answered, practised, write
from tests.support import FakeClock
from tutor.learning.studyday import add_days
from tutor.paths import Home
from tutor.store import Store, open_store


def test_a_usual_day_is_the_median_of_earlier_days(home: Home, clock: FakeClock) -> None:
    """Today does not count, nor a day of practice alone; days without answers are no days."""
    with open_store(home, clock) as store:
        for day, count in (("2026-11-01", 2), ("2026-11-03", 9), ("2026-11-20", 4), (DAY, 30)):
            write(store, clock, count, day)
        store.append("answered", practised("p"), clock.now(), "2026-11-25")
        assert store.history(DAY).usual_day == 4
        assert store.history("2026-11-01").usual_day == 0


def test_a_sure_miss_stays_until_its_item_is_answered_again(home: Home, clock: FakeClock) -> None:
    """Wrong and sure; an answer that moves its card ends it, practice does not, and two weeks do."""
    wrong = {"correct": False, "rating": 1}
    with open_store(home, clock) as store:
        tell(store, clock, answered("a", **wrong, sureness="sure"), answered("b", **wrong, sureness="think"))
        tell(store, clock, answered("c", sureness="sure"), answered("d", **wrong, sureness="sure"))
        tell(store, clock, practised("a"), answered("d"))
        assert store.history(DAY).sure_misses == {"a"}
        assert store.history(add_days(DAY, 15)).sure_misses == frozenset()


def tell(store: Store, clock: FakeClock, *payloads: dict[str, object]) -> None:
    """Append answers a second apart."""
    for payload in payloads:
        store.append("answered", payload, clock.now(), DAY)
        clock.pass_seconds(1)


def test_the_latest_slip_of_a_number(home: Home, clock: FakeClock) -> None:
    """Fresh numbers of an item count as the item; a right answer ends a slip."""
    slip = {"kind": "numeric", "correct": False, "rating": 1}
    with open_store(home, clock) as store:
        tell(store, clock, answered("a", **slip, slip="16 bytes"), answered("b", **slip, slip="forgot the gradients"))
        tell(store, clock, answered("b", kind="numeric"), answered("c~1", **slip, slip="counted twice"))
        assert store.history(DAY).slips == {"a": "16 bytes", "c": "counted twice"}
        assert store.history(add_days(DAY, 61)).slips == {}


def test_a_leech_is_one_until_it_is_taken_up(home: Home, clock: FakeClock) -> None:
    """What the learner set aside himself is no leech; what was taken up is none any more."""
    why = {"why": "leech", "remedy": "guide", "target": "deck", "note": ""}
    with open_store(home, clock) as store:
        for kind, payload in (
            ("suspended", {"item": "own", "note": ""}),
            ("suspended", {"item": "up", **why}),
            ("resumed", {"item": "up", "note": ""}),
            ("suspended", {"item": "leech", **why}),
        ):
            store.append(kind, payload, clock.now(), DAY)
            clock.pass_seconds(1)
        assert [event.payload["item"] for event in store.leeches()] == ["leech"]
        assert store.set_aside() == {"own", "leech"}
