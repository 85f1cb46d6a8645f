"""The fit: its derivatives against differences, what it finds in simulated learners and a real one, and when it keeps what is."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings

from tests.learning.logs import DAY_US, START_US, Row, built, needs_the_real_log, real_rows, row_lists, simulated
from tests.learning.making import DEFAULTS
from tutor.learning.fit import PRIOR_SD, Progress, estimate, fit, losses
from tutor.learning.intervals import bootstrap_mean
from tutor.learning.parameters import DEFAULT, LOWER, UPPER, Parameters
from tutor.learning.reviewlog import ReviewLog
from tutor.learning.tangents import differentiate

BOUNDS = (np.asarray(LOWER), np.asarray(UPPER))


@cache
def learner(seed: int) -> Parameters:
    """Return weights drawn around the defaults, two thirds of the prior's spread away."""
    drawn = np.asarray(DEFAULT) + np.random.default_rng(seed).normal(0, 0.67, 21) * np.asarray(PRIOR_SD)
    return Parameters(f"truth {seed}", tuple(np.clip(drawn, *BOUNDS)))


def tangled(seed: int, chance: float) -> ReviewLog:
    """Return a log that takes every branch: all ratings, gaps of minutes and of weeks, right answers that may be luck."""
    rng = np.random.default_rng(seed)
    times = np.sort(rng.uniform(0, 60 * DAY_US, 300))
    rows = [(str(rng.integers(0, 20)), START_US + int(now), int(rng.integers(1, 5))) for now in times]
    return built(rows, q=list(rng.choice([1.0, 1.0, 0.6, 0.0], 300)), chance=[chance] * 300)


@pytest.mark.parametrize(("chance", "slip"), [(0.0, 0.0), (0.25, 0.0), (0.25, 0.05)])
@pytest.mark.parametrize("seed", range(2))
def test_the_gradient_is_the_slope_of_the_loss(seed: int, chance: float, slip: float) -> None:
    """Central differences agree at the defaults and around them, with guessing, slips and without, whichever formulas act."""
    log, rng = tangled(seed, chance), np.random.default_rng(seed)
    w = np.asarray(DEFAULT) * (rng.uniform(0.7, 1.3, 21) if seed else 1)
    found = differentiate(log, w, 0.15, slip).gradient
    for j, step in enumerate(np.diag(1e-5 * np.maximum(0.01, w))):
        above, below = (differentiate(log, w + sign * step, 0.15, slip).loss for sign in (1, -1))
        assert found[j] == pytest.approx((above - below) / (2 * step[j]), rel=1e-5, abs=1e-6 * np.abs(found).max())


@pytest.mark.parametrize("chance", [0.0, 0.25])
def test_one_pass_gives_the_loss_of_the_replay(chance: float) -> None:
    """The loss is the sum over the scored reviews, and the Fisher matrix has no negative direction."""
    log = tangled(9, chance)
    sums, scored = differentiate(log, np.asarray(DEFAULT), 0.15), log.scored(0.15)
    assert sums.scored == scored.sum()
    assert sums.loss == pytest.approx(losses(log, DEFAULTS)[scored].sum(), rel=1e-10)
    assert np.isnan(losses(log, DEFAULTS)[~scored]).all()
    assert np.linalg.eigvalsh(sums.fisher).min() > -1e-9 * np.abs(sums.fisher).max()


def test_the_fisher_matrix_is_the_spread_of_the_gradient() -> None:
    """For a learner who is the model, the gradient at the truth is zero on average and varies as the Fisher matrix says."""
    truth = learner(1)
    runs = [
        differentiate(built(simulated(truth, 30, seed, days=60)), np.asarray(truth.weights), 0.15) for seed in range(60)
    ]
    for j in (2, 8, 20):
        spread = np.sqrt(np.mean([run.fisher[j, j] for run in runs]))
        scores = np.array([run.gradient[j] for run in runs])
        assert abs(scores.mean()) < 3.5 * spread / np.sqrt(len(runs))
        assert scores.std() == pytest.approx(spread, rel=0.35)


def test_a_fit_predicts_unseen_cards_better_than_the_defaults() -> None:
    """Over simulated learners it closes most of the distance between the defaults and the truth."""
    gaps = []
    for seed in range(5):
        truth = learner(seed)
        found = Parameters("fit", estimate(built(simulated(truth, 250, seed)), 0.15))
        test = built(simulated(truth, 250, 100 + seed))
        scored = test.scored(0.15)
        default, fitted, best = (losses(test, one)[scored].mean() for one in (DEFAULTS, found, truth))
        gaps.append((default - best, fitted - best))
    default_excess, fitted_excess = np.mean(gaps, axis=0)
    assert default_excess > 0.004
    assert fitted_excess < 0.5 * default_excess


def test_a_learner_who_guesses_is_not_taken_for_one_who_remembers() -> None:
    """Told the chances, the fit ends nearer the true forgetting than a fit that takes every right answer for recall."""
    truth = learner(2)
    rows = simulated(truth, 400, 3, chance=0.25)
    plain, aware = built(rows), built(rows, chance=[0.25] * len(rows))
    test = built(simulated(truth, 250, 103))
    scored = test.scored(0.15)
    found = [Parameters("fit", estimate(log, 0.15)) for log in (plain, aware)]
    naive, known = (losses(test, one)[scored].mean() for one in found)
    assert known < naive


def test_it_is_adopted_with_its_numbers() -> None:
    """A learner far from the defaults: the last fifth is predicted better, the figures say so, the id is that of the content."""
    log = built(simulated(learner(0), 250, 0))
    steps: list[Progress] = []
    done = fit(log, DEFAULTS, steps.append)
    assert (done.adopted, done.reason) == (True, "better")
    assert done.before is not None and done.after is not None and done.difference is not None
    assert done.after < done.before
    assert done.difference.low < done.difference.value < done.difference.high
    assert done.difference.value == pytest.approx(done.after - done.before)
    assert done.parameters.weights != DEFAULT and done.changes
    assert all(done.parameters.weights[c.weight] == c.after != c.before == DEFAULT[c.weight] for c in done.changes)
    assert [step.stage for step in steps] == sorted(step.stage for step in steps)
    assert fit(log, DEFAULTS) == done
    assert done.parameters.id.startswith("fsrs6-fit-")


def test_what_is_already_right_is_kept() -> None:
    """Beside the learner's true weights a fit to four fifths of a short log is not better, and nothing changes."""
    truth = learner(0)
    done = fit(built(simulated(truth, 60, 4)), truth)
    assert (done.adopted, done.reason, done.parameters, done.changes) == (False, "not better", truth, ())


def _later(cards: int) -> list[Row]:
    """Return first reviews of other cards, on the hundredth day."""
    return [(f"new {card}", START_US + 100 * DAY_US + card, 3) for card in range(cards)]


def _days(outcomes: list[int], cards: int = 1) -> list[Row]:
    return [
        (str(card), START_US + (10 * day) * DAY_US + card, rating)
        for day, rating in enumerate(outcomes)
        for card in range(cards)
    ]


@pytest.mark.parametrize(
    ("rows", "reason", "counts"),
    [
        ([], "no repeats", (0, 0, 0)),
        (_days([3], cards=500), "no repeats", (500, 0, 0)),
        (_days([3, 1, 3]), "too few", (3, 2, 0)),
        (_days([3] * 5, cards=30), "one outcome", (150, 120, 0)),
        (_days([1] * 5, cards=30), "one outcome", (150, 120, 0)),
        ([*_days([3, 1, 3], cards=60), *_later(100)], "too few held out", (280, 120, 0)),
    ],
)
def test_a_log_that_cannot_be_fitted_keeps_the_parameters(
    rows: list[Row], reason: str, counts: tuple[int, int, int]
) -> None:
    """The reason with its counts, and the set in use stays."""
    log = built(rows)
    done = fit(log, DEFAULTS)
    assert (done.reason, done.adopted, done.parameters) == (reason, False, DEFAULTS)
    assert (done.reviews, done.scored, done.held_out) == counts


@pytest.mark.parametrize("after", [0, 1, 4])
def test_it_stops_between_iterations(after: int) -> None:
    """Cancelled before the first iteration or a later one, the parameters stay."""
    steps: list[Progress] = []
    done = fit(built(simulated(learner(0), 100, 0)), DEFAULTS, steps.append, lambda: len(steps) >= after)
    assert (done.reason, done.parameters, len(steps)) == ("cancelled", DEFAULTS, after)


@given(row_lists())
@settings(max_examples=25, deadline=None)
def test_weights_stay_within_their_bounds(rows: list[Row]) -> None:
    """Whatever a log holds, a fit without gate gives weights that can be used."""
    weights = estimate(built(rows), 0.15)
    assert all(low <= weight <= high for weight, low, high in zip(weights, LOWER, UPPER, strict=True))


@pytest.mark.parametrize("spread", [1e-6, 1e6])
def test_the_prior_decides_how_far_it_goes(spread: float) -> None:
    """A tight prior leaves the defaults, a wide one fits the log closer than the published one."""
    log = built(simulated(learner(0), 60, 0))
    free = Parameters("free", estimate(log, 0.15, spread=(spread,) * 21))
    if spread < 1:
        assert free.weights == pytest.approx(DEFAULT, abs=1e-4)
    else:
        tight = Parameters("tight", estimate(log, 0.15))
        scored = log.scored(0.15)
        assert losses(log, free)[scored].mean() <= losses(log, tight)[scored].mean() + 1e-5


def test_an_interval_widens_where_cards_agree_with_themselves() -> None:
    """Ten equal reviews of a card say no more than one: the interval of the mean is that of the cards."""
    values = np.random.default_rng(0).normal(size=50)
    alone = bootstrap_mean(values, np.arange(50))
    tenfold = bootstrap_mean(np.repeat(values, 10), np.repeat(np.arange(50), 10))
    assert (tenfold.low, tenfold.high) == pytest.approx((alone.low, alone.high))
    assert alone.high - alone.low == pytest.approx(2 * 1.96 * values.std() / np.sqrt(50), rel=0.2)
    assert np.isnan(bootstrap_mean(np.zeros(0), np.zeros(0, dtype=np.intp)).value)


@pytest.mark.shared
@needs_the_real_log
def test_a_real_log_is_fitted() -> None:
    """On the real learner's log the fit is adopted, and every sum is finite."""
    done = fit(built(list(real_rows())), DEFAULTS)
    assert (done.adopted, done.reviews, done.held_out > 1000) == (True, 12_580, True)
