"""What of a day's due cards is asked today: bounded after a break, most valuable first, nobody left out for ever."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learning.making import DEFAULTS, TODAY, card, cards, due_of
from tests.support import MONDAY, FakeClock, candidates, choice, world
from tutor.clock import MICROSECONDS_PER_DAY
from tutor.learning.backlog import (
    HORIZON_DAYS,
    LEAST_A_DAY,
    LONGEST_EVERY,
    Due,
    due_today,
    gain_of_asking,
    most_valuable,
)
from tutor.learning.cards import Card
from tutor.learning.memory import Memory
from tutor.learning.records import History
from tutor.learning.session import begin
from tutor.learning.studyday import add_days
from tutor.learning.world import Rules

held = st.lists(cards(), max_size=30).map(lambda drawn: {one.item: one for one in drawn})


def waiting(count: int, overdue: int, **changes: object) -> dict[str, Card]:
    """Return cards that came due `overdue` days ago, answered ten days before that, each a little stronger than the last."""
    last = {"last_us": MONDAY - (overdue + 10) * MICROSECONDS_PER_DAY, "due": add_days(TODAY, -overdue)}
    made = {f"x-{n:03}": card(5.0 + n / 10, item=f"x-{n:03}", **last) for n in range(count)}
    return {id: replace(one, **changes) for id, one in made.items()}


def ask(held: dict[str, Card], history: History | None = None, per_day: int = 200, limit: int | None = None) -> Due:
    """Return what is asked today of cards whose items each have a concept of their own."""
    items = {id: choice(id, id) for id in held}
    return due_today(items, candidates(held.values()), TODAY, MONDAY, DEFAULTS, history or History(), per_day, limit)


def test_what_fits_comes_as_it_is_due() -> None:
    """No choice is made where all can be asked, and nothing waits."""
    held = waiting(12, 0)
    assert ask(held) == Due(due_of(held, TODAY, MONDAY), 0)


def test_a_break_of_weeks_gives_a_day_that_can_be_done() -> None:
    """400 due after a month: forty today, the rest said to wait; whoever is used to eighty gets a hundred and twenty."""
    held = waiting(400, 30)
    due = ask(held)
    assert (len(due.items), due.put_off, due.after_break) == (LEAST_A_DAY, 400 - LEAST_A_DAY, True)
    assert len(ask(held, History(usual_day=80)).items) == 120
    assert len(ask(held, History(answered_today=15)).items) == LEAST_A_DAY - 15
    assert ask(held, History(answered_today=LEAST_A_DAY)).items == ()


def test_a_heavy_day_is_no_break() -> None:
    """Ninety due since yesterday are a day's work, up to the learner's own limit."""
    held = waiting(90, 1)
    assert ask(held) == Due(due_of(held, TODAY, MONDAY), 0)
    due = ask(held, per_day=50)
    assert (len(due.items), due.put_off, due.after_break) == (50, 40, False)


def test_a_limit_asked_for_takes_the_place_of_the_bound() -> None:
    """Who wants sixty after a break gets sixty, the most valuable first."""
    held = waiting(100, 30)
    due = ask(held, limit=60)
    assert (len(due.items), due.put_off) == (100, 0)
    assert due.items == most_valuable(candidates(held.values()).values(), dict.fromkeys(held, 1.0), MONDAY, DEFAULTS)


def test_gain_by_hand() -> None:
    """S = 10 after 10 days, so R = 0.9; against S after Good and after Again, a month ahead."""
    from fsrs import Scheduler  # the oracle

    oracle = Scheduler(enable_fuzzing=False)
    one = card(10.0, 5.0, last_us=MONDAY - 10 * MICROSECONDS_PER_DAY)
    decay = -oracle.parameters[20]
    factor = 0.9 ** (1 / decay) - 1

    def recall(days: float, stability: float) -> float:
        return (1 + factor * days / stability) ** decay

    good = oracle._next_stability(difficulty=5.0, stability=10.0, retrievability=0.9, rating=3)
    again = oracle._next_stability(difficulty=5.0, stability=10.0, retrievability=0.9, rating=1)
    expected = 0.9 * recall(HORIZON_DAYS, good) + 0.1 * recall(HORIZON_DAYS, again) - recall(10 + HORIZON_DAYS, 10.0)
    assert gain_of_asking(MONDAY, DEFAULTS)(candidates([one])[one.item]) == pytest.approx(expected)


def test_a_question_that_takes_half_the_time_comes_first() -> None:
    """Equal memories: the one that costs less of the learner's time gains more of it."""
    held = waiting(2, 3, memory=Memory(8.0, 5.0))
    assert most_valuable(candidates(held.values()).values(), {"x-000": 50.0, "x-001": 25.0}, MONDAY, DEFAULTS) == (
        "x-001",
        "x-000",
    )


@given(held, st.data())
def test_the_longest_overdue_has_its_place(held: dict[str, Card], data: st.DataObject) -> None:
    """A whole order of all cards; among any first n, every fourth is of those that have waited longest, whatever they gain."""
    seconds = {id: data.draw(st.floats(5, 90)) for id in held}
    order = most_valuable(candidates(held.values()).values(), seconds, MONDAY, DEFAULTS)
    assert sorted(order) == sorted(held)
    longest = sorted(held, key=lambda id: (held[id].due, id))
    for places in range(len(order) // LONGEST_EVERY + 1):
        assert set(longest[:places]) <= set(order[: LONGEST_EVERY * places])


@settings(max_examples=60)
@given(held, st.sampled_from([0, 3, 20, 300]), st.integers(0, 30), st.integers(1, 12), st.data())
def test_nothing_due_is_lost(
    held: dict[str, Card], days: int, answered: int, per_day: int, data: st.DataObject
) -> None:
    """What is asked and what waits are together what is due; no more than the day holds, sure misses aside; always the same."""
    sure = data.draw(st.sets(st.sampled_from(sorted(held)))) if held else set()
    items = {id: choice(id, id) for id in held}
    history = History(answered_today=answered, sure_misses=frozenset(sure))
    day, now = add_days(TODAY, days), MONDAY + days * MICROSECONDS_PER_DAY
    due = due_today(items, candidates(held.values()), day, now, DEFAULTS, history, per_day)
    every = due_of(held, day, now)
    assert len(due.items) + due.put_off == len(every)
    assert set(due.items) <= set(every)
    assert len(set(due.items)) == len(due.items)
    first = [id for id in every if id in sure]
    assert set(due.items[: len(first)]) == set(first)
    assert len(due.items) <= max(len(first), per_day - answered, 0)
    assert due == due_today(items, candidates(reversed(held.values())), day, now, DEFAULTS, history, per_day)


def test_a_backlog_is_worked_off() -> None:
    """400 after a break, ten new dues a day: every card has had its turn within two weeks, though all days are bounded."""
    held = waiting(400, 30)
    for n in range(1, 15):
        day, now = add_days(TODAY, n), MONDAY + n * MICROSECONDS_PER_DAY
        fresh = {
            f"d-{n}-{k}": card(3.0, item=f"d-{n}-{k}", due=day, last_us=now - 3 * MICROSECONDS_PER_DAY)
            for k in range(10)
        }
        held |= fresh
        items = {id: choice(id, id) for id in held}
        for id in due_today(items, candidates(held.values()), day, now, DEFAULTS, History(usual_day=30), 200).items:
            del held[id]
    assert not held


def test_a_sure_miss_comes_before_the_likelier_forgotten() -> None:
    """Missed yesterday and sure of it: first today."""
    held = waiting(5, 1)
    assert ask(held, History(sure_misses=frozenset({"x-004"}))).items[0] == "x-004"


def test_the_sitting_says_once_what_waits() -> None:
    """The notice stands beside the first question and is gone with it."""
    held = waiting(60, 30)
    at = begin(world(*(choice(id, id) for id in held), cards=held, rules=Rules(confidence=False)), FakeClock().now())
    assert [(notice.kind, notice.count, notice.after_break) for notice in at.notices] == [("backlog", 20, True)]
    assert len(at.queue) == LEAST_A_DAY - 1
