"""Paints a phase of the session as styled text. Deck text goes in as data: brackets and backslashes appear as written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from textual.content import Content

from tutor.frozen import dataclass
from tutor.i18n import _
from tutor.lab import glossary
from tutor.lab.endings import ending_words
from tutor.learning.grading import Given
from tutor.learning.state import (
    Asking,
    AskingSureness,
    Betting,
    Compared,
    Finished,
    Flipped,
    Judged,
    Measuring,
    Notice,
    Observing,
    Offer,
    Question,
    Running,
    Session,
    Shown,
    Unmeasured,
)
from tutor.study import showing, wording
from tutor.ui.actions import keyed
from tutor.ui.entry import Entry
from tutor.ui.question import paint_marked, paint_question
from tutor.ui.theme import KEY, QUIET, RIGHT, STRONG, WRONG
from tutor.ui.wrapping import hung

if TYPE_CHECKING:
    from tutor.lab.recording import Recording


@dataclass(frozen=True)
class Look:
    """What painting needs beside the session: the room there is, what was entered so far, the run in motion."""

    width: int
    height: int
    entry: Entry = field(default_factory=Entry)
    live: Recording | None = None
    above: tuple[Notice, ...] = ()
    """What is said above the question, from when it is put until the next; what an answer brings stands under its verdict."""
    summary: str = ""
    """How mock interviews went so far, at the end of one."""


def paint(session: Session, look: Look) -> Content:
    """Return the whole body of the screen for the session's phase."""
    before = _notices(look.above, session)
    after = _notices([notice for notice in session.notices if notice not in look.above], session)
    match session.phase:
        case Asking(question=question):
            return _join(before, *_asked(question, look))
        case AskingSureness(question=question, given=given):
            asked = _line(_("How sure were you?   1 sure   2 think so   3 guess"), STRONG)
            return _join(before, *_asked(question, look, given), asked)
        case Measuring(question=question, given=given):
            return _join(
                before,
                *_asked(question, look, given),
                _running(question.item.experiment.id if question.item.experiment else "", look),
            )
        case Unmeasured(question=question, sentence=sentence):
            return _join(
                before, *_asked(question, look), _line(_("No answer is recorded: {why}").format(why=sentence), WRONG)
            )
        case Shown(judged=judged, offer=offer):
            return _join(before, _judged(judged, look, after), _aside(offer))
        case Betting(offer=offer, judged=judged):
            above = _missed(judged, after) if judged and judged.question.item.id == offer.item else Content("")
            return _join(above, _bet(offer, look))
        case Running(offer=offer, bet=bet):
            laid = _("your bet: {bet}").format(bet=showing.bet_words(offer.bet, bet))
            wager = _line(laid if bet is not None else "", QUIET)
            return _join(_line(offer.experiment.question), wager, _running(offer.experiment.id, look))
        case Observing(offer=offer):
            asked = _observation(offer, look)
            return _join(_live(look, len(asked.plain.splitlines()) + 4), asked)
        case Compared():
            return _compared(session.phase, look)
        case Flipped(offer=offer, right=right):
            return _join(_bet(offer, look), _flip_verdict(offer, right))
        case Finished():
            return _join(before if session.phase.reason == "nothing" else Content(""), _finished(session, look))
    raise AssertionError(session.phase)


def _notices(notices: Sequence[Notice], session: Session) -> Content:
    return _line("\n".join(wording.notice_words(notice, session.world.library) for notice in notices), QUIET)


def _asked(question: Question, look: Look, given: Given | None = None) -> list[Content]:
    chosen = None if given is None else given.choice or ()
    wrote = _("you wrote: {text}").format(text=given.raw) if given is not None and given.raw is not None else ""
    return [*paint_question(question, look.width, look.entry, chosen), _line(wrote, STRONG)]


def _judged(judged: Judged, look: Look, noticed: Content) -> Content:
    good = judged.grade.correct
    verdict = Content.assemble(
        (wording.verdict_words(judged), RIGHT if good else WRONG), (f"   {wording.next_time(judged)}", QUIET)
    )
    why = [Content(paragraph) for paragraph in wording.explanation(judged)]
    claims = _claims(judged, look.width)
    return _join(*paint_marked(judged, look.width), verdict, noticed, *why, claims)


def _claims(judged: Judged, width: int) -> Content:
    if judged.result is None:
        return Content("")
    rows = [
        showing.Row(
            glossary.said(c.name),
            "",
            f"{c.op} {showing.measured_value(None, c.name, c.right)}",
            showing.measured_value(None, c.name, c.left),
            showing.held(c.passed),
        )
        for c in judged.result.claims
    ]
    return _table(rows, width)


def _aside(offer: Offer | None) -> Content:
    if offer is None:
        return Content("")
    if offer.kind == "recall" and offer.past is not None:
        return _line(
            f"{showing.recap(offer.past, offer.experiment)} {keyed(_('`{experiment}` runs it again.'))}", QUIET
        )
    if offer.kind == "queued":
        return _line(_("The experiment {id} waits at the end of the sitting.").format(id=offer.experiment.id), QUIET)
    return _line(keyed(_("`{experiment}` lets your machine say: {id}"), id=offer.experiment.id), QUIET)


def _missed(judged: Judged, noticed: Content) -> Content:
    """The miss in few lines, so that the bet below it is on the screen too."""
    key = judged.grade.key
    tell = judged.question.item.options and judged.grade.short is None and not judged.given.nothing
    texts = wording.key_text(judged.question, key) if tell else ""
    verdict = Content.assemble((wording.verdict_words(judged), WRONG), (f"   {wording.next_time(judged)}", QUIET))
    why = [Content(paragraph) for paragraph in wording.explanation(judged)[:1]]
    return _join(verdict, noticed, _line(texts, RIGHT), *why)


def _bet(offer: Offer, look: Look) -> Content:
    experiment = offer.experiment
    if offer.flip is not None:
        head = _line(_("Without a run: {title}").format(title=experiment.title), STRONG)
        return _join(head, Content(offer.flip.question), _choices(offer.flip.choices.values(), look.width))
    about = _("Let the machine say ── {id} · about {seconds} s")
    head = _line(about.format(id=experiment.id, seconds=wording.number(experiment.seconds)), STRONG)
    if offer.bet is None:
        return _join(head, Content(experiment.question))
    return _join(
        head,
        Content(experiment.question),
        _join_lines(Content(offer.bet.question), _choices(offer.bet.choices.values(), look.width)),
    )


def _choices(texts: Iterable[str], width: int) -> Content:
    """Numbered choices on one line where they fit, else one below the other."""
    shown = list(texts)
    between = "   " if sum(len(text) + 7 for text in shown) <= width else "\n"
    parts: list[tuple[str, str]] = []
    for place, text in enumerate(shown, start=1):
        parts += [
            (f"{place}  " if between == "\n" else f"{place} ", KEY),
            ((text if between != "\n" else hung(text, width, 3)) + (between if place < len(shown) else ""), ""),
        ]
    return Content.assemble(*parts) if parts else Content("")


def _running(id: str, look: Look) -> Content:
    return _join(_line(keyed(_("{id} is running on this machine; {back} stops it."), id=id), STRONG), _live(look))


def _live(look: Look, below: int = 8) -> Content:
    if look.live is None:
        return Content("")
    from tutor.ui.live import run_lines  # curves and tables, loaded with the first run

    return Content("\n".join(run_lines(look.live, look.width, max(4, look.height - below - 4))))


def _observation(offer: Offer, look: Look) -> Content:
    observation = offer.experiment.observation
    assert observation is not None
    return _join_lines(_line(observation.question, STRONG), _choices(observation.choices.values(), look.width))


def _compared(phase: Compared, look: Look) -> Content:
    if not phase.result.completed:
        return _join(
            _line(_("The run ended early: {ending}.").format(ending=ending_words(phase.result.ending)), WRONG),
            Content(phase.result.sentence),
        )
    rows = showing.comparison(phase.offer, phase.bet, phase.result)
    wagered = _("your bet: {bet}").format(bet=rows[0].bet) + " · " if phase.bet is not None else ""
    bet = wagered + showing.bet_verdict(phase.bet_right) if phase.bet_right is not None else ""
    seen = showing.seen_verdict(phase.offer, phase.observation, phase.seen_right)
    return _join(
        _table(rows, look.width),
        _line(bet, RIGHT if phase.bet_right else WRONG),
        _line(seen, RIGHT if phase.seen_right else WRONG),
        Content(phase.offer.experiment.explanation),
    )


def _table(rows: Sequence[showing.Row], width: int) -> Content:
    """Lay rows out in columns where they fit, else one line a row."""
    cells = [("", _("theory"), _("measured here"), "")] + [(r.name, r.theory, r.measured, r.mark) for r in rows]
    wide = [max(len(row[n]) for row in cells) for n in range(4)]
    if sum(wide) + 3 > width:
        return Content("\n".join(_narrow(row) for row in rows))
    gap = "  " if sum(wide) + 6 <= width else " "
    return Content("\n".join(gap.join(f"{cell:<{wide[n]}}" for n, cell in enumerate(row)).rstrip() for row in cells))


def _narrow(row: showing.Row) -> str:
    said = [
        _("theory {theory}").format(theory=row.theory) if row.theory else "",
        _("here {measured}").format(measured=row.measured),
        row.mark,
    ]
    return f"{row.name}: " + ", ".join(part for part in said if part)


def _flip_verdict(offer: Offer, right: bool) -> Content:
    flip = offer.flip
    assert flip is not None
    wrong = _("✗ not that · right is {right}").format(right=flip.choices[flip.answer])
    word = _("✓ right") if right else wrong
    return _join(_line(word, RIGHT if right else WRONG), Content(flip.why))


def _finished(session: Session, look: Look) -> Content:
    assert isinstance(session.phase, Finished)
    if session.phase.reason == "nothing":
        return _join(
            _line(_("Nothing is due now."), STRONG), Content(_("Come back tomorrow, or take a quiz from Today."))
        )
    missed = session.answers - session.right
    done = _("Done: {answered} answered, {right} right, {missed} missed.")
    head = _line(done.format(answered=session.answers, right=session.right, missed=missed), STRONG)
    if session.world.mode == "mock":
        return _join(head, Content(look.summary), Content(keyed(_("Each is asked once; {go_on} returns to Today."))))
    placed = wording.placed_words(session) if session.phase.reason == "placed" else ""
    back = sorted(card.due for card in session.changed.values())
    when = _("The next of them comes back {day}.").format(day=wording.day_words(back[0])) if back else ""
    return _join(
        head,
        Content(placed),
        Content(when),
        Content(keyed(_("{undo} takes the last answer back; {go_on} returns to Today."))),
    )


def _line(text: str, style: str = "") -> Content:
    return Content.styled(text, style) if text and style else Content(text)


def _join_lines(*blocks: Content) -> Content:
    return Content("\n").join([block.rstrip() for block in blocks if block.plain.strip()])


def _join(*blocks: Content) -> Content:
    return Content("\n\n").join([block.rstrip() for block in blocks if block.plain.strip()])
