"""What is kept ready from the log: cards, reviews, days and runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.store.given import DAY, answered, assert_sound, parameters, practised, ran
from tests.support import FakeClock
from tutor.learning.cards import advance
from tutor.learning.memory import Evidence
from tutor.learning.parameters import default_parameters
from tutor.paths import Home
from tutor.store import DayRow, Picked, Standing, open_store


def test_a_card_is_what_the_session_would_have_computed(home: Home, clock: FakeClock) -> None:
    """Answer by answer the stored card equals `advance` over the same evidence, to the last bit."""
    card = None
    with open_store(home, clock) as store:
        for rating, q, days, day, due, interval in [
            (3, 1.0, 0, "2026-11-30", "2026-12-02", 2),
            (1, 1.0, 2.3, "2026-12-02", "2026-12-03", 1),
            (3, 0.6, 0.01, "2026-12-02", "2026-12-04", 2),
            (4, 1.0, 40, "2027-01-11", "2027-03-01", 49),
        ]:
            clock.pass_days(days)
            payload = answered(rating=rating, q=q, due=due, interval=interval, correct=rating > 1)
            store.append("answered", payload, clock.now(), day)
            card = advance(card, "a", 1, Evidence(rating, q), clock.utc_us, day, due, interval, default_parameters())
            assert store.cards() == {"a": card}
    assert_sound(home, clock)


def test_practice_moves_no_card(home: Home, clock: FakeClock) -> None:
    """An answer without a due day is a review, counts as seen, and leaves the card alone."""
    with open_store(home, clock) as store:
        store.append("answered", answered(), clock.now(), DAY)
        card = store.cards()
        store.append("answered", practised(correct=False), clock.now(), DAY)
        store.append("answered", practised("never-scheduled"), clock.now(), DAY)
        assert store.cards() == card
        assert [a.payload["role"] for a in store.answers()] == ["first", "practice", "practice"]
        assert store.history(DAY).seen == {"a", "never-scheduled"}
    assert_sound(home, clock)


def test_suspended_and_resumed_set_the_flag_alone(home: Home, clock: FakeClock) -> None:
    """A suspended card keeps its memory, stays suspended through an answer, and leaves the load."""
    with open_store(home, clock) as store:
        store.append("answered", answered(), clock.now(), DAY)
        card = store.cards()["a"]
        store.append("suspended", {"item": "a"}, clock.now(), DAY)
        assert store.cards()["a"] == replace(card, suspended=True)
        assert store.history(DAY).load == {}
        store.append("answered", answered(), clock.now(), DAY)
        assert store.cards()["a"].suspended
        store.append("resumed", {"item": "a"}, clock.now(), DAY)
        assert not store.cards()["a"].suspended
        assert store.history(DAY).load == {"2026-12-02": 1}
    assert_sound(home, clock)


@pytest.mark.parametrize(("choice", "factor"), [("keep", 1.0), ("halve", 0.5)])
def test_a_revised_item_keeps_or_halves_its_stability(home: Home, clock: FakeClock, choice: str, factor: float) -> None:
    """The new revision is on the card, its stability as chosen, its due day as it was shown."""
    with open_store(home, clock) as store:
        store.append("answered", answered(), clock.now(), DAY)
        card = store.cards()["a"]
        store.append("revised", {"item": "a", "old_rev": 1, "new_rev": 2, "choice": choice}, clock.now(), DAY)
        revised = store.cards()["a"]
    assert revised.memory.stability == card.memory.stability * factor
    assert (revised.rev, revised.due, revised.memory.difficulty) == (2, card.due, card.memory.difficulty)
    assert_sound(home, clock)


def test_a_reset_item_is_new_again(home: Home, clock: FakeClock) -> None:
    """Reset removes the card; the next answer begins it anew, and what was answered stays known."""
    with open_store(home, clock) as store:
        store.append("answered", answered(), clock.now(), DAY)
        first = store.cards()["a"]
        store.append("revised", {"item": "a", "old_rev": 1, "new_rev": 2, "choice": "reset"}, clock.now(), DAY)
        assert store.cards() == {}
        clock.pass_days(10)
        store.append("answered", answered(rev=2), clock.now(), "2026-12-10")
        again = store.cards()["a"]
        assert len(list(store.answers())) == 2
    assert (again.reps, again.rev, again.memory) == (1, 2, first.memory)
    assert_sound(home, clock)


def test_new_parameters_replay_memory_and_leave_due_days(home: Home, clock: FakeClock) -> None:
    """Stability is computed again from the answers; the due day that was shown stands."""
    with open_store(home, clock) as store:
        store.append("answered", answered(), clock.now(), DAY)
        before = store.cards()["a"]
        store.append("parameters", parameters("double", 2.0), clock.now(), DAY)
        after = store.cards()["a"]
    assert after.memory.stability == pytest.approx(before.memory.stability * 2)
    assert (after.due, after.interval) == (before.due, before.interval)
    assert_sound(home, clock)


def test_a_day_counts_what_happened_on_it(home: Home, clock: FakeClock) -> None:
    """Answers, right ones, new cards, scheduled ones, true retention and time, a pause counting one minute at most."""
    with open_store(home, clock) as store:
        store.append("answered", answered("a", ms=1_000), clock.now(), DAY)
        store.append("answered", answered("b", ms=2_000, correct=False, rating=1), clock.now(), DAY)
        store.append("answered", practised("b", ms=4_000), clock.now(), DAY)
        clock.pass_days(2)
        store.append("answered", answered("a", ms=3_600_000), clock.now(), "2026-12-02")
        store.append("answered", answered("b", ms=500, correct=False, rating=1), clock.now(), "2026-12-02")
        days = store.days()
    assert days == [
        DayRow(DAY, answered=3, right=2, new=2, scheduled=2, recalled=0, reviewed=0, ms=7_000),
        DayRow("2026-12-02", answered=2, right=1, new=0, scheduled=2, recalled=1, reviewed=2, ms=60_500),
    ]
    assert_sound(home, clock)


def test_runs_and_answers_come_back_as_they_were_written(home: Home, clock: FakeClock) -> None:
    """A stored run and a stored answer have place, time, study day and the whole payload."""
    with open_store(home, clock) as store:
        answer = store.append("answered", answered(values={"b": 2, "a": 1.5}), clock.now(), DAY)
        run = store.append("ran", ran(), clock.now(), DAY)
        stored_answer, stored_run = next(store.answers()), store.runs()[0]
    assert (stored_answer.ref, stored_answer.utc_us, stored_answer.study_day) == (answer, clock.utc_us, DAY)
    assert stored_answer.payload["values"] == {"a": 1.5, "b": 2}
    assert stored_run.ref == run
    assert stored_run.payload["theory"] == {"op": "==", "value": 24}
    assert stored_run.payload["miss"] == ["d", 1]
    assert_sound(home, clock)


def test_the_latest_answers_stand_and_an_undo_brings_the_ones_before_back(home: Home, clock: FakeClock) -> None:
    """Per concept what each item's newest answer was, practice included; without it the answer before stands again."""
    with open_store(home, clock) as store:
        store.append("answered", answered("a", sureness="sure"), clock.now(), DAY)
        store.append("answered", answered("b", correct=False, myth="m"), clock.now(), DAY)
        assert set(store.standings()) == {Standing("c", True, "sure", True, 1), Standing("c", False, None, False, 1)}
        clock.pass_seconds(9)
        newest = store.append("answered", practised("b", sureness="guess", q=0.4), clock.now(), DAY)
        assert set(store.standings()) == {Standing("c", True, "sure", True, 1), Standing("c", True, "guess", False, 1)}
        store.undo(newest, clock.now(), DAY)
        assert set(store.standings()) == {Standing("c", True, "sure", True, 1), Standing("c", False, None, False, 1)}
        assert store.picked_myths() == [Picked("m", 1, DAY)]
    assert_sound(home, clock)


def test_a_day_counts_how_sure_and_how_right(home: Home, clock: FakeClock) -> None:
    """Each word with its answers and its right ones; a right guess is no recall."""
    with open_store(home, clock) as store:
        store.append("answered", answered("a", sureness="sure", correct=False, rating=1), clock.now(), DAY)
        store.append("answered", answered("b", sureness="think"), clock.now(), DAY)
        clock.pass_days(2)
        store.append("answered", answered("a", sureness="guess"), clock.now(), "2026-12-02")
        first, second = store.days()
    assert (first.sure, first.sure_right, first.think, first.think_right, first.guess) == (1, 0, 1, 1, 0)
    assert (second.guess, second.guess_right, second.recalled, second.reviewed) == (1, 1, 0, 1)
    assert_sound(home, clock)


@pytest.mark.parametrize(
    ("changes", "likely"),
    [
        ({"q": 0.8}, True),
        ({"q": 0.7}, True),
        ({"q": 0.6}, False),
        ({"q": 0.9, "correct": False}, False),
        ({"q": 1.0, "role": "retry"}, False),
        ({"q": 1.0, "role": "hinted"}, False),
        ({"q": 0.8, "role": "practice"}, True),
    ],
)
def test_a_right_answer_stands_as_likely_known_by_its_q(
    home: Home, clock: FakeClock, changes: dict[str, Any], likely: bool
) -> None:
    """From q of 0.7 on, the bound of a likely known concept; an answer right after the solution shows nothing."""
    with open_store(home, clock) as store:
        store.append("answered", answered(**changes), clock.now(), DAY)
        assert [standing.likely for standing in store.standings()] == [likely]
    assert_sound(home, clock)
