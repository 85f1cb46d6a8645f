"""The two lines around a question: where the learner is, and what may be pressed now."""

from __future__ import annotations

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
from tutor.ui.actions import hints


def place_line(session: Session, question: Question | None, title: str) -> str:
    """Return deck and concept, the place in the sitting, and what kind of question it is."""
    if question is None or isinstance(session.phase, Finished):
        return title or "Tutor"
    total = session.asked + remaining(session)
    if session.world.fixed:
        return f"{title or 'Mock interview'} · question {session.asked} of {total}"
    left = new_to_come(session)
    new = f" · {left} new" if left else ""
    role = "" if question.role in ("first", "practice") else f" · {question.role}"
    return f"{question.item.deck} › {question.item.concept}   {session.asked} of {total}{new}{role}"


def hint_line(session: Session) -> str:
    """Return the keys that mean something in the session's phase."""
    match session.phase:
        case Asking(question=question):
            return _asking(question)
        case AskingSureness():
            return "1 sure   2 think so   3 guess   space to pass"
        case Betting(offer=offer) if offer.flip is not None:
            return "1-9 bet   n not now   esc on to the next question"
        case Betting(offer=offer) if offer.bet is not None and offer.bet.kind == "ratio":
            return "⏎ bet and run, empty to run without   esc not now"
        case Betting():
            return "1-9 bet and run   ⏎ run without a bet   n not now   s source   esc on"
        case Observing():
            return "1-9 answer   space without"
        case Running() | Measuring():
            return "esc stops it"
        case Finished():
            return "space back to Today   z undo"
        case Shown() | Compared():
            return "space go on   " + hints(("undo", "experiment", "guide", "flag", "help"))
    return "space go on"


def _asking(question: Question) -> str:
    last = len(question.order)
    if question.hidden:
        what = "the points" if question.item.kind == "explain" else "options"
        return f"space {what}   " + hints(("dont_know", "undo", "guide", "help"))
    match question.item.kind:
        case "numeric" | "cloze":
            return "⏎ answer   F2 unsure   F3 guess   F4 I don't know   esc back"
        case "multi":
            return f"1-{last} toggle   ⏎ answer   " + hints(("unsure", "guess", "dont_know", "help"))
        case "order":
            return f"1-{last} in order   z one back   ⏎ answer   " + hints(("unsure", "guess", "dont_know"))
        case "explain":
            return f"1-{last} what you said   ⏎ answer   " + hints(("dont_know", "undo", "guide", "help"))
    return f"1-{last} answer   " + hints(("unsure", "guess", "dont_know", "undo", "guide", "help"))
