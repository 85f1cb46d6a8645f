"""The one report model: what a learner did, knows and still believes, every rate with its n. All formats are written from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from tutor.content.experiments import Catalogue
from tutor.content.model import Library
from tutor.learning.cards import Card, elapsed_days
from tutor.learning.memory import retrievability
from tutor.learning.parameters import Parameters
from tutor.learning.studyday import add_days
from tutor.report.bets import bet_report
from tutor.report.intervals import Rate, week_of
from tutor.store import DayRow, Store, Stored

SCHEMA = 1
FEW = 5
"""Below this many answers a rate is not worth a percentage."""
FORECAST_DAYS = 14
ABSENCE_MS = 60_000
"""An answer counts for at most a minute of time spent: beyond it the learner was elsewhere."""


def build_report(
    store: Store, library: Library, catalogue: Catalogue, day: str, utc_us: int, name: str = ""
) -> dict[str, Any]:
    """Return the report as plain values, ready for JSON; `day` is today's study day."""
    answers, days, cards = list(store.answers()), store.days(), store.cards()
    parameters = store.parameters()
    known = {id: card for id, card in cards.items() if id in library.items}
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
        "retention": _retention(answers),
        "concepts": _concepts(answers, known, library, utc_us, parameters),
        "calibration": _calibration(answers),
        "forecast": _forecast(known, day),
        "myths": _myths(answers, library),
        "bets": bet_report(store.runs(), library, catalogue),
        "runs": [_run(run) for run in store.runs()],
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


def _reviews(days: Sequence[DayRow], cards: Mapping[str, Card]) -> dict[str, Any]:
    return {
        "answered": sum(row.answered for row in days),
        "right": sum(row.right for row in days),
        "scheduled": sum(row.scheduled for row in days),
        "new": sum(row.new for row in days),
        "cards": len(cards),
    }


def _retention(answers: Sequence[Stored]) -> dict[str, Any]:
    """True retention: scheduled answers to cards that were answered on an earlier day; a declared guess is not recall."""
    weeks: dict[str, list[bool]] = defaultdict(list)
    wish = 0.9
    for answer in answers:
        data = answer.payload
        wish = data["retention"]
        if data["rating"] is not None and data["predicted"] is not None:
            weeks[week_of(answer.study_day)].append(bool(data["correct"]) and data["sureness"] != "guess")
    every = [recalled for recalls in weeks.values() for recalled in recalls]
    return {
        "target": wish,
        **Rate(sum(every), len(every)).json(),
        "weeks": [{"week": week, **Rate(sum(recalls), len(recalls)).json()} for week, recalls in sorted(weeks.items())],
    }


def _concepts(
    answers: Sequence[Stored], cards: Mapping[str, Card], library: Library, utc_us: int, parameters: Parameters
) -> list[dict[str, Any]]:
    """Known, unsure, guessed and missed per concept, from the latest answer to each item; readiness from the memory model."""
    latest: dict[str, Stored] = {answer.payload["item"]: answer for answer in answers}
    groups: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for answer in latest.values():
        groups[answer.payload["concept"]].append(answer.payload)
    rows = []
    for concept, items in sorted(groups.items()):
        states = [_standing(item) for item in items]
        recalls = [
            retrievability(elapsed_days(card, utc_us), card.memory.stability, parameters)
            for id, card in cards.items()
            if library.items[id].concept == concept
        ]
        title = library.concepts[concept].title if concept in library.concepts else concept
        rows.append(
            {
                "concept": concept,
                "title": title,
                **{state: states.count(state) for state in ("known", "unsure", "guessed", "missed")},
                "n": len(items),
                "recall": round(sum(recalls) / len(recalls), 4) if recalls else None,
                "cards": len(recalls),
            }
        )
    return rows


def _standing(data: Mapping[str, Any]) -> str:
    if not data["correct"]:
        return "missed"
    return {"guess": "guessed", "think": "unsure"}.get(data["sureness"], "known")


def _calibration(answers: Sequence[Stored]) -> list[dict[str, Any]]:
    """How often right, by how sure the learner said to be."""
    said: dict[str, list[bool]] = defaultdict(list)
    for answer in answers:
        if answer.payload["sureness"]:
            said[answer.payload["sureness"]].append(bool(answer.payload["correct"]))
    return [
        {"sureness": word, **Rate(sum(said[word]), len(said[word])).json()}
        for word in ("sure", "think", "guess")
        if word in said
    ]


def _forecast(cards: Mapping[str, Card], day: str) -> list[dict[str, Any]]:
    counts: dict[str, int] = defaultdict(int)
    for card in cards.values():
        if not card.suspended:
            counts[max(card.due, day)] += 1
    return [{"day": add_days(day, n), "due": counts.get(add_days(day, n), 0)} for n in range(FORECAST_DAYS)]


def _myths(answers: Sequence[Stored], library: Library) -> list[dict[str, Any]]:
    picked: dict[str, list[str]] = defaultdict(list)
    for answer in answers:
        if answer.payload["myth"]:
            picked[answer.payload["myth"]].append(answer.study_day)
    rows = [
        {
            "myth": id,
            "text": library.myths[id].text if id in library.myths else id,
            "picked": len(days),
            "last": days[-1],
        }
        for id, days in picked.items()
    ]
    return sorted(rows, key=lambda row: (-int(str(row["picked"])), str(row["myth"])))


def _run(run: Stored) -> dict[str, Any]:
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
        "claims": data["claims"],
        "ending": data["ending"],
        "seconds": data["seconds"],
        "torch": data["torch"],
        "device": data["device"],
    }
