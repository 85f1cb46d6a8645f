"""The figures that the file counts and sums, each held to one worked out here from the answers and the cards one by one."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from tests.store.given import DAY, answered
from tests.support import FakeClock, choice, library
from tutor.content.model import Library
from tutor.learning.cards import elapsed_days
from tutor.learning.memory import retrievability
from tutor.learning.studyday import add_days
from tutor.paths import Home
from tutor.report.model import FORECAST_DAYS, build_report
from tutor.store import Store, open_store

DAYS, ITEMS = 40, 60
KEPT = [f"i-{number}" for number in range(ITEMS) if number % 7]
"""The items still in the decks; the others have left them."""


@pytest.fixture
def decks() -> Library:
    """A library of most of what was answered, and of one item that never was."""
    return library(choice("i-never", "a"), *(choice(item, "b") for item in KEPT))


@pytest.fixture
def store(home: Home, clock: FakeClock) -> Iterator[Store]:
    """Forty days of answers drawn by chance: items change their concept, some are set aside, some answers are taken back."""
    chance = random.Random(5)
    with open_store(home, clock) as opened:
        for number in range(DAYS):
            day = add_days(DAY, number)
            for item in chance.sample(range(ITEMS), 6):
                right = chance.random() < 0.6
                said = {
                    "concept": f"k{(item + number // 25) % 5}", "correct": right, "rating": 3 if right else 1,
                    "myth": None if right else chance.choice(["myth-a", "myth-b", None]),
                    "sureness": chance.choice(["sure", "think", "guess", None]), "q": chance.choice([0.4, 0.9]),
                    "due": add_days(day, chance.randrange(1, 60)), "interval": 5,
                }  # fmt: skip
                ref = opened.append("answered", answered(f"i-{item}", **said), clock.now(), day)
                clock.pass_seconds(30)
                if chance.random() < 0.1:
                    opened.undo(ref, clock.now(), day)
            clock.pass_days(1)
        for item in ("i-1", "i-7", "i-8", "i-14"):
            aside = {"item": item, "why": "learner", "remedy": "", "target": ""}
            opened.append("suspended", aside, clock.now(), add_days(DAY, DAYS))
        yield opened


@pytest.fixture
def report(store: Store, decks: Library, clock: FakeClock) -> dict[str, Any]:
    """The figures on the day after."""
    return build_report(store, decks, {}, add_days(DAY, DAYS), clock.now().utc_us)


def test_recall_by_concept_is_the_mean_over_the_cards_in_the_decks(
    store: Store, report: dict[str, Any], clock: FakeClock
) -> None:
    """A card counts for the concept its item had when it was last answered; what left the decks counts among the cards alone."""
    cards, model, now = store.cards(), store.parameters(), clock.now().utc_us
    concept = {answer.payload["item"]: answer.payload["concept"] for answer in store.answers()}
    recalls: dict[str, list[float]] = defaultdict(list)
    for item in set(KEPT) & set(cards):
        card = cards[item]
        recalls[concept[item]].append(retrievability(elapsed_days(card, now), card.memory.stability, model))
    told = {row["concept"]: (row["cards"], row["recall"]) for row in report["concepts"]}
    assert told == {name: (len(each), pytest.approx(sum(each) / len(each), abs=6e-5)) for name, each in recalls.items()}
    assert len(told) == 5 and len(cards) > sum(map(len, recalls.values()))
    assert report["reviews"]["cards"] == len(cards)


def test_due_days_are_those_of_the_cards_in_the_decks(store: Store, report: dict[str, Any]) -> None:
    """What is overdue waits today; what is set aside or left the decks is due on no day."""
    today = add_days(DAY, DAYS)
    due = Counter(max(card.due, today) for item, card in store.cards().items() if item in KEPT and not card.suspended)
    days = [add_days(today, number) for number in range(FORECAST_DAYS)]
    assert report["forecast"] == [{"day": day, "due": due[day]} for day in days]
    assert due[today] > 0 and sum(due[day] for day in days) < due.total()


def test_standings_and_myths_are_those_of_the_answers(store: Store, report: dict[str, Any]) -> None:
    """Each item stands as its latest answer left it; each pick of a myth is counted, with the day of the last."""
    answers = list(store.answers())
    latest = {answer.payload["item"]: answer.payload for answer in answers}
    picks = Counter(answer.payload["myth"] for answer in answers if answer.payload["myth"])
    last = {answer.payload["myth"]: answer.study_day for answer in answers}
    assert {row["myth"]: (row["picked"], row["last"]) for row in report["myths"]} == {
        myth: (times, last[myth]) for myth, times in picks.items()
    }
    assert [row["picked"] for row in report["myths"]] == sorted(picks.values(), reverse=True)
    missed = Counter(data["concept"] for data in latest.values() if not data["correct"])
    assert {row["concept"]: row["missed"] for row in report["concepts"]} == missed
    assert sum(row["n"] for row in report["concepts"]) == len(latest)


def test_picks_are_counted_of_the_item_alone(store: Store, clock: FakeClock) -> None:
    """Another item's picks of the same myth, answers that picked another one and those that picked none are told apart."""
    answers = [answer.payload for answer in store.answers()]
    often = store.memories(clock.now().utc_us, [], often=5).often
    assert set(often) == {item for item, card in store.cards().items() if card.reps >= 5}
    found = {picks.item: picks for picks in store.picks(often, ["myth-b"])}
    assert set(found) == set(often)
    for item, picks in found.items():
        mine = Counter(data["myth"] for data in answers if data["item"] == item)
        assert (picks.times, picks.myths) == (mine.total(), {"myth-b": mine["myth-b"]} if mine["myth-b"] else {})


def test_a_home_without_an_answer_has_no_figure(home: Home, decks: Library, clock: FakeClock) -> None:
    """Nothing is divided by no card, and nothing is due."""
    with open_store(home, clock, read_only=True) as empty:
        report = build_report(empty, decks, {}, DAY, clock.now().utc_us)
    assert (report["reviews"]["cards"], report["concepts"], report["myths"]) == (0, [], [])
    assert {row["due"] for row in report["forecast"]} == {0}
