"""Reads what a learner typed or pressed into the session's moves; what cannot be read is said back, and nothing is recorded."""

from __future__ import annotations

from tutor.clock import Instant
from tutor.content.experiments import Bet
from tutor.content.gaps import BETWEEN, split_typed
from tutor.frozen import dataclass
from tutor.i18n import _
from tutor.learning.moves import Answer
from tutor.learning.state import Question


@dataclass(frozen=True, slots=True)
class Read:
    """An answer as the session takes it, and what was understood where a number was converted."""

    choice: tuple[str, ...] | None = None
    raw: str | None = None
    value: float | None = None
    understood: str = ""

    def move(self, now: Instant) -> Answer:
        """Return the move that gives this answer."""
        return Answer(now, self.choice, self.raw, self.value)


@dataclass(frozen=True, slots=True)
class Number:
    """A number as typed, its value in the unit asked for, and what was understood."""

    raw: str
    value: float
    understood: str


@dataclass(frozen=True, slots=True)
class NotRead:
    """Why the input was not taken, in one sentence."""

    sentence: str


def read_answer(question: Question, text: str) -> Read | NotRead:
    """Read what was typed at a question: a number with or without a unit, texts for gaps, places of options."""
    kind = question.item.kind
    if kind == "numeric":
        number = _quantity(text, question.item.unit)
        return number if isinstance(number, NotRead) else Read(None, number.raw, number.value, number.understood)
    if kind == "cloze":
        return _texts(question, text)
    if kind == "order":
        chosen = read_order(text, question.order)
    else:
        chosen = read_choice(text, question.order, many=kind in ("multi", "explain"))
    return chosen if isinstance(chosen, NotRead) else Read(chosen)


def read_order(text: str, keys: tuple[str, ...]) -> tuple[str, ...] | NotRead:
    """Read `3 1 2 4`, or `3124`, as the steps shown at those places, in the order typed."""
    words = text.replace(",", " ").split()
    digits = list(words[0]) if len(words) == 1 else words
    if sorted(digits) != [str(place) for place in range(1, len(keys) + 1)]:
        example = " ".join(str(place) for place in (2, 1, *range(3, len(keys) + 1)))
        said = _("{text!r} is no order of 1 to {last}: type each once, such as {example}.")
        return NotRead(said.format(text=text.strip(), last=len(keys), example=example))
    return tuple(keys[int(digit) - 1] for digit in digits)


def _texts(question: Question, text: str) -> Read | NotRead:
    gaps = question.item.gaps
    if split_typed(text, gaps) is not None:
        return Read(raw=text.strip())
    said = _("{text!r} does not fill the gaps: type {wanted}.")
    return NotRead(said.format(text=text.strip(), wanted=wanted_texts(len(gaps))))


def wanted_texts(gaps: int) -> str:
    """Return what is typed at a question with gaps."""
    return (
        _("the missing text")
        if gaps == 1
        else _("{count} texts with {mark} between them").format(count=gaps, mark=BETWEEN)
    )


def read_choice(text: str, keys: tuple[str, ...], many: bool = False) -> tuple[str, ...] | NotRead:
    """Read `2`, or `1 3` where several may be chosen, as the keys shown at those places."""
    words = text.replace(",", " ").split()
    places = [int(word) for word in words if word.isdecimal() and 1 <= int(word) <= len(keys)]
    if len(places) != len(words) or not words:
        one, several = (
            _("{text!r} is not an answer here: choose 1 to {last}."),
            _("{text!r} is not an answer here: choose one or more of 1 to {last}."),
        )
        return NotRead((several if many else one).format(text=text.strip(), last=len(keys)))
    if len(words) > 1 and not many:
        return NotRead(_("One answer is right here: choose 1 to {last}.").format(last=len(keys)))
    chosen = {keys[place - 1] for place in places}
    return tuple(key for key in keys if key in chosen)


def read_bet(bet: Bet, text: str) -> str | float | NotRead:
    """Read a bet: the number of a choice, or a ratio."""
    if bet.kind == "choice":
        chosen = read_choice(text, tuple(bet.choices))
        return chosen if isinstance(chosen, NotRead) else chosen[0]
    number = _quantity(text, bet.unit)
    return number if isinstance(number, NotRead) else number.value


def _quantity(text: str, unit: str) -> Number | NotRead:
    from tutor.content.units import Misread, parse_quantity  # loaded with the first number typed

    quantity = parse_quantity(text, unit)
    if isinstance(quantity, Misread):
        return NotRead(quantity.sentence)
    return Number(text.strip(), quantity.value, quantity.understood)
