"""Reads what a learner typed or pressed into the session's moves; what cannot be read is said back, and nothing is recorded."""

from __future__ import annotations

from dataclasses import dataclass

from tutor.content.experiments import Bet
from tutor.content.units import Misread, parse_quantity
from tutor.learning.state import Question


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


def read_number(question: Question, text: str) -> Number | NotRead:
    """Read a numeric answer in the item's unit, or any unit of the same dimension."""
    return _quantity(text, question.item.unit)


def read_choice(text: str, keys: tuple[str, ...], many: bool = False) -> tuple[str, ...] | NotRead:
    """Read `2`, or `1 3` where several may be chosen, as the keys shown at those places."""
    words = text.replace(",", " ").split()
    places = [int(word) for word in words if word.isdecimal() and 1 <= int(word) <= len(keys)]
    if len(places) != len(words) or not words:
        several = " one or more of" if many else ""
        return NotRead(f"{text.strip()!r} is not an answer here: choose{several} 1 to {len(keys)}.")
    if len(words) > 1 and not many:
        return NotRead(f"One answer is right here: choose 1 to {len(keys)}.")
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
    quantity = parse_quantity(text, unit)
    if isinstance(quantity, Misread):
        return NotRead(quantity.sentence)
    return Number(text.strip(), quantity.value, quantity.understood)
