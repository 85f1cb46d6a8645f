"""From a wrong answer to what helps: the experiment that refutes the belief picked, and the rung of its ladder.

First time: bet, run, observe, compare. Again: one line recalling the learner's own run. Then: a bet on a flipped parameter
without a run. Retired after two right ones.
"""

from __future__ import annotations

from collections.abc import Mapping

from tutor.content.experiments import Bet, Catalogue, Experiment
from tutor.content.model import ExperimentLink, Item, Library, Scalar
from tutor.frozen import dataclass
from tutor.learning.records import MythHistory

RETIRED_AFTER = 2
"""Flipped bets answered rightly."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The experiment for a miss, its parameters and what to bet on."""

    experiment: Experiment
    params: Mapping[str, Scalar]
    bet: Bet | None


def diagnose(myth: str | None, item: Item, library: Library, catalogue: Catalogue) -> Diagnosis | None:
    """Return the experiment for a miss: the one that refutes the myth picked, else the item's own; None where neither exists."""
    belief = library.myths.get(myth or "")
    for link in (belief.experiment if belief else None, item.experiment):
        found = _resolve(link, catalogue)
        if found is not None:
            return found
    return None


def rung(history: MythHistory) -> str:
    """Return what comes next for a myth: run, recall, flip or retired."""
    if history.run is None:
        return "run"
    if history.recalled == 0:
        return "recall"
    return "flip" if history.flips_right < RETIRED_AFTER else "retired"


def _resolve(link: ExperimentLink | None, catalogue: Catalogue) -> Diagnosis | None:
    if link is None or link.id not in catalogue:
        return None
    experiment = catalogue[link.id]
    return Diagnosis(experiment, link.set, experiment.bets.get(link.bet))
