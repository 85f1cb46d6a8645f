"""What is likely remembered, summed in the file: as the memory model says it, of the cards that are asked for."""

from __future__ import annotations

import sqlite3

import pytest

from tests.store.given import DAY, answered, parameters
from tests.support import FakeClock
from tutor.learning.cards import elapsed_days
from tutor.learning.memory import retrievability
from tutor.paths import Home
from tutor.store import Memories, Remembered, open_store
from tutor.store.remembered import know_power


def test_the_sum_is_that_of_the_forgetting_curve(home: Home, clock: FakeClock) -> None:
    """By concept, under the set in force, a card of the future counted as just answered; those left out are in no sum."""
    with open_store(home, clock) as store:
        for number, rating in enumerate((1, 2, 3, 4, 3)):
            payload = answered(f"i-{number}", concept="ab"[number % 2], rating=rating)
            store.append("answered", payload, clock.now(), DAY)
            clock.pass_seconds(40_000)
        store.append("parameters", parameters("own", 1.7), clock.now(), DAY)
        now, cards, model = clock.now().utc_us - 20_000_000_000, store.cards(), store.parameters()

        def recall(*items: str) -> float:
            held = [cards[item] for item in items]
            return sum(retrievability(elapsed_days(one, now), one.memory.stability, model) for one in held)

        found = store.memories(now, ["i-0", "i-1", "i-3", "i-4", "never"], often=2)
        assert found.concepts == (
            Remembered("a", 2, pytest.approx(recall("i-0", "i-4"), rel=1e-12)),
            Remembered("b", 2, pytest.approx(recall("i-1", "i-3"), rel=1e-12)),
        )
        assert (found.others, found.often) == (("i-2",), ())
        assert sum(one.cards for one in store.memories(now, sorted(cards), often=2).concepts) == 5
        assert store.memories(now, [], often=1) == Memories((), tuple(sorted(cards)), tuple(sorted(cards)))


def test_recall_loses_nothing_on_its_way(home: Home, clock: FakeClock) -> None:
    """From a second to centuries after the answer, the recall of one card is the model's to the last digits of a float."""
    with open_store(home, clock) as store:
        store.append("answered", answered("i-0"), clock.now(), DAY)
        card, model = store.cards()["i-0"], store.parameters()
        for seconds in (1, 60, 86_400, 10**8, 10**10):
            clock.pass_seconds(seconds)
            now = clock.now().utc_us
            (one,) = store.memories(now, ["i-0"], often=1).concepts
            assert one.recall == pytest.approx(
                retrievability(elapsed_days(card, now), card.memory.stability, model), rel=2e-15
            )


def test_a_new_home_remembers_nothing(home: Home, clock: FakeClock) -> None:
    """No card, no row; a file that is only read and not there yet."""
    with open_store(home, clock, read_only=True) as store:
        assert store.memories(clock.now().utc_us, [], often=1) == Memories((), (), ())


def test_sqlite_without_mathematics_is_taught_the_power() -> None:
    """Python's own takes its place, under the same name."""

    class Bare(sqlite3.Connection):
        def execute(self, *_: object) -> sqlite3.Cursor:
            raise sqlite3.OperationalError("no such function: pow")

    db = sqlite3.connect(":memory:", factory=Bare)
    know_power(db)
    assert sqlite3.Connection.execute(db, "SELECT pow(2, 0.5)").fetchone() == (2**0.5,)
    db.close()
