"""What line mode says at each moment of a sitting."""

from __future__ import annotations

from tutor.content.gaps import BETWEEN
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
from tutor.plain.lines import WIDTH, Lines
from tutor.study import mock, wording
from tutor.study.sitting import Sitting
from tutor.study.tables import table_lines

SURENESS_WORDS = ("sure", "think so", "guess")


def opening(lines: Lines, sitting: Sitting) -> None:
    """Say that line mode is on, what waits, and the letters that work everywhere."""
    count = remaining(sitting.session) + 1
    lines.say(f"line mode · {count} to ask · i I don't know, u unsure, g guess before the answer, z undo, q end")
    if not sitting.session.world.cards and not sitting.rules.placement and not sitting.session.world.fixed:
        lines.say("New here? `tutor review --placement --plain` asks a dozen questions and starts you where you stand.")


def closing(lines: Lines, sitting: Sitting) -> None:
    """Say how the sitting went."""
    session = sitting.session
    if not session.answers:
        lines.say(
            "Nothing is due now." if getattr(session.phase, "reason", "") == "nothing" else "Nothing was answered."
        )
        return
    wrong = session.answers - session.right
    lines.say("", f"finished · {session.answers} answered, {session.right} right, {wrong} missed")
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


def prompt(phase: object) -> str:
    """Return the prompt of a phase: its kind, the item, what may be typed."""
    match phase:
        case Asking(question=question):
            return f"{question.item.kind} {question.item.id} · {_range(question)}"
        case AskingSureness(question=question):
            return f"sureness {question.item.id} · 1 sure, 2 think so, 3 guess, empty to pass"
        case Betting(offer=offer) if offer.flip is not None:
            return f"bet {offer.item} · {offer.experiment.id} · 1-{len(offer.flip.choices)}, n not now"
        case Betting(offer=offer):
            what = f"1-{len(offer.bet.choices)}" if offer.bet and offer.bet.kind == "choice" else "a number"
            return f"bet {offer.item} · {offer.experiment.id} · {what}, empty to run without, n not now"
        case Observing(offer=offer):
            return f"observation {offer.item} · {offer.experiment.id} · a choice, or empty"
    raise AssertionError(phase)


def how_to_answer(question: Question) -> str:
    """Return what may be typed at a question, in one sentence."""
    last = len(question.order)
    match question.item.kind:
        case "numeric":
            unit = question.item.unit or "the unit asked for"
            return f"Type a number in {unit}, with another unit if you like, or i for I don't know."
        case "cloze":
            return f"Type {_range(question)}, or i for I don't know."
        case "order":
            return f"Type all of 1 to {last} in their order, with spaces, or i for I don't know."
        case "explain":
            return f"Type 1 to {last}, several with spaces, for what you said, or i for nothing of it."
    many = ", several with spaces" if question.item.kind == "multi" else ""
    return f"Type 1 to {last}{many}, u or g before it for unsure or guess, i for I don't know."


def verdict(lines: Lines, judged: Judged) -> None:
    """Say the verdict, the explanation and when the item comes back."""
    item = judged.question.item
    lines.say(f"verdict {item.id} · {wording.verdict_words(judged)} · {wording.next_time(judged)}")
    if not judged.grade.correct and item.options and item.kind != "explain":
        lines.say(f"right: {wording.key_text(judged.question, judged.grade.key)}")
    for paragraph in wording.explanation(judged):
        lines.say(paragraph)
    if judged.result is not None:
        for claim in judged.result.claims:
            mark = "held" if claim.passed else wording.NOT_SHOWN
            lines.say(
                f"claim {claim.name}: {wording.quantity(claim.left)} {claim.op} {wording.quantity(claim.right)} · {mark}"
            )


def aside(lines: Lines, offer: Offer | None) -> None:
    """Say what the ladder recalls, puts off or merely mentions."""
    if offer is None:
        return
    if offer.kind == "recall" and offer.past is not None:
        lines.say(f"recap {offer.item} · {wording.recap(offer.past, offer.experiment)}")
    elif offer.kind == "queued":
        lines.say(f"The experiment {offer.experiment.id} waits at the end of the sitting.")
    elif offer.kind == "ask":
        lines.say(f"An experiment shows this: tutor lab run {offer.experiment.id}")


def compared(lines: Lines, phase: Compared) -> None:
    """Say bet, theory and measurement side by side, as name: value lines."""
    if not phase.result.completed:
        lines.say(f"run {phase.offer.experiment.id} · {phase.result.ending}: {phase.result.sentence}")
        return
    for row in wording.comparison(phase.offer, phase.bet, phase.result):
        parts = [
            f"bet {row.bet}" if row.bet else "",
            f"theory {row.theory}" if row.theory else "",
            f"measured {row.measured}",
            row.mark,
        ]
        lines.say(f"{row.name}: " + " · ".join(part for part in parts if part))
    for sentence in (
        wording.bet_verdict(phase.bet_right),
        wording.seen_verdict(phase.offer, phase.observation, phase.seen_right),
    ):
        if sentence:
            lines.say(sentence)
    lines.say(phase.offer.experiment.explanation)


def flipped(lines: Lines, phase: Flipped) -> None:
    """Say whether the flipped bet was right, and why."""
    flip = phase.offer.flip
    assert flip is not None
    mark = "✓ right" if phase.right else f"✗ not that · right is {flip.choices[flip.answer]}"
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
            self._lines.say(f"running {experiment} on {device} ...")
        elif message.type in ("note", "event") and message.fields.get("text"):
            self._lines.say(f"  {message.fields['text']}")

    def finish(self) -> None:
        """Write the curves heard, at most a dozen points each, the highest kept; then the tables."""
        for curve in self._recording.curves.values():
            shown = curve.ys if len(curve.ys) <= 12 else _thin(curve.ys, 12)
            self._lines.say(f"  {curve.title}: {' '.join(wording.number(y, 3) for y in shown)}")
        for rows in self._recording.tables.values():
            self._lines.say(*(f"  {line}" for line in table_lines(rows, WIDTH - 2)))


def _thin(points: list[float], most: int) -> list[float]:
    size = -(-len(points) // most)
    return [max(points[start : start + size]) for start in range(0, len(points), size)]


def _question(lines: Lines, sitting: Sitting, question: Question) -> None:
    item, session = question.item, sitting.session
    total = session.asked + remaining(session)
    role = "" if question.role == "first" else f" · {question.role}"
    lines.say("", f"{item.kind} {item.id} · {item.deck} › {item.concept} · {session.asked} of {total}{role}", item.stem)
    if not (question.hidden and item.kind == "explain"):
        lines.options(item.option(key).text for key in question.order)


def _bet(lines: Lines, offer: Offer) -> None:
    experiment = offer.experiment
    if offer.flip is not None:
        lines.say("", f"flip · {experiment.title}: {offer.flip.question}")
        lines.options(offer.flip.choices.values())
        return
    lines.say("", f"experiment · {experiment.id} · about {wording.number(experiment.seconds)} s: {experiment.question}")
    if offer.bet is not None:
        lines.say(offer.bet.question)
        lines.options(offer.bet.choices.values())


def _range(question: Question) -> str:
    match question.item.kind:
        case "numeric":
            return f"a number in {question.item.unit}" if question.item.unit else "a number"
        case "cloze":
            texts = len(question.item.gaps)
            return "the missing text" if texts == 1 else f"{texts} texts with {BETWEEN} between them"
        case "order":
            return f"1-{len(question.order)} in their order, with spaces"
        case "explain" if question.hidden:
            return "say it aloud or type it; an empty line shows the points"
        case "explain":
            return f"1-{len(question.order)} you said (several, with spaces)"
    many = " (several, with spaces)" if question.item.kind == "multi" else ""
    return f"1-{len(question.order)}{many}"
