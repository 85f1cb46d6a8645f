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
