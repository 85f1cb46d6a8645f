"""A fit on a home: what it says, what it writes, and the way back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.bench.fill_home import fill, rows_of
from tests.learning.logs import REAL, needs_the_real_log
from tests.store.given import assert_sound, tables
from tests.support import FakeClock
from tutor.learning.memory import retrievability
from tutor.paths import Home
from tutor.study.desk import Desk
from tutor.study.fitting import adopt, take_back
from tutor.study.review_log import review_log
from tutor.study.verdict import document, fit_log, from_document, why, words


def test_a_fit_is_adopted_by_an_event_and_replays_every_card(home: Home, later: FakeClock) -> None:
    """Better on the last fifth: a `parameters` event with n, losses and what it saw; stability moves, due days stand."""
    with Desk(home, later) as desk:
        before, through = desk.store.cards(), desk.store.through()
        verdict = fit_log(desk.store)
        assert verdict.better, why(verdict)
        assert adopt(desk, verdict)
        event = list(desk.store.events())[-1]
        after = desk.store.cards()
    data = event.data
    assert event.kind == "parameters"
    assert (data["n"], data["through"], data["gate"]) == (verdict.scored, through, "last fifth by time")
    assert data["loss"]["after"] < data["loss"]["before"]
    assert data["loss"]["difference"] == list(verdict.difference)
    assert {card.due for card in after.values()} == {card.due for card in before.values()}
    assert any(after[item].memory != before[item].memory for item in before)
    assert list(home.backups.glob("tutor-*.db"))
    assert_sound(home, later)


def test_taken_back_everything_is_as_it_was(home: Home, later: FakeClock) -> None:
    """Undo is an event: the old set is in force, the cards are what they were, and a second undo finds nothing."""
    with Desk(home, later) as desk:
        before = tables(home.database)
        adopt(desk, fit_log(desk.store))
        taken = take_back(desk)
        assert taken is not None
        assert taken.present == "fsrs6-default"
        assert tables(home.database) == before
        assert take_back(desk) is None
        assert [event.kind for event in desk.store.events()][-2:] == ["parameters", "undone"]
    assert_sound(home, later)


def test_what_is_not_better_changes_nothing(home: Home, later: FakeClock) -> None:
    """A set that predicts no better is not taken into use; nothing is written."""
    with Desk(home, later) as desk:
        verdict = replace(fit_log(desk.store), better=False)
        events = len(list(desk.store.events()))
        assert not adopt(desk, verdict)
        assert len(list(desk.store.events())) == events


def test_too_few_answers_are_a_sentence(desk: Desk) -> None:
    """An empty log keeps the parameters and says why, with numbers."""
    verdict = fit_log(desk.store)
    assert (verdict.better, verdict.reason, verdict.id) == (False, "no repeats", "fsrs6-default")
    assert words(verdict)[1].startswith("None of 0 reviews")


def test_a_verdict_comes_back_from_its_document(home: Home, later: FakeClock) -> None:
    """What the child process says is what the parent reads."""
    with Desk(home, later, read_only=True) as desk:
        verdict = fit_log(desk.store)
    assert from_document(document(verdict)) == verdict
    said = words(verdict)
    assert f"{verdict.scored:,} of them evidence of memory" in said[0]
    assert "log loss" in said[1]
    assert len(said) == 3 + len(verdict.changes)


def test_the_store_replays_what_the_fit_replays(home: Home, later: FakeClock) -> None:
    """Stability of each card by events one at a time equals the batch replay of the review log."""
    from tutor.learning.replay import replay

    with Desk(home, later, read_only=True) as desk:
        log = review_log(desk.store.answers())
        held = replay(log, desk.store.parameters())
        stability = sorted(float(held.stability[row]) for row in log.last)
        assert stability == pytest.approx(sorted(c.memory.stability for c in desk.store.cards().values()), rel=1e-10)


@needs_the_real_log
def test_the_real_log_adopts_a_fit(home: Home) -> None:
    """The first thousand answers of a real learner, written as events, fits and is adopted; the doctor agrees."""
    rows = sorted(rows_of(REAL), key=lambda row: row[1])[:1000]
    fill(home, rows)
    clock = FakeClock(utc_us=rows[-1][1] + 3_600_000_000)
    with Desk(home, clock) as desk:
        verdict = fit_log(desk.store)
        assert adopt(desk, verdict), why(verdict)
        assert desk.store.parameters().id == verdict.id
        card = next(iter(desk.store.cards().values()))
        assert 0 < retrievability(1, card.memory.stability, desk.store.parameters()) < 1
    assert_sound(home, clock)
