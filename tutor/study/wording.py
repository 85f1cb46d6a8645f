"""The sentences both front ends share: values, dates, verdicts, a run recalled, bet beside theory beside measurement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tutor.content.experiments import Bet, Experiment
from tutor.content.model import Library
from tutor.content.runs import Claim, RunResult
from tutor.i18n import _, marked, ngettext
from tutor.learning.choosing import mastery_now
from tutor.learning.grading import Given, Grade, first_wrong_place
from tutor.learning.placement import spread
from tutor.learning.records import PastRun
from tutor.learning.state import Judged, Notice, Offer, Question, Session
from tutor.study.values import day_words, number, quantity, short_day

__all__ = ["day_words", "number", "quantity", "short_day"]  # the sentences of a value are said from here too


def next_time(judged: Judged) -> str:
    """Return when the item comes back, or that the answer was practice."""
    answered = judged.answered
    soon = _("; again soon") if judged.again_soon else ""
    if judged.aside:
        return _("set aside")
    if answered.due is None or answered.interval is None:
        return _("practice") + soon
    if answered.interval == 1:
        return _("tomorrow") + soon
    days = ngettext("in {count} day, {day}", "in {count} days, {day}", answered.interval)
    return days.format(count=answered.interval, day=day_words(answered.due)) + soon


def notice_words(notice: Notice, library: Library) -> str:
    """Return what a notice says, in one sentence."""
    match notice.kind:
        case "leech":
            helped = remedy_words(notice.remedy, notice.target, library)
            said = _(
                "Missed {count} times in review: set aside. {helped} `tutor review --item {item}` takes it up again."
            )
            return said.format(count=notice.count, helped=helped, item=notice.item)
        case "stop":
            return _("{count} of the last five missed, and slower than before: a good place to stop.").format(
                count=notice.count
            )
        case "backlog" if notice.after_break:
            said = _(
                "{count} more are due after the break; today asks what gains most, the rest follows on the next days."
            )
            return said.format(count=notice.count)
        case "backlog":
            return _("{count} more are due; they wait for other days, by the limit of a day.").format(
                count=notice.count
            )
        case "revised" if notice.count == 1:
            said = _(
                "{item} was changed since you answered it: its history is kept, or `tutor decks revise {item} halve|reset`."
            )
            return said.format(item=notice.item)
        case "revised":
            said = _(
                "{count} questions were changed since you answered them: their history is kept; `tutor decks revise` shows them."
            )
            return said.format(count=notice.count)
        case "clock-back":
            return _(
                "This machine's clock has gone back since your last answer: nothing is lost, and time counts again once it has caught up."
            )
        case "clock-ahead":
            return _(
                "This machine's clock is more than 400 days past your last answer: if that is wrong, set it right, and what you answer "
                "before counts from then."
            )
        case "foundation":
            return _("First what that builds on: {concept}.").format(concept=concept_title(notice.concept, library))
    raise AssertionError(notice)


def placed_words(session: Session) -> str:
    """Return where a placement has placed the learner, in a sentence or two."""
    library = session.world.library
    mastery = spread(mastery_now(session), library)
    likely, open_to = mastery.known(), mastery.asked
    start = [concept_title(id, library) for id in library.concepts if id in open_to - likely][:3]
    known = _("Likely known: {known} of {all} concepts.").format(known=len(likely & open_to), all=len(open_to))
    begin = _("New questions start with: {concepts}.").format(concepts=", ".join(start))
    return f"{known} {begin}" if start else known


def remedy_words(remedy: str, target: str, library: Library) -> str:
    """Return what should help where one more try does not, in one sentence."""
    deck = library.deck(target)
    match remedy:
        case "prerequisite":
            return _("What it builds on comes first: {concept}.").format(concept=concept_title(target, library))
        case "experiment":
            return _("See it on this machine: `tutor lab run {experiment}`.").format(experiment=target)
        case "guide":
            return _("Read the guide of {deck}.").format(deck=deck.title if deck else target)
    return _("Read the source: {source}.").format(source=target) if target else _("Put it in your own words first.")


def concept_title(id: str, library: Library) -> str:
    """Return the title of a concept, or its id where the graph does not know it."""
    return library.concepts[id].title if id in library.concepts else id


_ROLES = {
    "transfer": marked("transfer"),
    "retry": marked("retry"),
    "practice": marked("practice"),
    "sealed": marked("sealed"),
}


def role_words(role: str) -> str:
    """Return why a question is asked."""
    return _(_ROLES.get(role, role))


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
        return _("✓ right")
    if question.item.kind == "order":
        return _order_words(question, given, grade)
    right = key_text(question, grade.key)
    if given.nothing:
        return _("✗ not known · right is {right}").format(right=right)
    if question.item.kind == "cloze":
        return _("✗ not that · you wrote {wrote} · right is {right}").format(wrote=given.raw, right=right)
    if given.value is not None:
        said = quantity(given.value, question.item.unit)
        return _("✗ not that · you said {said} · right is {right}").format(said=said, right=right)
    if question.item.kind == "predict":
        return _("✗ not that · on this machine: {right}").format(right=right)
    keys = places(question, grade.key) if isinstance(grade.key, tuple) else right
    chosen = places(question, given.choice or ())
    return _("✗ not that · you chose {chosen} · right is {right}").format(chosen=chosen, right=keys)


def _order_words(question: Question, given: Given, grade: Grade) -> str:
    assert isinstance(grade.key, tuple)
    right = places(question, grade.key, " ")
    if given.choice is None:
        return _("✗ not known · right is {right}").format(right=right)
    said = _("✗ not that · place {place} is the first wrong · right is {right}")
    return said.format(place=first_wrong_place(given.choice, grade.key), right=right)


def _points_words(question: Question, given: Given, grade: Grade) -> str:
    if given.nothing:
        return _("✗ not known")
    all_points = len(question.order)
    said = _("✓ right · {said} of {all} points") if grade.correct else _("✗ not yet · {said} of {all} points")
    return said.format(said=all_points - (grade.short or 0), all=all_points)


def explanation(judged: Judged) -> list[str]:
    """Return what to say after an answer: first the correction of the belief picked or of the slip, then the item's own why."""
    lines = []
    if judged.grade.short:
        ticked = judged.given.choice or ()
        unsaid = [option.text for option in judged.question.item.options if option.key not in ticked]
        lines.append(_("Still to say: {points}.").format(points="; ".join(unsaid)))
    if judged.grade.slip and judged.question.item.kind == "numeric":
        lines.append(_("That number is the usual slip: {slip}.").format(slip=judged.grade.slip))
    if judged.myth is not None and not judged.grade.correct:
        lines.append(judged.myth.why)
    if judged.question.item.why:
        lines.append(judged.question.item.why)
    return lines


def recap(past: PastRun, experiment: Experiment | None) -> str:
    """Return one line about the learner's own earlier run."""
    held = [claim for claim in past.claims if claim.get("passed")]
    shown = "; ".join(f"{claim['name']} {quantity(claim['left'])}" for claim in held[:3]) or not_shown()
    bet = experiment.bets.get(_bet_by_metric(experiment, past.metric)) if experiment else None
    told = _("On {day} your machine showed: {shown}.").format(day=short_day(past.day), shown=shown)
    if past.bet is None or bet is None:
        return told
    return f"{told} {_('You bet: {bet}.').format(bet=bet_words(bet, past.bet))}"


def bet_words(bet: Bet | None, value: Any) -> str:
    """Return a bet or a measured choice in words."""
    if value is None:
        return _("no bet")
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
        mark = "" if right is None else held(right)
        rows.append(Row(_("your bet"), bet_words(wagered, bet), said, bet_words(wagered, measured), mark))
    rows += [_claim_row(claim, result) for claim in result.claims if not (wagered and claim.name == wagered.metric)]
    return rows


def bet_verdict(right: bool | None) -> str:
    """Return how the bet came out, in words."""
    if right is None:
        return ""
    return _("✓ your bet held") if right else _("✗ the machine says otherwise")


def seen_verdict(offer: Offer, seen: str | None, right: bool | None) -> str:
    """Return how the observation compares with what was measured."""
    if seen is None or right is None or offer.experiment.observation is None:
        return ""
    said = offer.experiment.observation.choices.get(seen, seen)
    if right:
        return _("you saw: {said} · ✓ so it was").format(said=said)
    return _("you saw: {said} · ✗ the measurement says otherwise; look again").format(said=said)


def _claim_row(claim: Claim, result: RunResult) -> Row:
    measure = next((m for m in result.measures if m.name == claim.name), None)
    unit = measure.unit if measure else ""
    return Row(
        claim.name, "", f"{_op(claim.op)}{quantity(claim.right, unit)}", quantity(claim.left, unit), held(claim.passed)
    )


def held(passed: bool) -> str:
    """Return how a claim or a bet came out, with its sign."""
    return _("✓ held") if passed else f"✗ {not_shown()}"


def not_shown() -> str:
    """Return that a run did not bear out what was claimed."""
    return _("not shown on this machine")


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
