"""What would be remembered on the interview's day at a given time a day: the present cards carried forward, day by day.

Each day is answered as `policies.toward_day` would have it asked, by learners whose memory is what the model believes (`SAMPLES` of them, so
that luck shows). Budgets share their luck, so that what differs between them is the time. The forecast is as good as the model: on simulated
learners it was too high by .02 to .19 (docs/evidence.md), so before a fit it is an upper limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, sqrt

import numpy as np

from tutor.learning.cards import Card, elapsed_days
from tutor.learning.memory import Rating
from tutor.learning.parameters import Parameters
from tutor.learning.policies import Morning, Policy, toward_day
from tutor.learning.readiness import Readiness
from tutor.learning.replay import Tables, recall_after, step_cards
from tutor.learning.reviewlog import FloatArray, IntArray

SAMPLES = 16
Z95 = 1.959964


@dataclass(frozen=True, slots=True)
class Starting:
    """Where a learner stands: every item that may be asked, with its card or None, in the order in which new ones come."""

    cards: Sequence[Card | None]
    concepts: Sequence[str]
    """Concept of each item."""
    utc_us: int
    left: int
    """Days until the interview."""
    until: int
    """Days over which new items are spread (`interview.days_of_pace`)."""
    new_per_day: int
    known_first: float
    """Share of new items known at first sight."""
    parameters: Parameters


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
    found: dict[int, Outlook] = {}
    best: Outlook | None = None
    for budget in sorted(set(budgets)):
        recall = _carried_forward(start, budget, np.random.default_rng(seed))
        new = _summed_up(recall, start.concepts, budget)
        if best is not None and best.whole.value > new.whole.value:
            new = Outlook(budget, best.whole, best.concepts)
        found[budget] = best = new
    return tuple(found[budget] for budget in budgets)


class _Minds:
    """The memories of the samples, each (SAMPLES, items); NaN where not met."""

    def __init__(self, start: Starting) -> None:
        self.tables = Tables(start.parameters)
        cards = start.cards
        self.s = self._rows([card.memory.stability if card else np.nan for card in cards])
        self.d = self._rows([card.memory.difficulty if card else np.nan for card in cards])
        self.last = self._rows([-elapsed_days(card, start.utc_us) if card else np.nan for card in cards])
        """Day of the last answer; the forecast begins on day 0."""
        self.shut = self._rows([bool(card and card.suspended) for card in cards]) > 0
        self.known_first = np.full(SAMPLES, start.known_first)

    @staticmethod
    def _rows(values: Sequence[float]) -> FloatArray:
        return np.tile(np.asarray(values, dtype=np.float64), (SAMPLES, 1))

    def recall(self, day: float) -> FloatArray:
        """Return R on a day; 0 where not met."""
        flat = recall_after(self.tables, (day - self.last).ravel(), self.s.ravel(), np.log(self.s).ravel())
        return np.nan_to_num(flat.reshape(self.s.shape))

    def answer(self, cells: IntArray, day: float, known: FloatArray) -> None:
        """Step the cells (flat indices) by Good where known, else by Again."""
        s, d, last = self.s.ravel(), self.d.ravel(), self.last.ravel()
        rating = np.where(known, int(Rating.GOOD), int(Rating.AGAIN))
        fresh = np.isnan(s[cells])
        for first in (True, False):
            rows = np.flatnonzero(fresh == first)
            mine = cells[rows]
            old = None if first else (s[mine], d[mine])
            s[mine], d[mine] = step_cards(self.tables, old, day - last[mine], rating[rows])
        last[cells] = day


def _carried_forward(start: Starting, budget: int, rng: np.random.Generator) -> FloatArray:
    """Return R on the interview's day, (SAMPLES, items)."""
    minds = _Minds(start)
    for day in range(start.left):
        luck = rng.random(minds.s.shape)
        met = ~np.isnan(minds.s)
        recall = minds.recall(day)
        unseen = int((~met[0]).sum())
        morning = Morning(
            minds.tables, day, start.left, met, minds.s, minds.d, day - minds.last, recall, np.zeros_like(met),
            minds.known_first,
        )  # fmt: skip
        priority = np.where(minds.shut, -np.inf, _policy(start, day, unseen)(morning))
        order = np.argsort(-priority, axis=1, kind="stable")[:, :budget]
        open_to = np.isfinite(np.take_along_axis(priority, order, axis=1))
        cells = (np.arange(SAMPLES)[:, None] * minds.s.shape[1] + order)[open_to]
        chance = np.where(met, recall, start.known_first).ravel()[cells]
        minds.answer(cells, day, luck.ravel()[cells] < chance)
    return minds.recall(start.left)


def _policy(start: Starting, day: int, unseen: int) -> Policy:
    return toward_day(quota=min(start.new_per_day, ceil(unseen / max(1, start.until - day))))


def _summed_up(recall: FloatArray, concepts: Sequence[str], budget: int) -> Outlook:
    names = np.asarray(concepts)
    parts = {name: _readiness(recall[:, names == name]) for name in dict.fromkeys(concepts)}
    return Outlook(budget, _readiness(recall), parts)


def _readiness(recall: FloatArray) -> Readiness:
    """Return the mean share with a 95 % interval: what varies between samples, and which facts are remembered on the day itself."""
    share = recall.mean(axis=1)
    tosses = (recall * (1 - recall)).sum(axis=1).mean() / recall.shape[1] ** 2
    value, half = float(share.mean()), Z95 * sqrt(float(share.var(ddof=1) + tosses))
    return Readiness(value, max(0.0, value - half), min(1.0, value + half), recall.shape[1])
