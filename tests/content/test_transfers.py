"""Transfers without end: fresh numbers where the concept has a family, else the experiment with other parameters."""

from __future__ import annotations

import pytest

from tutor.content.families import draw
from tutor.content.transfers import generate_transfer


def test_fresh_numbers_of_a_family(shelf, catalogue) -> None:
    """A missed numeric question is asked again under an id of its own, with any seed, and is never scheduled."""
    library = shelf.load()
    item = library.items["rng-2m9d"]
    transfers = [generate_transfer(item, number, library, catalogue) for number in range(1, 30)]

    assert [t.id for t in transfers] == [f"rng-2m9d~{number}" for number in range(1, 30)]
    assert not any(t.scheduled for t in transfers)
    assert {t.transfer_of for t in transfers} == {"rng-2m9d"}
    assert all(draw(t.family, t.params, 7).answer > 0 for t in transfers)


def test_the_experiment_with_other_parameters(shelf, catalogue) -> None:
    """A missed choice is followed by a prediction with a set of parameters for which the claims hold."""
    library = shelf.load()
    first, second = (generate_transfer(library.items["rng-7f3k"], n, library, catalogue) for n in (1, 2))

    assert (first.id, first.kind, first.scheduled) == ("rng-7f3k~1", "predict", False)
    variations = catalogue["rng-replay"].variations
    assert first.experiment.set in variations and second.experiment.set in variations
    assert first.experiment.set != second.experiment.set
    assert first.experiment.bet == "what-differs"
    assert first.stem != second.stem
    assert {option.key for option in first.options} == set(catalogue["rng-replay"].bets["what-differs"].choices)


@pytest.mark.parametrize("id", ["rng-8q2w"])
def test_none_without_family_or_experiment(shelf, catalogue, id: str) -> None:
    """Where the concept has neither there is no generated transfer."""
    library = shelf.load()
    assert generate_transfer(library.items[id], 1, library, catalogue) is None


def test_none_without_the_experiment(shelf, catalogue) -> None:
    """Where this installation lacks the experiment there is none either."""
    library = shelf.load()
    assert generate_transfer(library.items["rng-7f3k"], 1, library, {}) is None
