"""The evaluation: nothing is predicted from what came later, the measures by hand, and learners whose truth is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learning.logs import DAY_US, START_US, Row, built, needs_the_real_log, real_rows, row_lists, simulated
from tests.learning.making import DEFAULTS
from tests.learning.test_fit import learner
from tutor.learning.evaluate import (
    auc_interval,
    backtest,
    constant,
    evaluate,
    expected_right,
    fixed,
    log_losses,
    refitted,
    reliability,
)
from tutor.learning.fit import Cancelled, Progress
from tutor.learning.replay import replay


@given(row_lists(ordered=True))
@settings(max_examples=50, deadline=None)
def test_only_later_days_of_the_last_five_sixths_are_scored(rows: list[Row]) -> None:
    """Never a first review, never one on the same day, never one of the first sixth; each at most once."""
    log = built(rows)
    found = backtest(log, {"default": fixed(DEFAULTS), "constant": constant(0.15)})
    start = np.quantile(log.at, 1 / 6)
    assert sorted(found.rows) == np.flatnonzero(log.scored(0.15) & (log.at >= start)).tolist()
    assert found.right.tolist() == log.right[found.rows].tolist()


def test_what_comes_later_changes_nothing_before() -> None:
    """With the last half of the answers turned round, the predictions of the first half are the same."""
    rows = simulated(learner(0), 120, 0)
    half = rows[len(rows) // 2][1]
    turned = [(card, now, rating if now < half else 4 - rating) for card, now, rating in rows]
    rules = {"fitted": refitted(0.15), "constant": constant(0.15), "default": fixed(DEFAULTS)}
    one, other = (backtest(built(which), rules) for which in (rows, turned))
    log = built(rows)
    assert one.rows.tolist() == other.rows.tolist()
    early = log.at[one.rows] < np.quantile(log.at, 0.5)
    for name in rules:
        assert one.by_rule[name][early].tolist() == other.by_rule[name][early].tolist()
        assert one.by_rule[name][~early].tolist() != other.by_rule[name][~early].tolist()


def test_the_constant_is_the_share_right_so_far() -> None:
    """One of three right before, and one of each added: two in five."""
    rows = [("a", START_US + day * DAY_US, rating) for day, rating in enumerate((3, 3, 1, 1, 3, 3, 3, 3))]
    log = built(rows)
    p = constant(0.15)(log.until(log.at[4]))(log)
    assert math.isnan(p[0]) and p[1:].tolist() == [pytest.approx(2 / 5)] * 7


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans(), st.integers(0, 5)), min_size=1, max_size=40))
@settings(max_examples=60, deadline=None)
def test_auc_counts_pairs(rows: list[tuple[int, bool, int]]) -> None:
    """It is the share of pairs of a right and a wrong answer in which the right one had the higher prediction, ties half."""
    p, right, card = (np.array(column) for column in zip(*rows, strict=True))
    found = auc_interval(p / 7, right, card, resamples=20)
    pairs = [(up > down) + (up == down) / 2 for up in p[right] for down in p[~right]]
    if not pairs:
        assert math.isnan(found.value)
    else:
        assert found.value == pytest.approx(np.mean(pairs))
        assert math.isnan(found.low) or found.low <= found.high


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.booleans()), max_size=120))
@settings(max_examples=30, deadline=None)
def test_the_reliability_curve_holds_every_review_once(rows: list[tuple[float, bool]]) -> None:
    """Bins rise, hold all reviews, and their means give back the overall ones."""
    p, right = np.array([row[0] for row in rows]), np.array([row[1] for row in rows], dtype=np.bool_)
    curve = reliability(p, right, np.arange(len(p)))
    assert sum(one.reviews for one in curve) == len(p)
    assert [one.predicted for one in curve] == sorted(one.predicted for one in curve)
    assert all(one.low <= one.right <= one.high for one in curve)
    assert sum(one.right * one.reviews for one in curve) == pytest.approx(right.sum())


def test_a_learner_who_is_the_model_is_predicted_as_he_is() -> None:
    """With the true weights in use the curve lies on the diagonal, and they beat defaults and constant; the fit lies between."""
    truth = learner(0)
    found = evaluate(built(simulated(truth, 500, 7)), truth)
    scores = found.scores
    assert list(scores) == ["fitted", "present", "default", "constant"]
    order = [scores[name].log_loss.value for name in ("present", "fitted", "default", "constant")]
    assert order == sorted(order)
    assert scores["default"].difference.value == 0
    covered = [one.low - 0.01 <= one.predicted <= one.high + 0.01 for one in scores["present"].curve]
    assert sum(covered) >= len(covered) - 2
    assert scores["present"].auc.low > 0.5
    assert scores["constant"].auc.value == pytest.approx(0.5, abs=0.06)


def test_guessing_is_expected_where_it_is_possible() -> None:
    """A learner with four options is right more often than he remembers: with the chance said, the prediction fits, without it is low."""
    assert expected_right(np.array([0.0, 0.6, 1.0]), np.array([0.25] * 3)).tolist() == [0.25, pytest.approx(0.7), 1.0]
    truth = learner(1)
    rows = simulated(truth, 300, 8, chance=0.25)
    plain, aware = built(rows), built(rows, chance=[0.25] * len(rows))
    shares = {}
    for name, log in (("plain", plain), ("aware", aware)):
        scored = log.scored(0.15)
        p = expected_right(replay(log, truth).recall, log.chance)[scored]
        shares[name] = p.mean() - log.right[scored].mean()
    assert abs(shares["aware"]) < 0.02 < -shares["plain"]


def test_log_loss_by_hand() -> None:
    """The surprise of what happened, in nats."""
    assert log_losses(np.array([0.8, 0.8]), np.array([True, False])) == pytest.approx([-math.log(0.8), -math.log(0.2)])


def test_too_little_is_not_evaluated() -> None:
    """No scores where they would mean nothing."""
    assert evaluate(built([]), DEFAULTS).scores == {}
    found = evaluate(built([("a", START_US + day * DAY_US, 3) for day in range(12)]), DEFAULTS)
    assert (found.scores, found.scored) == ({}, 10)


def test_one_outcome_has_no_auc() -> None:
    """A learner who is always right gets a log loss; an AUC needs both outcomes."""
    rows = [(str(card), START_US + (7 * day) * DAY_US + card, 3) for day in range(8) for card in range(10)]
    found = evaluate(built(rows), DEFAULTS)
    assert found.right == 1.0
    assert math.isnan(found.scores["default"].auc.value)
    assert found.scores["default"].log_loss.value > 0


def test_it_can_be_watched_and_stopped() -> None:
    """Each fold's fit reports as a fit does, and a stop ends it."""
    log = built(simulated(learner(0), 150, 0))
    seen: list[Progress] = []
    evaluate(log, DEFAULTS, seen.append)
    assert {step.stage for step in seen} == {"evaluate"}
    with pytest.raises(Cancelled):
        evaluate(log, DEFAULTS, cancelled=lambda: True)


@pytest.mark.shared
@needs_the_real_log
def test_on_a_real_log_the_fit_beats_the_defaults() -> None:
    """Held out by time, log loss falls by at least 0.007 and its interval excludes zero; a constant is far behind."""
    scores = evaluate(built(list(real_rows())), DEFAULTS).scores
    assert scores["fitted"].difference.high < 0
    assert scores["fitted"].difference.value < -0.007
    assert scores["constant"].difference.low > 0.05
