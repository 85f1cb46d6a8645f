"""Which experiment a miss leads to, and how the rungs of its ladder follow each other."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import EXPERIMENT, choice, library
from tutor.content.model import ExperimentLink, Library
from tutor.learning.ladder import RETIRED_AFTER, diagnose, rung
from tutor.learning.records import MythHistory, PastRun

PAST = PastRun("2026-11-29", "proof", {}, "outcome", "no", "yes", ())
CATALOGUE = {"proof": EXPERIMENT, "other": replace(EXPERIMENT, id="other")}
OWN = choice("a-1", "a", experiment=ExperimentLink("other", {"n": 3}, "what"))
BARE = choice("a-2", "a")
RUNGS = ("run", "recall", "flip", "retired")


def shelf() -> Library:
    """Return the library in which `myth-a` has an experiment and `myth-b` has none."""
    return library(OWN, BARE)


@pytest.mark.parametrize(
    ("myth", "item", "found"),
    [
        ("myth-a", OWN, "proof"),
        ("myth-a", BARE, "proof"),
        ("myth-b", OWN, "other"),
        ("myth-b", BARE, None),
        (None, OWN, "other"),
        (None, BARE, None),
        ("no-such-myth", OWN, "other"),
    ],
)
def test_the_belief_picked_decides_and_then_the_item(myth: str | None, item: object, found: str | None) -> None:
    """The myth's experiment first, else the item's own, else none."""
    diagnosis = diagnose(myth, item, shelf(), CATALOGUE)  # type: ignore[arg-type]
    assert (diagnosis.experiment.id if diagnosis else None) == found


def test_a_diagnosis_brings_its_settings_and_bet() -> None:
    """The parameters the author changed and the bet he named come along; an unnamed bet is none."""
    diagnosis = diagnose(None, OWN, shelf(), CATALOGUE)
    assert diagnosis is not None
    assert (diagnosis.params, diagnosis.bet) == ({"n": 3}, EXPERIMENT.bets["what"])
    unnamed = diagnose(None, replace(OWN, experiment=ExperimentLink("other")), shelf(), CATALOGUE)
    assert unnamed is not None
    assert unnamed.bet is None


def test_an_experiment_that_is_not_here_is_passed_over() -> None:
    """Where the myth's experiment is missing the item's own serves, and where both are there is none."""
    here = {"other": CATALOGUE["other"]}
    diagnosis = diagnose("myth-a", OWN, shelf(), here)
    assert diagnosis is not None
    assert diagnosis.experiment.id == "other"
    assert diagnose("myth-a", OWN, shelf(), {}) is None


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        (MythHistory(), "run"),
        (MythHistory(picked=9), "run"),
        (MythHistory(run=PAST), "recall"),
        (MythHistory(run=PAST, recalled=1), "flip"),
        (MythHistory(run=PAST, recalled=1, flips_right=1), "flip"),
        (MythHistory(run=PAST, recalled=1, flips_right=2), "retired"),
    ],
)
def test_the_rungs(history: MythHistory, expected: str) -> None:
    """Run, recall, flip until two are right, retired; how often the myth was picked does not matter."""
    assert rung(history) == expected


@given(st.lists(st.booleans(), min_size=1, max_size=12))
def test_the_ladder_only_climbs(rights: list[bool]) -> None:
    """Whatever becomes of the bets, no rung comes back, and two right ones retire it."""
    history, seen = MythHistory(), ["run"]
    for right in rights:
        here = rung(history)
        if here == "run":
            history = replace(history, run=PAST)
        elif here == "recall":
            history = replace(history, recalled=1)
        elif here == "flip":
            history = replace(history, flips_right=history.flips_right + right)
        seen.append(rung(history))
    places = [RUNGS.index(one) for one in seen]
    assert places == sorted(places)
    assert (seen[-1] == "retired") == (sum(rights[2:]) >= RETIRED_AFTER)
