"""Experiments in the learner's language at the desk: the language of the decks, taken up with the settings, read when looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import FakeClock
from tutor.content.source import read_toml
from tutor.content.spoken import overlay_path
from tutor.i18n import speak
from tutor.paths import Home
from tutor.study.desk import Desk, Wishes
from tutor.study.settings import change_settings


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """The language spoken is the process's own."""
    yield
    speak("en")


@pytest.mark.parametrize("lang", ["vi", "tr"])
def test_all_that_is_said_of_an_experiment_is_in_the_decks_language(lang: str, home: Home, clock: FakeClock) -> None:
    """Question, promise, explanation, titles of parameters, bets, observation and flips; ids, keys and ranges as in English."""
    with Desk(home, clock, Wishes(lang=lang)) as desk:
        for id, english in desk.experiments.items():
            said = desk.catalogue[id]
            assert said.explanation != english.explanation and said.question != english.question
            assert said.bets.keys() == english.bets.keys() and said.parameters.keys() == english.parameters.keys()
            assert all(said.bets[key].question != bet.question for key, bet in english.bets.items())
            assert all(said.bets[key].choices.keys() == bet.choices.keys() for key, bet in english.bets.items())
            pairs = list(zip(said.flips, english.flips, strict=True))
            assert all(
                one.why != other.why and (one.set, one.answer) == (other.set, other.answer) for one, other in pairs
            )
            assert (
                said.observation and english.observation and said.observation.question != english.observation.question
            )
            assert desk.available.get(id, said) == said


def test_a_change_of_language_is_taken_up(home: Home, clock: FakeClock) -> None:
    """From the settings screen to the lab, without a new start."""
    with Desk(home, clock, Wishes()) as desk:
        english = desk.catalogue["rng-replay"].title
        change_settings(desk, {"lang": "tr"})
        assert desk.catalogue["rng-replay"].title == desk.available["rng-replay"].title != english


def test_a_start_opens_no_overlay(home: Home, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decks, what can run and how many there are: all without one; the first look at an experiment opens its own."""
    opened: list[Path] = []
    monkeypatch.setattr("tutor.content.spoken.read_toml", lambda path: opened.append(path) or read_toml(path))
    with Desk(home, clock, Wishes(lang="tr")) as desk:
        assert desk.library.items and len(desk.available) <= len(desk.catalogue)
        assert opened == []
        assert desk.catalogue["checkpoint"].title
        assert opened == [overlay_path(desk.experiments["checkpoint"], "tr")]
