"""The sentences both front ends share about questions and answers: verdicts, reasons, notices, when an item comes back."""

from __future__ import annotations

from collections.abc import Sequence

from tutor.content.model import Item, Library
from tutor.i18n import _, marked, ngettext, spoken_language
from tutor.learning.choosing import mastery_now
from tutor.learning.grading import Given, Grade, first_wrong_place
from tutor.learning.placement import spread
from tutor.learning.state import Judged, Notice, Question, Session
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
            said = ngettext(
                "{count} more is due after the break; today asks what gains most, the rest follows on the next days.",
                "{count} more are due after the break; today asks what gains most, the rest follows on the next days.",
                notice.count,
            )
            return said.format(count=notice.count)
        case "backlog":
            said = ngettext(
                "{count} more is due; it waits for another day, by the limit of a day.",
                "{count} more are due; they wait for other days, by the limit of a day.",
                notice.count,
            )
            return said.format(count=notice.count)
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


def language_mark(item: Item) -> str:
    """Return the language of a question that is not put in the learner's, because no fresh translation of it exists; else nothing."""
    return "" if item.lang == spoken_language() else f" · {item.lang}"


def key_text(question: Question, key: tuple[str, ...] | float) -> str:
    """Return the right answer in words."""
    if isinstance(key, float | int):
        return quantity(key, question.item.unit)
    if question.item.kind == "numeric":
        return " ".join((*key, question.item.unit))
    if question.item.kind == "cloze":
        return "; ".join(key)
    shown = key if question.item.kind == "order" else sorted(key, key=question.order.index)
    return (" → " if question.item.kind == "order" else "; ").join(question.item.option(k).text for k in shown)


def places(question: Question, keys: Sequence[str], between: str = ", ") -> str:
    """Return the digits under which options are shown: steps in the order of the keys, others in that of the screen."""
    digits = [question.order.index(key) + 1 for key in keys]
    return between.join(map(str, digits if question.item.kind == "order" else sorted(digits)))


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
        from tutor.content.phrases import phrase  # brings the families, which a number typed has loaded

        lines.append(
            _("That number is the usual slip: {slip}.").format(slip=phrase(judged.grade.slip, judged.question.item))
        )
    if judged.myth is not None and not judged.grade.correct:
        lines.append(judged.myth.why)
    if judged.question.item.why:
        lines.append(judged.question.item.why)
    return lines
