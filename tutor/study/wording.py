"""The sentences both front ends share: values, dates, verdicts, a run recalled, bet beside theory beside measurement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from tutor.content.experiments import Bet, Experiment
from tutor.content.model import Library
from tutor.content.runs import Claim, RunResult
from tutor.learning.choosing import mastery_now
from tutor.learning.grading import Given, Grade, first_wrong_place
from tutor.learning.placement import spread
from tutor.learning.records import PastRun
from tutor.learning.state import Judged, Notice, Offer, Question, Session

_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
NOT_SHOWN = "not shown on this machine"


def number(value: float, digits: int = 4) -> str:
    """Return a number as a person writes it: no exponent where it can be avoided, no idle zeros."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}".replace(",", " ") if abs(value) >= 10_000 else str(int(value))
    return f"{value:.{digits}g}"


def quantity(value: Any, unit: str = "") -> str:
    """Return a measured value with its unit; bytes in the nearest binary unit."""
    if isinstance(value, str) or value is None:
        return value or ""
    if unit in ("B", "bytes"):
        size = float(value)
        for name in ("B", "KiB", "MiB", "GiB"):
            if abs(size) < 1024 or name == "GiB":
                return f"{size:.4g} {name}"
            size /= 1024
    return f"{number(value)} {unit}".rstrip() if unit not in ("", "choice", "fraction") else number(value)


def day_words(iso: str) -> str:
    """Return a study day as `Thu 3 Dec`."""
    day = date.fromisoformat(iso)
    return f"{_WEEKDAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]}"


def short_day(iso: str) -> str:
    """Return a study day as `30 Nov`."""
    day = date.fromisoformat(iso)
    return f"{day.day} {_MONTHS[day.month - 1]}"


def next_time(judged: Judged) -> str:
    """Return when the item comes back, or that the answer was practice."""
    answered = judged.answered
    soon = "; again soon" if judged.again_soon else ""
    if judged.aside:
        return "set aside"
    if answered.due is None or answered.interval is None:
        return "practice" + soon
    when = "tomorrow" if answered.interval == 1 else f"in {answered.interval} days, {day_words(answered.due)}"
    return when + soon


def notice_words(notice: Notice, library: Library) -> str:
    """Return what a notice says, in one sentence."""
    match notice.kind:
        case "leech":
            helped = remedy_words(notice.remedy, notice.target, library)
            return f"Missed {notice.count} times in review: set aside. {helped} `tutor review --item {notice.item}` takes it up again."
        case "stop":
            return f"{notice.count} of the last five missed, and slower than before: a good place to stop."
        case "backlog" if notice.after_break:
            return f"{notice.count} more are due after the break; today asks what gains most, the rest follows on the next days."
        case "backlog":
            return f"{notice.count} more are due; they wait for other days, by the limit of a day."
        case "revised" if notice.count == 1:
            return f"{notice.item} was changed since you answered it: its history is kept, or `tutor decks revise {notice.item} halve|reset`."
        case "revised":
            return f"{notice.count} questions were changed since you answered them: their history is kept; `tutor decks revise` shows them."
        case "clock-back":
            return "This machine's clock has gone back since your last answer: nothing is lost, and time counts again once it has caught up."
        case "clock-ahead":
            return (
                "This machine's clock is more than 400 days past your last answer: if that is wrong, set it right, and what you answer "
                "before counts from then."
            )
        case "foundation":
            return f"First what that builds on: {concept_title(notice.concept, library)}."
    raise AssertionError(notice)


def placed_words(session: Session) -> str:
    """Return where a placement has placed the learner, in a sentence or two."""
    library = session.world.library
    mastery = spread(mastery_now(session), library)
    likely, open_to = mastery.known(), mastery.asked
    start = [concept_title(id, library) for id in library.concepts if id in open_to - likely][:3]
    known = f"Likely known: {len(likely & open_to)} of {len(open_to)} concepts."
    return f"{known} New questions start with: {', '.join(start)}." if start else known


def remedy_words(remedy: str, target: str, library: Library) -> str:
    """Return what should help where one more try does not, in one sentence."""
    deck = library.deck(target)
    return {
        "prerequisite": f"What it builds on comes first: {concept_title(target, library)}.",
        "experiment": f"See it on this machine: `tutor lab run {target}`.",
        "guide": f"Read the guide of {deck.title if deck else target}.",
        "source": f"Read the source: {target}." if target else "Put it in your own words first.",
    }[remedy]


def concept_title(id: str, library: Library) -> str:
    """Return the title of a concept, or its id where the graph does not know it."""
    return library.concepts[id].title if id in library.concepts else id


def key_text(question: Question, key: tuple[str, ...] | float) -> str:
    """Return the right answer in words."""
    if isinstance(key, float | int):
        return quantity(key, question.item.unit)
    if question.item.kind == "numeric":
        return " ".join((*key, question.item.unit))
    if question.item.kind == "cloze":
        return "; ".join(key)
    return (" → " if question.item.kind == "order" else "; ").join(question.item.option(k).text for k in key)


def places(question: Question, keys: Sequence[str], between: str = ", ") -> str:
    """Return the digits under which options are shown, in the order of the keys."""
    return between.join(str(question.order.index(key) + 1) for key in keys)


def verdict_words(judged: Judged) -> str:
    """Return the verdict as a word, what was chosen and what is right: never by colour alone."""
    question, given, grade = judged.question, judged.given, judged.grade
    if grade.short is not None:
        return _points_words(question, given, grade)
    if grade.correct:
        return "✓ right"
    if question.item.kind == "order":
        return _order_words(question, given, grade)
    right = key_text(question, grade.key)
    if given.nothing:
        return f"✗ not known · right is {right}"
    if question.item.kind == "cloze":
        return f"✗ not that · you wrote {given.raw} · right is {right}"
    if given.value is not None:
        return f"✗ not that · you said {quantity(given.value, question.item.unit)} · right is {right}"
    if question.item.kind == "predict":
        return f"✗ not that · on this machine: {right}"
    keys = places(question, grade.key) if isinstance(grade.key, tuple) else right
    return f"✗ not that · you chose {places(question, given.choice or ())} · right is {keys}"


def _order_words(question: Question, given: Given, grade: Grade) -> str:
    assert isinstance(grade.key, tuple)
    right = f"right is {places(question, grade.key, ' ')}"
    if given.choice is None:
        return f"✗ not known · {right}"
    return f"✗ not that · place {first_wrong_place(given.choice, grade.key)} is the first wrong · {right}"


def _points_words(question: Question, given: Given, grade: Grade) -> str:
    if given.nothing:
        return "✗ not known"
    all_points = len(question.order)
    said = f"{all_points - (grade.short or 0)} of {all_points} points"
    return f"✓ right · {said}" if grade.correct else f"✗ not yet · {said}"


def explanation(judged: Judged) -> list[str]:
    """Return what to say after an answer: first the correction of the belief picked or of the slip, then the item's own why."""
    lines = []
    if judged.grade.short:
        ticked = judged.given.choice or ()
        unsaid = [option.text for option in judged.question.item.options if option.key not in ticked]
        lines.append(f"Still to say: {'; '.join(unsaid)}.")
    if judged.grade.slip and judged.question.item.kind == "numeric":
        lines.append(f"That number is the usual slip: {judged.grade.slip}.")
    if judged.myth is not None and not judged.grade.correct:
        lines.append(judged.myth.why)
    if judged.question.item.why:
        lines.append(judged.question.item.why)
    return lines


def recap(past: PastRun, experiment: Experiment | None) -> str:
    """Return one line about the learner's own earlier run."""
    held = [claim for claim in past.claims if claim.get("passed")]
    shown = "; ".join(f"{claim['name']} {quantity(claim['left'])}" for claim in held[:3]) or NOT_SHOWN
    bet = experiment.bets.get(_bet_by_metric(experiment, past.metric)) if experiment else None
    tail = f" You bet: {bet_words(bet, past.bet)}." if past.bet is not None and bet else ""
    return f"On {short_day(past.day)} your machine showed: {shown}.{tail}"


def bet_words(bet: Bet | None, value: Any) -> str:
    """Return a bet or a measured choice in words."""
    if value is None:
        return "no bet"
    if bet is not None and bet.kind == "choice":
        return bet.choices.get(str(value), str(value))
    return quantity(value, bet.unit if bet else "")


def measured_words(experiment: Experiment, metric: str, value: Any) -> Any:
    """Return a measured choice by its text; any other value as it is."""
    for asked in (*experiment.bets.values(), experiment.observation):
        if asked is not None and asked.metric == metric and str(value) in asked.choices:
            return asked.choices[str(value)]
    return value


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the comparison. Empty strings where there was nothing to say."""

    name: str
    bet: str
    theory: str
    measured: str
    mark: str
    """`✓ held`, `✗ not shown on this machine`, or empty for a plain measure."""


def comparison(offer: Offer, bet: Any, result: RunResult) -> list[Row]:
    """Return bet, theory and measurement side by side: the metric bet on first, then every claim."""
    rows = []
    wagered = offer.bet
    if wagered is not None and result.measured(wagered.metric) is not None:
        theory = result.theory(wagered.metric)
        measured = result.measured(wagered.metric)
        right = _agrees(theory.op, measured, theory.value, wagered.tolerance) if theory else None
        said = f"{_op(theory.op)}{bet_words(wagered, theory.value)}" if theory else ""
        mark = "" if right is None else _mark(right)
        rows.append(Row("your bet", bet_words(wagered, bet), said, bet_words(wagered, measured), mark))
    rows += [_claim_row(claim, result) for claim in result.claims if not (wagered and claim.name == wagered.metric)]
    return rows


def bet_verdict(right: bool | None) -> str:
    """Return how the bet came out, in words."""
    return {None: "", True: "✓ your bet held", False: "✗ the machine says otherwise"}[right]


def seen_verdict(offer: Offer, seen: str | None, right: bool | None) -> str:
    """Return how the observation compares with what was measured."""
    if seen is None or right is None or offer.experiment.observation is None:
        return ""
    said = offer.experiment.observation.choices.get(seen, seen)
    return f"you saw: {said} · " + ("✓ so it was" if right else "✗ the measurement says otherwise; look again")


def _claim_row(claim: Claim, result: RunResult) -> Row:
    measure = next((m for m in result.measures if m.name == claim.name), None)
    unit = measure.unit if measure else ""
    return Row(
        claim.name, "", f"{_op(claim.op)}{quantity(claim.right, unit)}", quantity(claim.left, unit), _mark(claim.passed)
    )


def _mark(passed: bool) -> str:
    return "✓ held" if passed else f"✗ {NOT_SHOWN}"


def _op(op: str) -> str:
    return {"==": "", "~": "≈ ", "!=": "≠ ", "<=": "≤ ", ">=": "≥ "}.get(op, f"{op} ")


def _agrees(op: str, measured: Any, value: Any, tolerance: float) -> bool:
    if isinstance(measured, str) or isinstance(value, str):
        return (str(measured) == str(value)) == (op != "!=")
    got, said = float(measured), float(value)
    near = abs(got - said) <= tolerance * abs(said)
    holds = {
        "==": near,
        "~": near,
        "!=": got != said,
        "<": got < said,
        "<=": got <= said,
        ">": got > said,
        ">=": got >= said,
    }
    return holds[op]


def _bet_by_metric(experiment: Experiment, metric: str) -> str:
    by_metric: Mapping[str, str] = {bet.metric: bet.id for bet in experiment.bets.values()}
    return by_metric.get(metric, "")
