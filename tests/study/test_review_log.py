"""Which answers the memory model is fitted to, and as whose."""

from __future__ import annotations

from typing import Any

import pytest

from tests.store.given import answered, practised
from tests.study.conftest import made_up
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store.read import Stored
from tutor.study.desk import Desk
from tutor.study.review_log import log_and_places, review_log

DAY_US = 86_400_000_000


def stored(*payloads: dict[str, Any], first: int = 1) -> list[Stored]:
    """Return payloads as every second event of a log, a day apart."""
    return [
        Stored(("d", first + 2 * n), (20_000 + n) * DAY_US, "2026-11-30", payload) for n, payload in enumerate(payloads)
    ]


def revised(new_rev: int, choice: str) -> dict[str, Any]:
    """Return the payload of a revision of `a`."""
    return {"item": "a", "old_rev": new_rev - 1, "new_rev": new_rev, "choice": choice}


def test_practice_is_no_evidence() -> None:
    """Answers that move no card are left out without being counted as faults."""
    log = review_log(stored(answered(), practised(), answered()))
    assert (len(log), log.cards, log.skipped.left_out) == (2, 1, 0)


def test_each_answer_brings_its_q_and_its_chance() -> None:
    """A choice of four is right by luck in one of four, a number never; q is what the event says."""
    four = answered("a", options=("p", "q", "r", "s"), q=0.8)
    log = review_log(stored(four, answered("b", kind="numeric", options=())))
    assert sorted(zip(log.chance.tolist(), log.q.tolist(), strict=True)) == [(0.0, 1.0), (0.25, 0.8)]


@pytest.mark.parametrize(
    ("revisions", "cards", "rows"),
    [
        ([], 1, 3),
        ([(2, "keep")], 1, 3),
        ([(2, "reset")], 2, 3),
        ([(2, "halve")], 1, 1),
        ([(2, "halve"), (3, "reset")], 2, 2),
        ([(2, "reset"), (3, "halve")], 2, 2),
        ([(2, "reset"), (3, "reset")], 3, 3),
    ],
)
def test_a_revision_parts_a_history(revisions: list[tuple[int, str]], cards: int, rows: int) -> None:
    """Kept it goes on, reset it is another card, halved its later answers are left out until a reset."""
    answers = stored(answered(rev=1), answered(rev=2), answered(rev=3))
    log = review_log(answers, stored(*(revised(*revision) for revision in revisions), first=2))
    assert (log.cards, len(log)) == (cards, rows)


def test_an_item_stands_where_its_latest_answer_is() -> None:
    """Begun anew it is the newer card, whichever has more answers; an item without a scheduled answer has no place."""
    answers = stored(answered(rev=1), answered("b"), answered(rev=1), answered(rev=2), practised("c"))
    log, places = log_and_places(answers, stored(revised(2, "reset"), first=6))
    assert set(places) == {"a", "b"}
    newest = log.at[log.last][places["a"]]
    assert newest == 20_003 and (log.card == places["a"]).sum() == 1
    assert log_and_places([])[1] == {}


def test_bad_rows_are_left_out_and_counted() -> None:
    """A rating of 9 and a q of 7: one row fewer, one moved into its range, none a crash."""
    log = review_log(stored(answered(rating=9), answered(q=7.0), answered(ms=-5)))
    assert (len(log), log.skipped.rating, log.skipped.evidence, log.skipped.duration) == (2, 1, 1, 1)


def test_a_filled_home_holds_the_log_it_was_filled_from(home: Home, later: FakeClock) -> None:
    """Cards, times and ratings come back from the store as they were in the rows."""
    with Desk(home, later, read_only=True) as desk:
        held = [(a.payload["item"], a.utc_us, a.payload["rating"]) for a in desk.store.answers()]
    assert held == [(f"log-{card}", at, rating) for card, at, rating, _ in made_up()]
