"""What would be remembered on the interview's day at a given time a day: the present cards carried forward, day by day.

Each day is asked as `policies.toward_day` would have it by what the tutor believes, and answered by learners who may be this one: their weights
are drawn from what his answers leave open (`posterior`), as is the share of new items that they know. Luck counts for what it is: a lucky
guess moves the tutor's belief and not the memory. Budgets share draws and luck, so that what differs between them is the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tutor.learning.cards import Card, elapsed_days
from tutor.learning.guessing import PRIOR, knowledge
from tutor.learning.learners import ModelGroup
from tutor.learning.memory import MIN_STABILITY, Rating
from tutor.learning.parameters import Parameters
from tutor.learning.policies import Morning, toward_day
from tutor.learning.posterior import drawn_sets, memories
from tutor.learning.readiness import Readiness
from tutor.learning.replay import Tables, recall_after, step_cards
from tutor.learning.reviewlog import BoolArray, FloatArray, IntArray, ReviewLog, build_log

DRAWS = 40
"""How many learners are drawn. One more of their like lies between the least and the greatest of 40 with probability 39/41, 95 %."""
NOTHING = build_log((), (), ())


@dataclass(frozen=True, slots=True)
class Starting:
    """Where a learner stands: every item that may be asked, with its card or None, in the order in which new ones come."""

    cards: Sequence[Card | None]
    concepts: Sequence[str]
    """Concept of each item."""
    chances: Sequence[float]
    """Chance of each item to be answered rightly without knowledge."""
    utc_us: int
    left: int
    """Days until the interview."""
    until: int
    """Days over which new items are spread (`interview.days_of_pace`)."""
    new_per_day: int
    known_first: float
    """Share of new items known at first sight."""
    known_weight: float
    """How many first sights that share rests on."""
    parameters: Parameters
    log: ReviewLog = NOTHING
    """The learner's answers so far."""
    places: Sequence[int] = ()
    """Card of each item within that log; -1 where it has none. Empty for none at all."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The forecast for one budget."""

    answers: int
    """First tries a day, at most."""
    whole: Readiness
    """Of all items."""
    concepts: Mapping[str, Readiness] = field(default_factory=dict)


def outlook(start: Starting, budgets: Sequence[int], seed: int = 0) -> tuple[Outlook, ...]:
    """Return the forecast of each budget, in first tries a day, in the order given; none lies below one of a smaller budget.

    Whoever has more time could do what less time allows, so a smaller budget's forecast holds for a greater one where chance put it higher.
    """
    if not start.cards:
        return tuple(Outlook(budget, Readiness(0.0, 0.0, 0.0, 0)) for budget in budgets)
    order = sorted(set(budgets))
    found: dict[int, Outlook] = {}
    best: Outlook | None = None
    rng = np.random.default_rng(seed)
    recalls = _carried_forward(start, order, rng)
    tosses = rng.random(recalls.shape[1:])
    for budget, recall in zip(order, recalls, strict=True):
        new = _summed_up(recall, tosses, start.concepts, budget)
        if best is not None and best.whole.value > new.whole.value:
            new = Outlook(budget, best.whole, best.concepts)
        found[budget] = best = new
    return tuple(found[budget] for budget in budgets)


class _Forecast:
    """What the tutor believes of the drawn learners, (budgets * learners, items) with NaN where not met, and what they remember."""

    def __init__(self, start: Starting, budgets: Sequence[int], rng: np.random.Generator) -> None:
        cards, items = start.cards, len(start.cards)
        sets = drawn_sets(start.log, start.parameters.threshold_days, DRAWS, rng)
        self.start, self.tables = start, Tables(start.parameters)
        self.budgets = np.repeat(np.asarray(budgets), DRAWS)
        self.known_first = np.tile(_known_first(start, rng), len(budgets))
        self.shut = np.array([bool(card and card.suspended) for card in cards])
        self.chance = np.asarray(start.chances)
        shape = (len(self.budgets), items)
        s, d, last = np.full(items, np.nan), np.full(items, np.nan), np.full(items, np.nan)
        for place, card in enumerate(cards):
            if card is not None:
                s[place], d[place], last[place] = (
                    card.memory.stability, card.memory.difficulty, -elapsed_days(card, start.utc_us),
                )  # fmt: skip
        self.s, self.d, self.last = (np.broadcast_to(column, shape).copy() for column in (s, d, last))
        """`last` is the day of the last answer; the forecast begins on day 0."""
        self.truth = ModelGroup(sets, items, copies=len(budgets))
        mine_s, mine_d = _memories(start, sets, s, d)
        self.truth.begin(np.tile(mine_s, (len(budgets), 1)), np.tile(mine_d, (len(budgets), 1)), self.last)

    def live(self, day: int, luck: FloatArray, guess: FloatArray) -> None:
        """Ask and answer what day `day` asks; luck and guess are uniform draws, (learners, items)."""
        flat = recall_after(self.tables, (day - self.last).ravel(), self.s.ravel(), np.log(self.s).ravel())
        believed = np.nan_to_num(flat.reshape(self.s.shape))
        cells = self._asked(day, believed)
        row, item = np.divmod(cells, self.s.shape[1])
        fresh = np.isnan(self.s.ravel()[cells])
        true = np.where(fresh, self.known_first[row], self.truth.recall(cells, day))
        known = luck[row % DRAWS, item] < true
        right = known | (guess[row % DRAWS, item] < self.chance[item])
        before = np.where(fresh, PRIOR, believed.ravel()[cells])
        self._believe(cells, day, fresh, right, np.where(right, knowledge(before, self.chance[item]), 1.0))
        self.truth.practise(cells, day, known)

    def _asked(self, day: int, believed: FloatArray) -> IntArray:
        """Return the cells asked, in each learner's order, as flat indices."""
        start, met = self.start, ~np.isnan(self.s)
        unseen = (~met).sum(axis=1, keepdims=True)
        quota = np.minimum(start.new_per_day, np.ceil(unseen / max(1, start.until - day)).astype(np.intp))
        morning = Morning(
            self.tables, day, start.left, met, self.s, self.d, day - self.last, believed, np.zeros_like(met),
            self.known_first,
        )  # fmt: skip
        priority = np.where(self.shut, -np.inf, toward_day(quota=quota)(morning))
        order = np.argsort(-priority, axis=1, kind="stable")[:, : int(self.budgets.max())]
        open_to = np.isfinite(np.take_along_axis(priority, order, axis=1))
        open_to &= np.arange(order.shape[1]) < self.budgets[:, None]
        return np.asarray((np.arange(len(order))[:, None] * self.s.shape[1] + order)[open_to])

    def _believe(self, cells: IntArray, day: int, fresh: BoolArray, right: BoolArray, q: FloatArray) -> None:
        """Step what the tutor believes: right is Good, counted with the probability `q` that it was knowledge."""
        s, d, last = self.s.ravel(), self.d.ravel(), self.last.ravel()
        rating = np.where(right, int(Rating.GOOD), int(Rating.AGAIN))
        for first in (True, False):
            rows = np.flatnonzero(fresh == first)
            mine = cells[rows]
            old = None if first else (s[mine], d[mine])
            s[mine], d[mine] = step_cards(self.tables, old, day - last[mine], rating[rows], q[rows])
        last[cells] = day


def _carried_forward(start: Starting, budgets: Sequence[int], rng: np.random.Generator) -> FloatArray:
    """Return the true recall on the interview's day, (budgets, learners, items)."""
    forecast = _Forecast(start, budgets, rng)
    items = len(start.cards)
    for day in range(start.left):
        forecast.live(day, rng.random((DRAWS, items)), rng.random((DRAWS, items)))
    recall = forecast.truth.recall(np.arange(len(forecast.budgets) * items), start.left)
    return recall.reshape(len(budgets), DRAWS, items)


def _known_first(start: Starting, rng: np.random.Generator) -> FloatArray:
    """Return the share of new items that each of the learners knows, in mirrored pairs."""
    mean, weight = start.known_first, start.known_weight
    half = rng.beta(max(1e-3, mean * weight), max(1e-3, (1 - mean) * weight), DRAWS // 2)
    return np.clip(np.stack([half, 2 * mean - half], axis=1).ravel(), 0.0, 1.0)


def _memories(
    start: Starting, sets: Sequence[Parameters], s: FloatArray, d: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return S and D of every item under each set, (sets, items): the card's own, moved as its answers are moved by the set."""
    mine_s, mine_d = np.tile(s, (len(sets), 1)), np.tile(d, (len(sets), 1))
    places = np.asarray(start.places, dtype=np.intp)
    held = np.flatnonzero(places >= 0)
    if held.size:
        times, more = memories(start.log, sets, start.parameters)
        mine_s[:, held] = np.maximum(mine_s[:, held] * times[:, places[held]], MIN_STABILITY)
        mine_d[:, held] = np.clip(mine_d[:, held] + more[:, places[held]], 1.0, 10.0)
    return mine_s, mine_d


def _summed_up(recall: FloatArray, tosses: FloatArray, concepts: Sequence[str], budget: int) -> Outlook:
    names, remembered = np.asarray(concepts), tosses < recall
    parts = {
        name: _readiness(recall[:, chosen], remembered[:, chosen])
        for name in dict.fromkeys(concepts)
        for chosen in [names == name]
    }
    return Outlook(budget, _readiness(recall, remembered), parts)


def _readiness(recall: FloatArray, remembered: BoolArray) -> Readiness:
    """Return the mean share, and the least and the greatest share remembered by any of the learners, (learners, items)."""
    value, shares = float(recall.mean()), remembered.mean(axis=1)
    return Readiness(value, min(value, float(shares.min())), max(value, float(shares.max())), recall.shape[1])
