"""The two lines around a question: where the learner is, and what may be pressed now."""

from __future__ import annotations

from tutor.i18n import _
from tutor.learning.present import new_to_come, remaining
from tutor.learning.state import (
    Asking,
    AskingSureness,
    Betting,
    Compared,
    Finished,
    Measuring,
    Observing,
    Question,
    Running,
    Session,
    Shown,
)
from tutor.study.wording import language_mark, role_words
from tutor.ui.actions import hints


def place_line(session: Session, question: Question | None, title: str) -> str:
    """Return deck and concept, the place in the sitting, and what kind of question it is."""
    if question is None or isinstance(session.phase, Finished):
        return title or "Tutor"
    total = session.asked + remaining(session)
    if session.world.fixed:
        place = _("question {asked} of {all}").format(asked=session.asked, all=total)
        return f"{title or _('Mock interview')}   {place}{language_mark(question.item)}"
    left = new_to_come(session)
    new = " · " + _("{count} new").format(count=left) if left else ""
    role = "" if question.role in ("first", "practice") else f" · {role_words(question.role)}"
    place = _("{asked} of {all}").format(asked=session.asked, all=total)
    return f"{question.item.deck} › {question.item.concept}   {place}{new}{role}{language_mark(question.item)}"


def noted_line(session: Session) -> str:
    """Return how sure the learner said to be of the answer in the making."""
    sureness = session.phase.sureness if isinstance(session.phase, Asking) else ""
    return {"think": _("noted: not sure"), "guess": _("noted: a guess")}.get(sureness or "", "")


def hint_line(session: Session) -> str:
    """Return the keys that mean something in the session's phase."""
    match session.phase:
        case Asking(question=question):
            return _asking(question)
        case AskingSureness():
            return _("1 sure   2 think so   3 guess   space to pass")
        case Betting(offer=offer) if offer.flip is not None:
            return _("1-9 bet   n not now   esc on to the next question")
        case Betting(offer=offer) if offer.bet is not None and offer.bet.kind == "ratio":
            return _("⏎ bet and run, empty to run without   esc not now")
        case Betting():
            return _("1-9 bet and run   ⏎ run without a bet   n not now   s source   esc on")
        case Observing():
            return _("1-9 answer   space without")
        case Running() | Measuring():
            return _("esc stops it")
        case Finished():
            return _("space back to Today   z undo")
        case Shown() | Compared():
            return _("space go on") + "   " + hints(("undo", "experiment", "guide", "edit", "flag", "help"))
    return _("space go on")


def _asking(question: Question) -> str:
    last = len(question.order)
    if question.hidden:
        shows = _("space the points") if question.item.kind == "explain" else _("space options")
        return f"{shows}   " + hints(("dont_know", "undo", "guide", "help"))
    match question.item.kind:
        case "numeric" | "cloze":
            return _("⏎ answer   F2 unsure   F3 guess   F4 I don't know   esc back")
        case "multi":
            return (
                _("1-{last} toggle   ⏎ answer").format(last=last)
                + "   "
                + hints(("unsure", "guess", "dont_know", "help"))
            )
        case "order":
            return (
                _("1-{last} in order   z one back   ⏎ answer").format(last=last)
                + "   "
                + hints(("unsure", "guess", "dont_know"))
            )
        case "explain":
            return (
                _("1-{last} what you said   ⏎ answer").format(last=last)
                + "   "
                + hints(("dont_know", "undo", "guide", "help"))
            )
    return (
        _("1-{last} answer").format(last=last)
        + "   "
        + hints(("unsure", "guess", "dont_know", "undo", "guide", "help"))
    )
