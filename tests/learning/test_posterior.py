"""Sets of weights that may be a learner's: the published spread without answers, narrower and nearer the truth with them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from tests.bench.slips import next_parts
from tests.learning.logs import built, needs_the_real_log, real_rows, row_lists, simulated
from tests.learning.making import DEFAULTS
from tutor.learning.fit import PRIOR_SD
from tutor.learning.learners import drawn_parameters
from tutor.learning.parameters import DEFAULT, LOWER, UPPER
from tutor.learning.posterior import drawn_sets, memories
from tutor.learning.replay import replay
from tutor.learning.reviewlog import FloatArray, ReviewLog, build_log

NOTHING = build_log((), (), ())


def weights(log: ReviewLog, count: int, seed: int = 2) -> FloatArray:
    """Return drawn weights, (count, 21)."""
    return np.array([one.weights for one in drawn_sets(log, 0.15, count, np.random.default_rng(seed))])


def test_without_answers_they_spread_as_published() -> None:
    """In mirrored pairs around the defaults, within the bounds, first stabilities rising with the rating."""
    found = weights(NOTHING, 2000)
    assert (found >= LOWER).all() and (found <= UPPER).all()
    assert (np.diff(found[:, :4], axis=1) >= 0).all()
    for j in (4, 5, 8, 10, 11):  # those that the bounds do not cut
        assert found[:, j].mean() == pytest.approx(DEFAULT[j], abs=0.03)
        assert found[:, j].std() == pytest.approx(PRIOR_SD[j], rel=0.06)
    pair = found[0] + found[1]
    assert pair[8] == pytest.approx(2 * DEFAULT[8])


@settings(max_examples=15, deadline=None)
@given(row_lists())
def test_any_log_gives_sets_that_can_be_used(rows: list[tuple[str, int, int]]) -> None:
    """Whatever was answered, weights are finite and within bounds, and every card has a memory under each."""
    log = built(rows)
    sets = drawn_sets(log, 0.15, 4, np.random.default_rng(0))
    found = np.array([one.weights for one in sets])
    assert (found >= LOWER).all() and (found <= UPPER).all()
    times, more = memories(log, sets, DEFAULTS)
    assert times.shape == more.shape == (4, log.cards)
    assert (times > 0).all() and np.isfinite(times).all() and (np.abs(more) <= 9).all()


def test_answers_narrow_them_toward_the_truth() -> None:
    """Over learners: the spread of what is foreseen shrinks with the log, and its mean errs less than the defaults do."""
    spreads, errors, defaults = [], [], []
    for seed, truth in enumerate(drawn_parameters(6, 5)):
        log, fresh = built(simulated(truth, 250, seed)), built(simulated(truth, 60, 50 + seed))
        true, plain = replay(fresh, truth).recall, replay(fresh, DEFAULTS).recall
        known, unknown = (
            np.array(
                [
                    np.nanmean(replay(fresh, one).recall)
                    for one in drawn_sets(before, 0.15, 40, np.random.default_rng(0))
                ]
            )
            for before in (log, NOTHING)
        )
        spreads.append(known.std() / unknown.std())
        errors.append(abs(known.mean() - np.nanmean(true)))
        defaults.append(abs(np.nanmean(plain) - np.nanmean(true)))
    assert np.mean(spreads) < 0.5
    assert np.mean(errors) < 0.75 * np.mean(defaults)


def test_under_the_present_set_memories_are_what_they_are() -> None:
    """Its own ratios are one."""
    log = built(simulated(DEFAULTS, 30, 1))
    times, more = memories(log, [DEFAULTS], DEFAULTS)
    assert (times == 1).all() and (more == 0).all()


@needs_the_real_log
def test_what_comes_next_on_a_real_log_lies_within() -> None:
    """The share right in each fifth part to come, by sets drawn from what was before: within 95 % in four of five at least."""
    found = list(next_parts(built(list(real_rows())), 6))
    assert len(found) == 5
    assert sum(low <= true <= high for _, true, _, low, high in found) >= 4
    assert all(high - low < 0.4 for _, _, _, low, high in found)
