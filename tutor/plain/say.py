"""What line mode says at each moment of a sitting."""

from __future__ import annotations

from tutor.i18n import _
from tutor.lab import glossary
from tutor.lab.endings import ending_words
from tutor.lab.messages import Message
from tutor.lab.recording import Recording
from tutor.learning.present import remaining
from tutor.learning.state import (
    Asking,
    AskingSureness,
    Betting,
    Compared,
    Finished,
    Flipped,
    Judged,
    Observing,
    Offer,
    Question,
)
from tutor.plain.letters import END, Letters
from tutor.plain.lines import WIDTH, Lines
from tutor.study import mock, showing, wording
from tutor.study.answers import wanted_texts
from tutor.study.sitting import Sitting
from tutor.study.tables import table_lines


def opening(lines: Lines, sitting: Sitting, letters: Letters) -> None:
    """Say that line mode is on, what waits, and the letters that work everywhere."""
    count = remaining(sitting.session) + 1
    said = _(
        "line mode · {count} to ask · {dont_know} I don't know, {unsure} unsure, {guess} guess before the answer, {undo} undo, {end} end"
    )
    lines.say(said.format(count=count, end=END, **letters))
    if not sitting.session.world.cards and not sitting.rules.placement and not sitting.session.world.fixed:
        lines.say(
            _("New here? `tutor review --placement --plain` asks a dozen questions and starts you where you stand.")
        )


def closing(lines: Lines, sitting: Sitting) -> None:
    """Say how the sitting went."""
    session = sitting.session
    if not session.answers:
        nothing = getattr(session.phase, "reason", "") == "nothing"
        lines.say(_("Nothing is due now.") if nothing else _("Nothing was answered."))
        return
    wrong = session.answers - session.right
    said = _("finished · {answered} answered, {right} right, {missed} missed")
    lines.say("", said.format(answered=session.answers, right=session.right, missed=wrong))
    if isinstance(session.phase, Finished) and session.phase.reason == "placed":
        lines.say(wording.placed_words(session))
    if session.world.mode == "mock":
        lines.say(mock.words(sitting.desk))


def introduce(lines: Lines, sitting: Sitting, phase: object) -> None:
    """Write what a prompt asks about."""
    match phase:
        case Asking(question=question):
            _question(lines, sitting, question)
        case Betting(offer=offer, judged=judged):
            if judged is not None and judged.question.item.id == offer.item:
                verdict(lines, judged)
            _bet(lines, offer)
        case Observing(offer=offer):
            observation = offer.experiment.observation
            if observation is not None:
                lines.say(observation.question)
                lines.options(observation.choices.values())


def prompt(phase: object, letters: Letters) -> str:
    """Return the prompt of a phase: its kind, the item, what may be typed."""
    match phase:
        case Asking(question=question):
            return f"{question.item.kind} {question.item.id} · {_range(question)}"
        case AskingSureness(question=question):
            return f"sureness {question.item.id} · {_('1 sure, 2 think so, 3 guess, empty to pass')}"
        case Betting(offer=offer) if offer.flip is not None:
            keys = _("1-{last}, {not_now} not now").format(last=len(offer.flip.choices), **letters)
            return f"bet {offer.item} · {offer.experiment.id} · {keys}"
        case Betting(offer=offer):
            what = f"1-{len(offer.bet.choices)}" if offer.bet and offer.bet.kind == "choice" else _("a number")
            keys = _("{what}, empty to run without, {not_now} not now").format(what=what, **letters)
            return f"bet {offer.item} · {offer.experiment.id} · {keys}"
        case Observing(offer=offer):
            return f"observation {offer.item} · {offer.experiment.id} · {_('a choice, or empty')}"
    raise AssertionError(phase)


def how_to_answer(question: Question, letters: Letters) -> str:
    """Return what may be typed at a question, in one sentence."""
    last, unit = len(question.order), question.item.unit or _("the unit asked for")
    match question.item.kind:
        case "numeric":
            said = _("Type a number in {unit}, with another unit if you like, or {dont_know} for I don't know.")
        case "cloze":
            said = _("Type {what}, or {dont_know} for I don't know.")
        case "order":
            said = _("Type all of 1 to {last} in their order, with spaces, or {dont_know} for I don't know.")
        case "explain":
            said = _("Type 1 to {last}, several with spaces, for what you said, or {dont_know} for nothing of it.")
        case "multi":
            said = _(
                "Type 1 to {last}, several with spaces, {unsure} or {guess} before it for unsure or guess, {dont_know} for I don't know."
            )
        case _other:
            said = _(
                "Type 1 to {last}, {unsure} or {guess} before it for unsure or guess, {dont_know} for I don't know."
            )
    return said.format(last=last, unit=unit, what=_range(question), **letters)


def verdict(lines: Lines, judged: Judged) -> None:
    """Say the verdict, the explanation and when the item comes back."""
    item = judged.question.item
    lines.say(f"verdict {item.id} · {wording.verdict_words(judged)} · {wording.next_time(judged)}")
    if not judged.grade.correct and item.options and item.kind != "explain":
        lines.say(_("right: {right}").format(right=wording.key_text(judged.question, judged.grade.key)))
    for paragraph in wording.explanation(judged):
        lines.say(paragraph)
    if judged.result is not None:
        for claim in judged.result.claims:
            mark = showing.held(claim.passed)
            left, right = (showing.measured_value(None, claim.name, side) for side in (claim.left, claim.right))
            lines.say(f"{_('claim')} {glossary.said(claim.name)}: {left} {claim.op} {right} · {mark}")


def aside(lines: Lines, offer: Offer | None) -> None:
    """Say what the ladder recalls, puts off or merely mentions."""
    if offer is None:
        return
    if offer.kind == "recall" and offer.past is not None:
        lines.say(f"recap {offer.item} · {showing.recap(offer.past, offer.experiment)}")
    elif offer.kind == "queued":
        lines.say(_("The experiment {id} waits at the end of the sitting.").format(id=offer.experiment.id))
    elif offer.kind == "ask":
        lines.say(_("An experiment shows this: tutor lab run {id}").format(id=offer.experiment.id))


def compared(lines: Lines, phase: Compared) -> None:
    """Say bet, theory and measurement side by side, as name: value lines."""
    if not phase.result.completed:
        ended = ending_words(phase.result.ending)
        lines.say(f"{_('run')} {phase.offer.experiment.id} · {ended}: {phase.result.sentence}")
        return
    for row in showing.comparison(phase.offer, phase.bet, phase.result):
        parts = [
            _("bet {bet}").format(bet=row.bet) if row.bet else "",
            _("theory {theory}").format(theory=row.theory) if row.theory else "",
            _("measured {measured}").format(measured=row.measured),
            row.mark,
        ]
        lines.say(f"{row.name}: " + " · ".join(part for part in parts if part))
    for sentence in (
        showing.bet_verdict(phase.bet_right),
        showing.seen_verdict(phase.offer, phase.observation, phase.seen_right),
    ):
        if sentence:
            lines.say(sentence)
    lines.say(phase.offer.experiment.explanation)


def flipped(lines: Lines, phase: Flipped) -> None:
    """Say whether the flipped bet was right, and why."""
    flip = phase.offer.flip
    assert flip is not None
    wrong = _("✗ not that · right is {right}").format(right=flip.choices[flip.answer])
    mark = _("✓ right") if phase.right else wrong
    lines.say(f"verdict {phase.offer.experiment.id} · {mark}", flip.why)


class Told:
    """Turns the messages of a run into lines: curves as rows of numbers, tables, notes and events as they come."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._recording = Recording()

    def hear(self, message: Message) -> None:
        """Take in one message."""
        self._recording.hear(message)
        if message.type == "meta":
            experiment, device = message.fields.get("experiment", ""), message.fields.get("device", "cpu")
            self._lines.say(_("running {experiment} on {device} ...").format(experiment=experiment, device=device))
        elif message.type in ("note", "event") and message.fields.get("text"):
            self._lines.say(f"  {glossary.said(message.fields['text'])}")

    def finish(self) -> None:
        """Write the curves heard, at most a dozen points each, the highest kept; then the tables."""
        for curve in self._recording.curves.values():
            shown = curve.ys if len(curve.ys) <= 12 else _thin(curve.ys, 12)
            self._lines.say(f"  {glossary.said(curve.title)}: {' '.join(wording.number(y, 3) for y in shown)}")
        for rows in self._recording.tables.values():
            self._lines.say(*(f"  {line}" for line in table_lines(rows, WIDTH - 2)))


def _thin(points: list[float], most: int) -> list[float]:
    size = -(-len(points) // most)
    return [max(points[start : start + size]) for start in range(0, len(points), size)]


def _question(lines: Lines, sitting: Sitting, question: Question) -> None:
    item, session = question.item, sitting.session
    total = session.asked + remaining(session)
    role = "" if question.role == "first" else f" · {wording.role_words(question.role)}"
    role += wording.language_mark(item)
    place = _("{asked} of {all}").format(asked=session.asked, all=total)
    lines.say("", f"{item.kind} {item.id} · {item.deck} › {item.concept} · {place}{role}", item.stem)
    if not (question.hidden and item.kind == "explain"):
        lines.options(item.option(key).text for key in question.order)


def _bet(lines: Lines, offer: Offer) -> None:
    experiment = offer.experiment
    if offer.flip is not None:
        lines.say("", f"{_('flip')} · {experiment.title}: {offer.flip.question}")
        lines.options(offer.flip.choices.values())
        return
    lines.say(
        "",
        _("experiment · {id} · about {seconds} s: {question}").format(
            id=experiment.id, seconds=wording.number(experiment.seconds), question=experiment.question
        ),
    )
    if offer.bet is not None:
        lines.say(offer.bet.question)
        lines.options(offer.bet.choices.values())


def _range(question: Question) -> str:
    match question.item.kind:
        case "numeric":
            unit = question.item.unit
            return _("a number in {unit}").format(unit=unit) if unit else _("a number")
        case "cloze":
            return wanted_texts(len(question.item.gaps))
        case "order":
            return _("1-{last} in their order, with spaces").format(last=len(question.order))
        case "explain" if question.hidden:
            return _("say it aloud or type it; an empty line shows the points")
        case "explain":
            return _("1-{last} you said (several, with spaces)").format(last=len(question.order))
    last = len(question.order)
    return _("1-{last} (several, with spaces)").format(last=last) if question.item.kind == "multi" else f"1-{last}"
