"""The myths a learner picked: how often, how likely each is still held, and which are gone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from tutor.content.experiments import Catalogue
from tutor.content.model import Library
from tutor.learning.bets import bet_holds
from tutor.learning.myths import Trial, answer_outcome, belief
from tutor.store import Picked, Store, Stored

Row = dict[str, Any]
Tested = tuple[str, int, Trial]
"""A myth, when it was put to the test (microseconds since 1970, UTC), and what came of it."""


def myth_report(store: Store, library: Library, catalogue: Catalogue, runs: Iterable[Stored]) -> list[Row]:
    """Return one row for each myth ever picked, most often picked first; only answers that had its option in view are read."""
    return _judged(store, library, list(_bets(runs, store.flips(), catalogue)), store.picked_myths())


def most_picked(store: Store, library: Library, catalogue: Catalogue, runs: Iterable[Stored], most: int) -> list[Row]:
    """Return the first `most` rows of the report that are still held and still in the decks, reading no further answers."""
    bets = list(_bets(runs, store.flips(), catalogue))
    left = [row for row in store.picked_myths() if row.myth in library.myths]
    found: list[Row] = []
    while left and len(found) < most:
        found += still_held(_judged(store, library, bets, left[:most]))
        left = left[most:]
    return found[:most]


def still_held(rows: Iterable[Row]) -> list[Row]:
    """Return the rows of myths that are not gone: what may be called a myth the learner still picks."""
    return [row for row in rows if not row["gone"]]


def _judged(store: Store, library: Library, bets: Iterable[Tested], picked: Sequence[Picked]) -> list[Row]:
    named: dict[str, list[str]] = defaultdict(list)
    for row in picked:
        for id in library.believed.get(row.myth, ()):
            named[id].append(row.myth)
    tests: dict[str, list[tuple[int, Trial]]] = defaultdict(list)
    for answer in store.answers_to(sorted(named)):
        for myth in named[answer.item]:
            said = answer_outcome(answer.correct, answer.myth == myth, answer.sureness, answer.given)
            if said is not None:
                tests[myth].append((answer.utc_us, Trial(answer.day, said)))
    for myth, at, test in bets:
        tests[myth].append((at, test))
    rows = []
    for row in picked:
        found = belief([test for _, test in sorted(tests[row.myth], key=lambda one: one[0])])
        text = library.myths[row.myth].text if row.myth in library.myths else row.myth
        rows.append(
            {
                "myth": row.myth,
                "text": text,
                "picked": row.times,
                "last": row.last,
                "held": round(found.probability, 3),
                "gone": found.gone,
            }
        )
    return rows


def _bets(runs: Iterable[Stored], flips: Iterable[Stored], catalogue: Catalogue) -> Iterable[Tested]:
    for run in runs:
        data = run.payload
        experiment = catalogue.get(data["experiment"])
        bet = next((b for b in experiment.bets.values() if b.metric == data["metric"]), None) if experiment else None
        if bet is not None and data["myth"] and data["bet"] is not None and data["measured"] is not None:
            held = bet_holds(bet, data["bet"], data["measured"])
            yield data["myth"], run.utc_us, Trial(run.study_day, "bet held" if held else "bet failed")
    for flip in flips:
        if flip.payload["myth"]:
            right = flip.payload["right"]
            yield flip.payload["myth"], flip.utc_us, Trial(flip.study_day, "bet held" if right else "bet failed")
