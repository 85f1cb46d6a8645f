"""Calibration on the learner's own log: the rules side by side, the adopted fit, and what is left out."""

from __future__ import annotations

import json

import pytest

from tests.bench.fill_home import fill
from tests.study.conftest import made_up
from tests.support import FakeClock
from tutor.paths import Home
from tutor.study.calibration import RULES, calibration, words
from tutor.study.desk import Desk
from tutor.study.fitting import adopt
from tutor.study.verdict import fit_log


def test_an_adopted_fit_shows_beside_defaults_and_a_constant(home: Home, later: FakeClock) -> None:
    """All four rules on the same reviews, each with intervals and a curve whose parts add up."""
    with Desk(home, later) as desk:
        verdict = fit_log(desk.store)
        adopt(desk, verdict)
        found = calibration(desk.store)
    assert found["why"] == ""
    assert set(found["rules"]) == set(RULES)
    assert (found["parameters"]["id"], found["parameters"]["n"]) == (verdict.id, verdict.scored)
    for score in found["rules"].values():
        assert score["log_loss"]["low"] <= score["log_loss"]["value"] <= score["log_loss"]["high"]
        assert sum(part["reviews"] for part in score["curve"]) == found["scored"]
    assert found["rules"]["present"]["difference"]["value"] < 0
    assert found["rules"]["default"]["difference"] == {"value": 0, "low": 0, "high": 0}
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    said = words(found)
    assert any(line.startswith(RULES["present"]) for line in said)
    assert f"fitted to {verdict.scored:,} reviews" in said[-1]


def test_same_day_answers_are_never_scored(home: Home) -> None:
    """A second answer an hour later leaves the reviews that are scored, and the rest of the figures, what they were."""
    plain = made_up()[:300]
    fill(home, plain, rollover=4)
    doubled = [
        row for card, at, rating, ms in plain for row in ((card, at, rating, ms), (card, at + 3_600_000_000, 3, ms))
    ]
    other = Home(home.folder.parent / "doubled")
    fill(other, doubled, rollover=4)
    counts = []
    for place in (home, other):
        with Desk(place, FakeClock(utc_us=plain[-1][1] + 86_400_000_000), read_only=True) as desk:
            found = calibration(desk.store)
            counts.append((found["scored"], found["cards"], found["reviews"]))
    (scored, cards, reviews), (again, same, twice) = counts
    assert twice == 2 * reviews
    assert cards == same
    assert again == pytest.approx(scored, abs=3)  # the cuts by time move by the hour


def test_a_guess_is_allowed_for(home: Home) -> None:
    """The same answers on items of four options are predicted right more often: chance and recall together."""
    clock = FakeClock(utc_us=made_up()[-1][1] + 86_400_000_000)
    fill(home, made_up(), rollover=4)
    other = Home(home.folder.parent / "guessed")
    fill(other, made_up(), rollover=4, kind="choice", options=["a", "b", "c", "d"])
    means = []
    for place in (home, other):
        with Desk(place, clock, read_only=True) as desk:
            curve = calibration(desk.store)["rules"]["default"]["curve"]
        means.append(sum(b["predicted"] * b["reviews"] for b in curve) / sum(b["reviews"] for b in curve))
    assert means[1] == pytest.approx(0.25 + 0.75 * means[0], abs=1e-3)


def test_too_few_are_a_sentence(desk: Desk) -> None:
    """No scores, no figures made up: one line with the numbers."""
    found = calibration(desk.store)
    assert found["rules"] == {}
    assert words(found) == [found["why"]]
    assert "an evaluation needs 30" in found["why"]
