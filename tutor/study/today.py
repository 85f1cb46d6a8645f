"""What Today shows: what waits, how long it takes, and how the learner stands."""

from __future__ import annotations

from collections.abc import Sequence

from tutor.content.experiments import Catalogue
from tutor.frozen import dataclass
from tutor.i18n import _
from tutor.learning.backlog import USUAL_SECONDS
from tutor.learning.cards import days_since
from tutor.learning.interview import plan_day
from tutor.learning.memory import forgetting_curve
from tutor.learning.parameters import Parameters
from tutor.learning.placement import QUESTIONS
from tutor.learning.standing import askable
from tutor.learning.studyday import add_days, days_between
from tutor.report.myths import most_picked
from tutor.store import Held, Stored
from tutor.study import showing
from tutor.study.desk import Desk
from tutor.study.waiting import waiting

FORECAST_DAYS = 14
MYTHS = 3


@dataclass(frozen=True)
class Today:
    """The figures of one morning."""

    day: str
    due: int
    newcomer: bool
    """Fewer cards were begun than half a placement asks for: one that was broken off is offered again."""
    put_off: int
    """Due cards left for the next days, because there are more than a day should hold."""
    new: int
    minutes: float
    streak: int
    readiness: tuple[tuple[str, float], ...]
    """(deck title, predicted recall over all its scheduled items on the interview day or today; unseen ones count 0)."""
    forecast: tuple[int, ...]
    """Cards due on each of the next days, today first."""
    myths: tuple[tuple[str, int], ...]
    """(belief, times picked) of those that are not gone, most often first."""
    last_run: str
    interview: str
    days_left: int | None


def today(desk: Desk) -> Today:
    """Return the figures for this study day."""
    now, day = desk.now(), desk.day()
    history, library, rules = desk.store.history(day), desk.library, desk.rules()
    parameters = desk.store.parameters()
    target = desk.config.interview if desk.config.interview >= day else ""
    ahead = days_between(day, target) if target else 0
    recalls = _recalls(desk.store.held(), now.utc_us, ahead, parameters)
    unseen = sum(
        item.id not in recalls and item.id not in history.aside
        for item in askable(library.scheduled(), rules, desk.available)
    )
    open_to = waiting(desk.store, library, desk.available, rules, history, day, now.utc_us)
    work = plan_day(library.items, open_to.cards, unseen, day, now.utc_us, parameters, history, rules, open_to.beyond)
    due = work.due
    new = min(unseen, max(0, work.new_per_day - history.new_today))
    seconds = (
        (sorted(history.median_ms.values())[len(history.median_ms) // 2] / 1000) if history.median_ms else USUAL_SECONDS
    )
    readiness = tuple(
        (deck.title, _mean([recalls.get(item.id, 0.0) for item in deck.items if item.scheduled]))
        for deck in library.decks
        if any(item.scheduled for item in deck.items)
    )
    load = desk.store.loads()
    overdue = sum(count for when, count in load.items() if when < day)
    forecast = tuple(load.get(add_days(day, n), 0) + (overdue if n == 0 else 0) for n in range(FORECAST_DAYS))
    runs = desk.store.runs()
    return Today(
        day=day,
        due=len(due.items),
        newcomer=len(recalls) < QUESTIONS // 2,
        put_off=due.put_off,
        new=new,
        minutes=(len(due.items) + new) * seconds / 60,
        streak=streak([row.day for row in desk.store.days() if row.answered], day),
        readiness=readiness,
        forecast=forecast,
        myths=tuple(
            (row["text"], row["picked"]) for row in most_picked(desk.store, library, desk.catalogue, runs, MYTHS)
        ),
        last_run=_last_run(runs, desk.catalogue),
        interview=target,
        days_left=ahead if target else None,
    )


def streak(days: list[str], today: str) -> int:
    """Return how many study days in a row, up to today or yesterday, have an answer."""
    answered = set(days)
    at = today if today in answered else add_days(today, -1)
    count = 0
    while at in answered:
        count += 1
        at = add_days(at, -1)
    return count


def _recalls(held: list[Held], utc_us: int, ahead: int, parameters: Parameters) -> dict[str, float]:
    """Return by item the recall expected `ahead` days from now."""
    curve = forgetting_curve(parameters)
    return {item: curve(days_since(last_us, utc_us) + ahead, stability) for item, stability, last_us in held}


def _mean(recalls: list[float]) -> float:
    return sum(recalls) / len(recalls)


def _last_run(runs: Sequence[Stored], catalogue: Catalogue) -> str:
    payload = next((run.payload for run in reversed(runs) if run.payload.get("ending") in ("passed", "failed")), None)
    if payload is None:
        return ""
    experiment = catalogue.get(payload["experiment"])
    bet = next((b for b in experiment.bets.values() if b.metric == payload["metric"]), None) if experiment else None
    measured = showing.bet_words(bet, payload["measured"])
    if payload["bet"] is None:
        return _("{experiment}, your machine: {measured}").format(experiment=payload["experiment"], measured=measured)
    said = _("{experiment}, you bet on {bet}, your machine: {measured}")
    return said.format(experiment=payload["experiment"], bet=showing.bet_words(bet, payload["bet"]), measured=measured)
