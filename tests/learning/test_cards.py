"""How one answer moves a card, and that clocks and replays do not."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.learning.making import DEFAULTS, TODAY, card, cards, evidences
from tests.support import MONDAY
from tutor.clock import MICROSECONDS_PER_DAY
from tutor.learning.cards import Card, advance, elapsed_days
from tutor.learning.evidence import Weighed, weigh
from tutor.learning.grading import Given, Grade
from tutor.learning.memory import Evidence, Memory, retrievability, step
from tutor.learning.schedule import plan
from tutor.learning.studyday import add_days


def answered(before: Card | None, rating: int, after_days: float, q: float = 1.0) -> Card:
    """Return the card answered so many days after `TODAY`, due as the schedule says."""
    now, day = MONDAY + round(after_days * MICROSECONDS_PER_DAY), add_days(TODAY, int(after_days))
    weighed = Weighed(Evidence(rating, q))
    planned = plan(before, "a-1", weighed, now, day, 0.9, DEFAULTS, {})
    return advance(before, "a-1", 1, weighed.evidence, now, day, planned.due, planned.interval, DEFAULTS)


def test_a_first_answer_begins_a_card() -> None:
    """One answer: first and last day are today, one repetition, no lapse though it may have been wrong."""
    begun = answered(None, 1, 0)
    assert (begun.first_day, begun.last_day, begun.due, begun.interval) == (TODAY, TODAY, "2026-12-01", 1)
    assert (begun.reps, begun.lapses, begun.recent, begun.memory.stability) == (1, 0, "-", 0.212)


def test_a_clock_set_back_is_no_time_at_all() -> None:
    """Case 3: Easy on the 10th, then Good on the 7th: no negative time, and the card's last answer stays the 10th."""
    noon, day = 1_768_046_400_000_000, MICROSECONDS_PER_DAY
    first = advance(None, "a-1", 1, Evidence(4), noon, "2026-01-10", "2026-01-18", 8, DEFAULTS)
    assert elapsed_days(first, noon - 3 * day) == 0.0
    second = advance(first, "a-1", 1, Evidence(3), noon - 3 * day, "2026-01-07", "2026-01-15", 8, DEFAULTS)
    assert (second.last_us, second.last_day) == (noon, "2026-01-10")
    assert second.memory == step(first.memory, 0.0, Evidence(3), DEFAULTS)


@given(cards(), evidences, st.integers(-400, 400))
def test_the_last_answer_never_moves_back(before: Card, evidence: Evidence, days: int) -> None:
    """Whatever the clock says, `last_us` and `last_day` only grow and elapsed time is not negative."""
    now = MONDAY + days * MICROSECONDS_PER_DAY
    day = add_days(TODAY, days)
    after = advance(before, before.item, 1, evidence, now, day, add_days(day, 1), 1, DEFAULTS)
    assert after.last_us >= before.last_us
    assert after.last_day >= before.last_day
    assert elapsed_days(before, now) == max(0, days)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=10))
def test_a_card_counts_its_answers(given_ratings: list[int]) -> None:
    """Repetitions count all, lapses the misses after the first answer, `recent` the last three marks."""
    seen: Card | None = None
    for number, rating in enumerate(given_ratings):
        seen = answered(seen, rating, number)
    assert seen is not None
    assert (seen.reps, seen.lapses) == (len(given_ratings), given_ratings[1:].count(1))
    assert seen.recent == "".join("-" if rating == 1 else "+" for rating in given_ratings)[-3:]


@given(st.lists(st.tuples(st.integers(1, 4), st.floats(0, 1)), min_size=1, max_size=10))
def test_a_replay_gives_the_same_card(log: list[tuple[int, float]]) -> None:
    """Case 6: the same answers give the same card to the last digit, due days included."""

    def replay() -> Card | None:
        seen: Card | None = None
        for number, (rating, q) in enumerate(log):
            seen = answered(seen, rating, 3 * number, q)
        return seen

    assert repr(replay()) == repr(replay())


@given(st.booleans())
def test_five_misses_keep_a_card_at_one_day(new: bool) -> None:
    """Case 9: after a Good, or from the start, wrong answers never lengthen the interval or raise stability."""
    seen = None if new else answered(None, 3, 0)
    for number in range(1, 6):
        before, seen = seen, answered(seen, 1, number)
        assert seen.interval == 1
        assert before is None or seen.memory.stability <= before.memory.stability
        assert before is None or seen.memory.difficulty >= before.memory.difficulty


def test_declared_guesses_come_back_sooner_each_time() -> None:
    """Right and called a guess at every due day: always sooner than the same answers not called so, and tomorrow at first."""
    intervals = {}
    for sureness in ("guess", None):
        seen, day, intervals[sureness] = None, 0, []
        for _ in range(6):
            now, today = MONDAY + day * MICROSECONDS_PER_DAY, add_days(TODAY, day)
            recall = retrievability(elapsed_days(seen, now), seen.memory.stability, DEFAULTS) if seen else None
            weighed = weigh(Grade(True, ("good",)), Given(("good",)), sureness, 900, None, seen, recall, 0.25)
            planned = plan(seen, "a-1", weighed, now, today, 0.9, DEFAULTS, {})
            seen = advance(seen, "a-1", 1, weighed.evidence, now, today, planned.due, planned.interval, DEFAULTS)
            day += planned.interval
            intervals[sureness].append(planned.interval)
    assert intervals["guess"][0] == 1
    assert all(guessed < plain for guessed, plain in zip(intervals["guess"][1:], intervals[None][1:], strict=True))
    assert sum(intervals["guess"]) < sum(intervals[None]) / 4


def test_an_answer_keeps_what_it_does_not_concern() -> None:
    """A suspended card stays suspended, the first day stays, and the revision is the one answered."""
    before = replace(card(), suspended=True, memory=Memory(3.0, 4.0))
    after = advance(before, "a-1", 2, Evidence(3), MONDAY, TODAY, "2026-12-05", 5, DEFAULTS)
    assert (after.suspended, after.first_day, after.rev) == (True, before.first_day, 2)
