"""Which cards a day may ask, without reading all of them."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from statistics import median

import pytest

from tests.learning.making import DEFAULTS, MONDAY, TODAY
from tests.store.given import answered
from tests.support import FakeClock, candidates, choice, library
from tutor.learning.backlog import LEAST_A_DAY, WEIGHED, due_today, gain_of_asking
from tutor.learning.cards import Candidate
from tutor.learning.records import History
from tutor.learning.studyday import add_days
from tutor.learning.world import Rules
from tutor.paths import Home
from tutor.store import open_store
from tutor.study.desk import Desk
from tutor.study.sitting import Sitting
from tutor.study.today import today
from tutor.study.waiting import waiting

SHELF = library(*(choice(f"i-{n}", "abc"[n % 3]) for n in range(400)))


@pytest.fixture(autouse=True)
def weigh_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred cards are many here."""
    monkeypatch.setattr("tutor.study.waiting.WEIGHED", 3)


def fill(home: Home, clock: FakeClock, count: int) -> None:
    """Answer `count` items over the weeks before, so that all are due today, the first the longest."""
    day = clock.now().utc_us
    with open_store(home, clock) as store:
        for number in range(count):
            clock.utc_us = day - (60 - number % 40) * 86_400_000_000 - number * 1_000_000
            payload = answered(f"i-{number}", rating=1 + number % 4, due=add_days(TODAY, -(number % 30)))
            store.append("answered", payload, clock.now(), add_days(TODAY, -60 + number % 40))
    clock.utc_us = day


@pytest.mark.parametrize("count", [20, 390])
def test_the_day_is_the_one_that_all_cards_would_give(home: Home, clock: FakeClock, count: int) -> None:
    """Of few cards all are read, of many those that are weighed; how many are put off is the same either way."""
    fill(home, clock, count)
    rules, now = Rules(), clock.now().utc_us
    with open_store(home, clock) as store:
        past = store.history(TODAY)
        found = waiting(store, SHELF, {}, rules, past, TODAY, now)
        store_cards = store.cards()
        every = due_today(
            SHELF.items, candidates(store_cards.values()), TODAY, now, DEFAULTS, past, rules.reviews_per_day
        )
        few = due_today(
            SHELF.items, found.cards, TODAY, now, DEFAULTS, past, rules.reviews_per_day, beyond=found.beyond
        )
    assert len(found.cards) + found.beyond == count
    assert (len(few.items), few.put_off, few.after_break) == (len(every.items), every.put_off, every.after_break)
    assert every.after_break == (count > LEAST_A_DAY)
    if count == 20:
        assert few == every
    else:
        assert 120 <= len(found.cards) <= 150
        assert {id for id, card in store_cards.items() if card.due == min(c.due for c in store_cards.values())} <= set(
            found.cards
        )


def test_toward_an_interview_every_card_may_come(home: Home, clock: FakeClock) -> None:
    """The greatest gain on the day may be a card that is not due."""
    fill(home, clock, 30)
    with open_store(home, clock) as store:
        store.append("answered", answered("i-31", due="2027-05-01"), clock.now(), TODAY)
        rules = Rules(interview=add_days(TODAY, 9))
        found = waiting(store, SHELF, {}, rules, store.history(TODAY), TODAY, clock.now().utc_us)
    assert len(found.cards) == 31


def test_what_left_the_decks_or_is_not_asked_for_takes_no_place(home: Home, clock: FakeClock) -> None:
    """Neither counts among the cards that are put off."""
    fill(home, clock, 300)
    shelf = library(*(item for item in SHELF.items.values() if item.concept != "c"))
    with open_store(home, clock) as store:
        rules = Rules(concepts=frozenset("a"))
        found = waiting(store, shelf, {}, rules, store.history(TODAY), TODAY, clock.now().utc_us)
    assert {shelf.items[id].concept for id in found.cards} == {"a"}
    assert len(found.cards) + found.beyond == 100


def test_the_likeliest_forgotten_hold_nearly_all_the_gain() -> None:
    """Of 700 and of 3,000 due cards those weighed hold at least 0.8 of what the best of all would bring, as a rule 0.96."""
    chance = random.Random(3)
    gain = gain_of_asking(MONDAY, DEFAULTS)
    shares = []
    for count, places, strength, latest in product((700, 3_000), (40, 200), (1.0, 2.0, 3.5), (1.3, 2.5, 8.0)):
        held = []
        for number in range(count):
            stability = chance.lognormvariate(strength, 1.2)
            last_us = MONDAY - round(stability * chance.uniform(1.0, latest) * 86_400_000_000)
            held.append(Candidate(f"i-{number}", stability, chance.uniform(2, 9), last_us, TODAY, TODAY))
        likeliest = sorted(held, key=lambda one: (one.last_us - MONDAY) / one.stability)[: WEIGHED * places]
        best, among = (sum(sorted(map(gain, some), reverse=True)[:places]) for some in (held, likeliest))
        shares.append(among / best)
    assert min(shares) > 0.8 and max(shares) <= 1
    assert median(shares) > 0.96


def test_a_sure_miss_is_considered_however_many_wait(home: Home, clock: FakeClock) -> None:
    """It comes first of all, so it may not be left out."""
    fill(home, clock, 390)
    with open_store(home, clock) as store:
        past = replace(store.history(TODAY), sure_misses=frozenset({"i-3"}))
        everywhere = waiting(store, SHELF, {}, Rules(), History(), TODAY, clock.now().utc_us)
        found = waiting(store, SHELF, {}, Rules(), past, TODAY, clock.now().utc_us)
    assert "i-3" in found.cards
    assert len(found.cards) - len(everywhere.cards) in (0, 1)


def test_an_item_begun_anew_comes_up_as_new(home: Home, clock: FakeClock) -> None:
    """A changed question whose history was reset has been seen and has no card: it is introduced again by itself."""
    with Desk(home, clock) as desk:
        id = next(item.id for item in desk.library.scheduled() if not item.transfer_of)
        desk.store.append("answered", answered(id), clock.now(), TODAY)
        assert id not in Sitting(desk, desk.rules()).session.world.unseen
        reset = {"item": id, "old_rev": 1, "new_rev": 1, "choice": "reset"}
        desk.store.append("revised", reset, clock.now(), TODAY)
        assert id in Sitting(desk, desk.rules()).session.world.unseen


def test_today_counts_what_a_sitting_may_ask(home: Home, clock: FakeClock) -> None:
    """Where no experiment may run, what this machine would have to answer is in neither, toward an interview too."""
    home.folder.mkdir(parents=True)
    for date in ("", add_days(TODAY, 30)):
        home.config.write_text(f"lab = 'off'\nnew_per_day = 30\ninterview = '{date}'\n")
        with Desk(home, clock) as desk:
            predict = next(item.id for item in desk.library.scheduled() if item.kind == "predict")
            desk.store.append("answered", answered(predict, due=TODAY), clock.now(), add_days(TODAY, -1))
            figures, session = today(desk), Sitting(desk, desk.rules()).session
            assert predict not in session.world.waiting
            assert figures.due == 0
            assert (figures.new, len(session.world.unseen)) == (
                session.world.rules.new_per_day,
                sum(item.kind != "predict" for item in desk.library.scheduled()),
            )
