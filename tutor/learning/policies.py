"""Which items to ask on a day: queues by due day, and the choice of greatest expected gain toward an interview date.

Each policy turns a morning into priorities, (learners, items): the highest is asked first, -inf is not asked today.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tutor.learning.interview import AHEAD_DAYS, PACE
from tutor.learning.memory import MIN_STABILITY, Rating
from tutor.learning.replay import Tables, gain, lapse, recall_after, step_cards
from tutor.learning.reviewlog import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Morning:
    """What the scheduler believes when a day begins; all (learners, items) unless said."""

    tables: Tables
    day: int
    days: int
    """The interview is on the morning of this day."""
    met: BoolArray
    stability: FloatArray
    """Days; NaN where not met."""
    difficulty: FloatArray
    since: FloatArray
    """Days since the last answer; NaN where not met."""
    recall: FloatArray
    """R now; 0 where not met."""
    due: BoolArray
    known_first: FloatArray
    """(learners,): share of new items a learner knew, as far as his first answers tell."""

    @property
    def place(self) -> IntArray:
        """Place of each item not met among those not met, from 0; items are met in their order."""
        return np.asarray(np.cumsum(~self.met, axis=1) - 1)


Policy = Callable[[Morning], FloatArray]
_LAST = -np.inf


def due_first(morning: Morning) -> FloatArray:
    """What is due, most likely forgotten first; then new items in their order."""
    new = 1 - morning.place / morning.met.shape[1]
    return np.where(morning.met, np.where(morning.due, 2 - morning.recall, _LAST), new)


def new_first(morning: Morning) -> FloatArray:
    """New items in their order as long as there are any; then what is due."""
    new = 3 - morning.place / morning.met.shape[1]
    return np.where(morning.met, np.where(morning.due, 2 - morning.recall, _LAST), new)


def paced(per_day: int) -> Policy:
    """Return the policy of so many new items a day before what is due, and no others."""

    def choose(morning: Morning) -> FloatArray:
        return np.where(morning.met | (morning.place < per_day), new_first(morning), _LAST)

    return choose


def greatest_gain(morning: Morning) -> FloatArray:
    """Whatever gains most in expected recall on the interview's morning, new items and met ones alike."""
    tables, left = morning.tables, morning.days - morning.day
    first_good, first_again = (
        _after(tables, tables.first_s[[rating]], left)[0] for rating in (Rating.GOOD, Rating.AGAIN)
    )
    expected = morning.known_first * first_good + (1 - morning.known_first) * first_again
    new = expected[:, None] - 1e-9 * morning.place  # those that promise the same, in their order
    return _gainful(np.where(morning.met, _gains(morning, left), new))


def toward_day(pace: float = PACE, ahead: int = AHEAD_DAYS, quota: int | IntArray | None = None) -> Policy:
    """Return the policy for an interview date: new items spread over the first `pace` of the days, then the greatest gain.

    `quota` is the number of new items a day, for all or for each learner (learners, 1), where it is not to follow from the pace.

    The gain is looked for on the interview's morning, but at most `ahead` days ahead: further off, an answer is not the last before it.
    """

    def choose(morning: Morning) -> FloatArray:
        most = int(np.ceil(morning.met.shape[1] / (pace * morning.days))) if quota is None else quota
        gains = _gainful(_gains(morning, min(ahead, morning.days - morning.day)))
        new = np.where(morning.place < most, 2.0 - 1e-6 * morning.place, _LAST)
        return np.where(morning.met, gains, new)

    return choose


def _gains(morning: Morning, left: int) -> FloatArray:
    """Return R·R(left, S_good) + (1 - R)·R(left, S_again) - R(since + left, S) of the items met, 0 of the others."""
    tables, met = morning.tables, morning.met
    s, d, since, recall = morning.stability[met], morning.difficulty[met], morning.since[met], morning.recall[met]
    ln_s = np.log(s)
    good = s * (1 + gain(tables, d, recall, ln_s, 1.0))
    again = lapse(tables, s, d, recall)
    soon = np.flatnonzero(since < tables.threshold)
    if soon.size:
        for after, rating in ((good, Rating.GOOD), (again, Rating.AGAIN)):
            old = (s[soon], d[soon])
            after[soon] = step_cards(tables, old, since[soon], np.full(soon.size, int(rating)))[0]
    good, again = (_after(tables, np.maximum(after, MIN_STABILITY), left) for after in (good, again))
    gains = np.zeros(met.shape)
    gains[met] = recall * good + (1 - recall) * again - recall_after(tables, since + left, s, ln_s)
    return gains


def _gainful(gains: FloatArray) -> FloatArray:
    return np.where(gains > 0, gains, _LAST)


def _after(tables: Tables, s: FloatArray, days: int) -> FloatArray:
    return recall_after(tables, np.full(len(s), float(days)), s, np.log(s))
