"""The two lines around a question: where the learner is, and what may be pressed now."""

from __future__ import annotations

from collections.abc import Sized

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
from tutor.ui.actions import hint, hints
from tutor.ui.wrapping import APART

DIGITS = "1-{last}"


def place_line(session: Session, question: Question | None, title: str) -> str:
    """Return deck and concept, the place in the sitting, and what kind of question it is."""
    if question is None or isinstance(session.phase, Finished):
        return title or "Tutor"
    total = session.asked + remaining(session)
    if session.world.fixed:
        place = _("question {asked} of {all}").format(asked=session.asked, all=total)
        return f"{title or _('Mock interview')}   {place}{language_mark(question.item)}"
    left = 0 if session.world.rules.placement else new_to_come(session)  # it asks what is new alone, beyond the day's
    new = " · " + _("{count} new").format(count=left) if left else ""
    role = "" if question.role in ("first", "practice") else f" · {role_words(question.role)}"
    place = _("{asked} of {all}").format(asked=session.asked, all=total)
    return f"{question.item.deck} › {question.item.concept}   {place}{new}{role}{language_mark(question.item)}"


def noted_line(session: Session) -> str:
    """Return how sure the learner said to be of the answer in the making."""
    sureness = session.phase.sureness if isinstance(session.phase, Asking) else ""
    return {"think": _("noted: not sure"), "guess": _("noted: a guess")}.get(sureness or "", "")


def hint_line(session: Session, seconds: int = 0) -> str:
    """Return the keys that mean something in the session's phase; `seconds` is how long an experiment has been running."""
    match session.phase:
        case Asking(question=question):
            return _asking(question, _undo(session))
        case AskingSureness():
            return _row(_("1 sure   2 think so   3 guess"), hint("go_on", _("to pass")))
        case Betting(offer=offer) if offer.flip is not None:
            return _row(
                _upto(offer.flip.choices, _("bet")), hints(("not_now",)), hint("back", _("on to the next question"))
            )
        case Betting(offer=offer) if offer.bet is not None and offer.bet.kind == "ratio":
            bet = hint("submit", _("bet and run, empty to run without"), typing=True)
            return _row(bet, hint("back", _("not now"), typing=True))
        case Betting(offer=offer):
            bets = _upto(offer.bet.choices if offer.bet else {}, _("bet and run"))
            without, on = hint("submit", _("run without a bet")), hint("back", _("skip it"))
            return _row(bets, without, hints(("not_now", "source")), on)
        case Observing(offer=offer):
            seen = offer.experiment.observation
            return _row(_upto(seen.choices if seen else {}, _("answer")), hint("go_on", _("without saying")))
        case Running() | Measuring():
            return _row(_("running for {seconds} s").format(seconds=seconds), hint("back", _("stops it")))
        case Finished():
            return _row(hint("go_on", _("back to Today")), _undo(session))
        case Compared():
            return _row(hints(("go_on",)), _undo(session), hints(("experiment", "source", "guide", "edit", "help")))
        case Shown():
            return _row(hints(("go_on",)), _undo(session), hints(("experiment", "guide", "edit", "flag", "help")))
    return hints(("go_on",))


def _upto(choices: Sized, does: str) -> str:
    """The hint of the digits, where there is something to pick."""
    return f"{DIGITS.format(last=len(choices))} {does}" if choices else ""


def _row(*hints: str) -> str:
    return APART.join(filter(None, hints))


def _undo(session: Session) -> str:
    """The hint of undo, which a mock has not: an answer that was seen can be no first sight again."""
    return "" if session.world.mode == "mock" else hints(("undo",))


def _asking(question: Question, undo: str) -> str:
    last = len(question.order)
    if question.hidden:
        shows = _("shows the points") if question.item.kind == "explain" else _("shows the options")
        return _row(hint("go_on", shows), hints(("dont_know",)), undo, hints(("guide", "help")))
    match question.item.kind:
        case "numeric" | "cloze":
            back = ("undo", "back") if undo else ("back",)
            return hints(("submit", "unsure", "guess", "dont_know", *back), typing=True)
        case "multi":
            toggle = _("1-{last} toggle").format(last=last)
            return _row(toggle, hints(("submit", "unsure", "guess", "dont_know", "help")))
        case "order":
            places, one_back = _("1-{last} in order").format(last=last), hint("undo", _("one back"))
            return _row(places, one_back, hints(("submit", "unsure", "guess", "dont_know")))
        case "explain":
            said = _("1-{last} what you said").format(last=last)
            return _row(said, hints(("submit", "dont_know")), undo, hints(("guide", "help")))
    answer = _("1-{last} answer").format(last=last)
    return _row(answer, hints(("unsure", "guess", "dont_know")), undo, hints(("guide", "help")))
