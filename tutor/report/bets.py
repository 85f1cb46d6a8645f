"""How a learner's bets came out against their own machine: altogether, per concept and over the weeks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from tutor.content.experiments import Catalogue
from tutor.content.model import Library
from tutor.learning.bets import SettledBet, score, settle
from tutor.report.intervals import Rate, week_of
from tutor.store import Stored


def bet_report(runs: Iterable[Stored], library: Library, catalogue: Catalogue) -> dict[str, Any]:
    """Return the bets' rates with n, and for numbers how many times off and which way, as plain values."""
    settled = list(settled_bets(runs, library, catalogue))
    concepts: dict[str, list[SettledBet]] = defaultdict(list)
    weeks: dict[str, list[SettledBet]] = defaultdict(list)
    for bet in settled:
        weeks[week_of(bet.day)].append(bet)
        for concept in bet.concepts:
            concepts[concept].append(bet)
    titles = {id: library.concepts[id].title if id in library.concepts else id for id in concepts}
    return {
        "all": _scored(settled),
        "concepts": [
            {"concept": id, "title": titles[id], **_scored(concepts[id])}
            for id in sorted(concepts, key=titles.__getitem__)
        ],
        "weeks": [{"week": week, **_scored(bets)} for week, bets in sorted(weeks.items())],
    }


def settled_bets(runs: Iterable[Stored], library: Library, catalogue: Catalogue) -> Iterator[SettledBet]:
    """Yield each bet that a completed run settled. It counts for its item's concept, in the free lab for the experiment's."""
    for run in runs:
        data = run.payload
        experiment = catalogue.get(data["experiment"])
        if experiment is None or data["bet"] is None or data["measured"] is None:
            continue
        bet = next((bet for bet in experiment.bets.values() if bet.metric == data["metric"]), None)
        if bet is not None:
            item = library.items.get(data["item"] or "")
            concepts = (item.concept,) if item else experiment.concepts
            yield settle(bet, data["bet"], data["measured"], run.study_day, concepts)


def _scored(bets: list[SettledBet]) -> dict[str, Any]:
    result = score(bets)
    shown = {name: value and round(value, 3) for name, value in (("off", result.off), ("bias", result.bias))}
    return {"right": result.right, "numbers": result.numbers, **shown, **Rate(result.right, result.n).json()}
