"""What may happen in a sitting: the events that `session.step` takes, from either front end."""

from __future__ import annotations

from typing import Any

from tutor.clock import Instant
from tutor.content.model import Library
from tutor.content.runs import RunResult
from tutor.frozen import dataclass
from tutor.learning.cards import Card


@dataclass(frozen=True)
class Answer:
    """The learner's answer: option keys, the texts of gaps in `raw`, or a number already parsed (`value` in the item's unit)."""

    now: Instant
    choice: tuple[str, ...] | None = None
    raw: str | None = None
    value: float | None = None


@dataclass(frozen=True)
class DontKnow:
    """`i`: no answer, no penalty in calibration; Again for the schedule."""

    now: Instant


@dataclass(frozen=True)
class Mark:
    """Sureness: volunteered before an answer (`u`, `g`), or the reply when asked. None leaves the question unanswered."""

    now: Instant
    sureness: str | None


@dataclass(frozen=True)
class Reveal:
    """Show the hidden options."""

    now: Instant


@dataclass(frozen=True)
class LayBet:
    """A bet (choice key or number), or None to run without one."""

    now: Instant
    bet: Any = None


@dataclass(frozen=True)
class RunEnded:
    """The lab reports the end of the run that the session started."""

    now: Instant
    result: RunResult


@dataclass(frozen=True)
class Observed:
    """What the learner saw (a choice key), or None."""

    now: Instant
    seen: str | None = None


@dataclass(frozen=True)
class Continue:
    """Go on from a verdict, a comparison or a note."""

    now: Instant


@dataclass(frozen=True)
class Skip:
    """Leave the step at hand; at a bet it means not now."""

    now: Instant


@dataclass(frozen=True)
class Explore:
    """`l`: the experiment of this item, whatever the ladder says."""

    now: Instant


@dataclass(frozen=True)
class Undo:
    """Take the last answer back."""

    now: Instant


@dataclass(frozen=True)
class Suspend:
    """Set the item at hand aside until it is resumed."""

    now: Instant


@dataclass(frozen=True)
class Flag:
    """Mark the item at hand as faulty, with a note to its author."""

    now: Instant
    note: str


@dataclass(frozen=True)
class Reread:
    """The decks were read again after an edit."""

    now: Instant
    library: Library


@dataclass(frozen=True)
class Revised:
    """The learner decided over the history of a changed item; `card` is what is left of it, None where it is new again."""

    now: Instant
    item: str
    card: Card | None


@dataclass(frozen=True)
class Quit:
    """Leave the sitting; nothing answered is lost."""

    now: Instant


Event = (
    Answer
    | DontKnow
    | Mark
    | Reveal
    | LayBet
    | RunEnded
    | Observed
    | Continue
    | Skip
    | Explore
    | Undo
    | Suspend
    | Flag
    | Reread
    | Revised
    | Quit
)
