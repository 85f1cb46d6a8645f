"""The interview date: what gains most comes first, new items are paced, and the day after is no flood."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.learning.making import DEFAULTS, TODAY, card, cards, due_of
from tests.support import MONDAY, FakeClock, candidates, choice, world
from tutor.clock import MICROSECONDS_PER_DAY
from tutor.learning.backlog import LEAST_A_DAY, Due, due_today, gain_of_asking
from tutor.learning.cards import Card
from tutor.learning.interview import AHEAD_DAYS, DayPlan, new_a_day, plan_day, toward
from tutor.learning.records import History
from tutor.learning.session import begin
from tutor.learning.state import Asking
from tutor.learning.studyday import add_days, days_between
from tutor.learning.world import Rules

held = st.lists(cards(), max_size=30).map(lambda drawn: {one.item: one for one in drawn})


def met(count: int, since: int = 3, stability: float = 5.0, due: int = 2) -> dict[str, Card]:
    """Return cards answered `since` days ago and due in `due` days, each a little stronger than the last."""
    last = {"last_us": MONDAY - since * MICROSECONDS_PER_DAY, "last_day": add_days(TODAY, -since)}
    ids = [f"x-{n:03}" for n in range(count)]
    return {id: card(stability + n, item=id, due=add_days(TODAY, due), **last) for n, id in enumerate(ids)}


def day(held: dict[str, Card], unseen: int = 0, history: History | None = None, **rules: object) -> DayPlan:
    """Return what today asks of cards whose items each have a concept of their own."""
    items = {id: choice(id, id) for id in held}
    return plan_day(
        items, candidates(held.values()), unseen, TODAY, MONDAY, DEFAULTS, history or History(), Rules(**rules)
    )


@given(held, st.integers(1, 90))
def test_what_gains_most_comes_first(held: dict[str, Card], left: int) -> None:
    """Gains never rise along the order, none is nil, and nothing answered today or set aside is asked."""
    tomorrow = add_days(TODAY, 1)
    rows = candidates(held.values())
    order = toward(rows, tomorrow, MONDAY + MICROSECONDS_PER_DAY, DEFAULTS, left)
    gain = gain_of_asking(MONDAY + MICROSECONDS_PER_DAY, DEFAULTS, min(AHEAD_DAYS, left))
    gains = [gain(rows[id]) for id in order]
    assert all(a >= b > 0 for a, b in zip(gains, [*gains[1:], gains[-1]] if gains else [], strict=True))
    assert not any(held[id].suspended or held[id].last_day >= tomorrow for id in order)
    assert toward(rows, TODAY, MONDAY, DEFAULTS, left) == ()


def test_what_is_asked_need_not_be_due() -> None:
    """Toward a date a day asks as much as the learner is used to, of whatever gains, due or not."""
    assert day(met(10)).due == Due((), 0)
    toward_it = day(met(10), interview=add_days(TODAY, 20), history=History(usual_day=4))
    assert len(toward_it.due.items) == 4
    assert day(met(10), interview=add_days(TODAY, 20), limit=7).due.items[:4] == toward_it.due.items


def test_a_date_asks_no_more_than_was_due() -> None:
    """Who has no habit yet is asked as many as come due."""
    some = met(3, due=0) | {f"y-{n}": one for n, one in enumerate(met(20, due=5).values())}
    cards = {id: replace(one, item=id) for id, one in some.items()}
    assert len(day(cards, interview=add_days(TODAY, 20)).due.items) == 3


def test_new_items_take_their_places_first() -> None:
    """Of ten answers asked for, the paced new ones keep theirs."""
    plan = day(met(30), unseen=24, interview=add_days(TODAY, 20), limit=10)
    assert (plan.new_per_day, len(plan.due.items)) == (2, 8)


def test_the_learner_bounds_what_is_new() -> None:
    """A pace that asks for more than the setting allows does not get it."""
    assert day({}, unseen=300, interview=add_days(TODAY, 20)).new_per_day == 6


@given(st.integers(0, 800), st.integers(1, 120))
def test_the_pace_meets_everything_in_time(unseen: int, total: int) -> None:
    """Day by day the paced number introduces every item before the day, most days alike."""
    date, left, taken = add_days(TODAY, total), unseen, []
    for number in range(total):
        taken.append(min(left, new_a_day(left, TODAY, add_days(TODAY, number), date)))
        left -= taken[-1]
    assert left == 0
    busy = [count for count in taken if count]
    assert not busy or max(busy) - min(busy[:-1] or busy) <= 1


def test_a_new_item_begun_today_is_not_counted_twice() -> None:
    """A second sitting of the day does not raise or lower the pace."""
    plan = day({}, unseen=22, interview=add_days(TODAY, 20), history=History(new_today=2))
    assert plan.new_per_day == 2


@given(held, st.integers(0, 60))
def test_from_the_day_on_the_usual_order_holds(held: dict[str, Card], after: int) -> None:
    """On the day itself and later nothing is asked that is not due, the likeliest forgotten first."""
    plan = day(held, interview=add_days(TODAY, -after))
    assert set(plan.due.items) <= set(due_of(held, TODAY, MONDAY))
    assert plan.new_per_day == Rules().new_per_day


@pytest.mark.parametrize("after", [0, 1, 20])
def test_after_the_date_there_is_no_flood(after: int) -> None:
    """A hundred and fifty cards put off for the day come forty at a time, although none waits for a week."""
    waiting = {id: replace(one, due=add_days(TODAY, -2)) for id, one in met(150).items()}
    plan = day(waiting, interview=add_days(TODAY, -after))
    assert (len(plan.due.items), plan.due.put_off) == (LEAST_A_DAY, 150 - LEAST_A_DAY)
    items = {id: choice(id, id) for id in waiting}
    assert len(due_today(items, candidates(waiting.values()), TODAY, MONDAY, DEFAULTS, History(), 200).items) == 150


def test_the_bound_after_the_date_follows_the_habit() -> None:
    """Who is used to ten a day gets fifteen, not forty."""
    waiting = {id: replace(one, due=add_days(TODAY, -2)) for id, one in met(150).items()}
    plan = day(waiting, interview=TODAY, history=History(usual_day=10))
    assert (len(plan.due.items), plan.due.put_off) == (15, 135)


def test_a_sitting_follows_the_plan() -> None:
    """The session asks what gains although nothing is due, and takes new items at the pace."""
    items = [choice(f"x-{n:03}", "a") for n in range(3)] + [choice(f"n-{n}", "c") for n in range(12)]
    cards = met(3)
    rules = Rules(confidence=False, interview=add_days(TODAY, 20), interview_set=TODAY)
    session = begin(world(*items, cards=cards, rules=rules, history=History(usual_day=3)), FakeClock().now())
    assert isinstance(session.phase, Asking) and session.phase.question.item.id.startswith("x-")
    assert session.world.rules.new_per_day == 1
    assert days_between(TODAY, rules.interview) == 20


@pytest.mark.parametrize("left", [1, 4, 30])
def test_the_simulated_rule_is_the_one_in_use(left: int) -> None:
    """On columns (`policies.toward_day`, which the evidence is about) the same cards come in the same order."""
    import numpy as np

    from tutor.learning.cards import elapsed_days
    from tutor.learning.memory import retrievability
    from tutor.learning.policies import Morning, toward_day
    from tutor.learning.replay import Tables

    rng = np.random.default_rng(5)
    some = {
        id: replace(one, last_us=MONDAY - round(rng.uniform(0.8, 30) * MICROSECONDS_PER_DAY))
        for id, one in met(40, stability=2.0).items()
    }
    since = np.array([[elapsed_days(one, MONDAY) for one in some.values()]])
    stability = np.array([[one.memory.stability for one in some.values()]])
    recall = np.array(
        [[retrievability(elapsed_days(one, MONDAY), one.memory.stability, DEFAULTS) for one in some.values()]]
    )
    morning = Morning(
        Tables(DEFAULTS), 0, left, np.full((1, 40), True), stability, np.full((1, 40), 5.0), since, recall,
        np.full((1, 40), False), np.array([0.5]),
    )  # fmt: skip
    priority = toward_day()(morning)[0]
    names = [id for id, value in zip(some, priority, strict=True) if np.isfinite(value)]
    by_columns = sorted(names, key=lambda id: -priority[list(some).index(id)])
    assert list(toward(candidates(some.values()), TODAY, MONDAY, DEFAULTS, left)) == by_columns
