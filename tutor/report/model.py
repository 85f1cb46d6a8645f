"""The one report model: what a learner did, knows and still believes, every rate with its n. All formats are written from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tutor.content.experiments import Catalogue, Experiment
from tutor.content.model import Library
from tutor.learning.studyday import add_days
from tutor.report.aside import aside_report
from tutor.report.bets import bet_report
from tutor.report.intervals import Rate, week_of
from tutor.report.myths import myth_report
from tutor.report.options import LEAST, option_report
from tutor.report.sealed import sealed_report
from tutor.store import DayRow, Remembered, Standing, Store, Stored

SCHEMA = 1
FEW = 5
"""Below this many answers a rate is not worth a percentage."""
FORECAST_DAYS = 14
STATES = ("known", "unsure", "guessed", "missed")


def build_report(
    store: Store, library: Library, catalogue: Catalogue, day: str, utc_us: int, name: str = ""
) -> dict[str, Any]:
    """Return the report as plain values, ready for JSON; `day` is today's study day.

    The past comes from the store's daily counts and marks, never from the answers one by one: a million of them cost no more.
    """
    days, runs = store.days(), store.runs()
    memories = store.memories(utc_us, library.ids, often=LEAST)
    cards = sum(one.cards for one in memories.concepts) + len(memories.others)
    return {
        "schema": SCHEMA,
        "name": name,
        "period": {
            "from": days[0].day if days else None,
            "to": days[-1].day if days else None,
            "written": day,
            "days": len(days),
        },
        "time": {"minutes": round(sum(row.ms for row in days) / 60_000, 1), "seconds_per_answer": _seconds(days)},
        "reviews": _reviews(days, cards),
        "retention": _retention(days, store.settings().get("retention", 0.9)),
        "concepts": _concepts(store.standings(), memories.concepts, library),
        "calibration": _calibration(days),
        "forecast": _forecast(store, memories.others, day),
        "myths": myth_report(store, library, catalogue, runs),
        "options": option_report(store, library, memories.often),
        "sealed": sealed_report(store, library),
        "bets": bet_report(runs, library, catalogue),
        "runs": [_run(run, catalogue.get(run.payload["experiment"])) for run in runs],
        "aside": aside_report(store, library),
        "flags": [
            {"item": flag.payload["item"], "note": flag.payload["note"], "at": flag.study_day} for flag in store.flags()
        ],
        "days": [
            {"day": row.day, "answered": row.answered, "right": row.right, "minutes": round(row.ms / 60_000, 1)}
            for row in days
        ],
    }


def _seconds(days: Sequence[DayRow]) -> float | None:
    answered = sum(row.answered for row in days)
    return round(sum(row.ms for row in days) / answered / 1000, 1) if answered else None


def _reviews(days: Sequence[DayRow], cards: int) -> dict[str, Any]:
    return {
        "answered": sum(row.answered for row in days),
        "right": sum(row.right for row in days),
        "scheduled": sum(row.scheduled for row in days),
        "new": sum(row.new for row in days),
        "cards": cards,
    }


def _retention(days: Sequence[DayRow], target: float) -> dict[str, Any]:
    """True retention: scheduled answers to cards that were answered on an earlier day; a declared guess is not recall."""
    weeks: dict[str, Rate] = {}
    for row in days:
        if row.reviewed:
            week = week_of(row.day)
            before = weeks.get(week, Rate(0, 0))
            weeks[week] = Rate(before.right + row.recalled, before.n + row.reviewed)
    every = Rate(sum(rate.right for rate in weeks.values()), sum(rate.n for rate in weeks.values()))
    return {
        "target": target,
        **every.json(),
        "weeks": [{"week": week, **rate.json()} for week, rate in sorted(weeks.items())],
    }


def _concepts(
    standings: Iterable[Standing], remembered: Iterable[Remembered], library: Library
) -> list[dict[str, Any]]:
    """Known, unsure, guessed and missed per concept, from the latest answer to each item; readiness from the memory model.

    Known is what was answered rightly and likely not by luck.
    """
    memories = {one.concept: one for one in remembered}
    groups: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(STATES, 0))
    for standing in standings:
        groups[standing.concept][_state(standing)] += standing.items
    rows = []
    for concept, states in sorted(groups.items()):
        title = library.concepts[concept].title if concept in library.concepts else concept
        memory = memories.get(concept)
        rows.append(
            {
                "concept": concept,
                "title": title,
                **states,
                "n": sum(states.values()),
                "recall": round(memory.recall / memory.cards, 4) if memory else None,
                "cards": memory.cards if memory else 0,
            }
        )
    return rows


def _state(standing: Standing) -> str:
    if not standing.correct:
        return "missed"
    known = "known" if standing.likely else "unsure"
    return {"guess": "guessed", "think": "unsure"}.get(standing.sureness or "", known)


def _calibration(days: Sequence[DayRow]) -> list[dict[str, Any]]:
    """How often right, by how sure the learner said to be."""
    rates = {
        "sure": Rate(sum(row.sure_right for row in days), sum(row.sure for row in days)),
        "think": Rate(sum(row.think_right for row in days), sum(row.think for row in days)),
        "guess": Rate(sum(row.guess_right for row in days), sum(row.guess for row in days)),
    }
    return [{"sureness": word, **rate.json()} for word, rate in rates.items() if rate.n]


def _forecast(store: Store, departed: Sequence[str], day: str) -> list[dict[str, Any]]:
    """Cards due on each of the next days; what is overdue waits today, and what left the decks is asked no more."""
    days = [day, *(add_days(day, n) for n in range(1, FORECAST_DAYS))]
    due = store.waiting_until(day, days[-1], departed)
    return [{"day": when, "due": due.get(when, 0)} for when in days]


def _run(run: Stored, experiment: Experiment | None) -> dict[str, Any]:
    """Return a run as it was kept; where a value is a choice's key, `texts` has that choice in the learner's language."""
    data = run.payload
    return {
        "at": run.study_day,
        "utc_us": run.utc_us,
        "item": data["item"],
        "experiment": data["experiment"],
        "params": data["params"],
        "metric": data["metric"],
        "unit": data["unit"],
        "bet": data["bet"],
        "theory": data["theory"],
        "measured": data["measured"],
        "observation": data["observation"],
        "texts": _texts(data, experiment) if experiment else {},
        "claims": data["claims"],
        "ending": data["ending"],
        "seconds": data["seconds"],
        "torch": data["torch"],
        "device": data["device"],
    }


def _texts(data: Mapping[str, Any], experiment: Experiment) -> dict[str, str]:
    bet = next((bet for bet in experiment.bets.values() if bet.metric == data["metric"]), None)
    said = data["theory"]["value"] if data["theory"] else None
    named = (
        ("bet", data["bet"], bet),
        ("theory", said, bet),
        ("measured", data["measured"], bet),
        ("observation", data["observation"], experiment.observation),
    )
    return {name: asked.choices[str(key)] for name, key, asked in named if asked and str(key) in asked.choices}
