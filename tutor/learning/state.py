"""The session's vocabulary: what is being asked, what was answered, what is offered, and what may happen next.

Values only. `session.step` is the one function that moves from state to state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tutor.clock import Instant
from tutor.content.experiments import Bet, Catalogue, Experiment, Flip
from tutor.content.families import Drawn
from tutor.content.model import Item, Library, Myth, Scalar
from tutor.content.runs import RunResult
from tutor.learning.cards import Card
from tutor.learning.grading import Given, Grade
from tutor.learning.parameters import Parameters
from tutor.learning.records import Answered, History, Offered, PastRun, Ran

SURENESS = ("sure", "think", "guess")


# --- what the session is told once ---------------------------------------------------------------------------------

@dataclass(frozen=True)
class Rules:
    """The learner's settings that the session obeys."""

    retention: float = 0.9
    rollover: int = 4
    new_per_day: int = 6
    reviews_per_day: int = 200
    confidence: bool = True
    """Ask now and then how sure an answer was."""
    lab: str = "auto"
    """auto: offer the experiment; ask: say that it exists; off: leave it alone."""
    runs_per_sitting: int = 2
    """Full runs that may interrupt; the rest wait at the end."""
    recall_first: bool = True
    """Hide the options of well-known items until the learner has answered to himself."""
    limit: int | None = None
    """First presentations in this sitting; None for no limit of its own."""
    first: str = ""
    """Item to start with, due or not."""
    decks: frozenset[str] = frozenset()
    """Ask only from these decks; empty for all."""


@dataclass(frozen=True)
class World:
    """Everything the session may consult and never changes."""

    library: Library
    catalogue: Catalogue
    rules: Rules
    parameters: Parameters
    history: History
    cards: Mapping[str, Card]
    """Cards as they stood when the sitting began."""
    session: str
    """Random id of this sitting."""
    seed: int
    mode: str = "review"
    """review | quiz | plain | mock"""
    quiz: tuple[str, ...] = ()
    """In quiz mode: the items to ask, in order."""


# --- what is on the screen -----------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Question:
    """An item as it is asked now: numbers drawn, options in the order shown."""

    item: Item
    """With its drawn numbers filled in."""
    role: str
    seed: int
    order: tuple[str, ...] = ()
    drawn: Drawn | None = None
    cause: int | None = None
    """Ordinal of the miss this question follows."""
    hidden: bool = False
    """Options wait until the learner has answered to himself."""
    base: str = ""
    """For a generated transfer: the id of the item it was made from."""


@dataclass(frozen=True)
class Offer:
    """What the tutor puts before the learner after a miss."""

    kind: str
    """run: bet, run, observe, compare. recall: one line about the learner's own run. flip: a bet without a run."""
    experiment: Experiment
    params: Mapping[str, Scalar]
    """Parameters that differ from the defaults."""
    bet: Bet | None
    myth: Myth | None
    miss: int | None
    """Ordinal of the miss; None when the learner asked for the experiment himself."""
    item: str
    past: PastRun | None = None
    flip: Flip | None = None


@dataclass(frozen=True)
class Judged:
    """An answer after it was graded and recorded: what the verdict shows."""

    question: Question
    given: Given
    grade: Grade
    answered: Answered
    number: int
    """Ordinal of this answer in the sitting, from 0."""
    myth: Myth | None
    again_soon: bool
    """Whether a retry comes later in this sitting."""
    result: RunResult | None = None
    """For a predict item: the run that gave the key."""


@dataclass(frozen=True)
class Asking:
    """A question is on the screen. `sureness` was volunteered before the answer; `since_ms` is the monotone time it appeared."""

    question: Question
    since_ms: int
    sureness: str | None = None
    hint: str = ""
    """Why the last input was not taken, in one sentence."""


@dataclass(frozen=True)
class AskingSureness:
    """The answer is given; how sure was it?"""

    question: Question
    given: Given
    ms: int


@dataclass(frozen=True)
class Measuring:
    """A predict item: the bet is laid and the run that decides it is in motion."""

    question: Question
    given: Given
    ms: int
    sureness: str | None


@dataclass(frozen=True)
class Unmeasured:
    """The run of a predict item failed: no answer is recorded."""

    question: Question
    sentence: str


@dataclass(frozen=True)
class Shown:
    """The verdict, with the recall of an earlier run where the ladder says so (`offer.kind == "recall"`), or a quiet hint that an experiment exists."""

    judged: Judged
    offer: Offer | None = None


@dataclass(frozen=True)
class Betting:
    """A miss with an experiment (or a flipped bet) offered. `judged` is None for a run that waited for the end or was asked for."""

    offer: Offer
    judged: Judged | None
    hint: str = ""


@dataclass(frozen=True)
class Running:
    """The experiment is in motion."""

    offer: Offer
    judged: Judged | None
    bet: Any


@dataclass(frozen=True)
class Observing:
    """The run ended; what did the learner see?"""

    offer: Offer
    judged: Judged | None
    bet: Any
    result: RunResult
    hint: str = ""


@dataclass(frozen=True)
class Compared:
    """Bet, theory and measurement side by side. A run that did not complete shows its sentence here too."""

    offer: Offer
    judged: Judged | None
    bet: Any
    result: RunResult
    observation: str | None
    bet_right: bool | None
    seen_right: bool | None


@dataclass(frozen=True)
class Flipped:
    """A bet on a flipped parameter was answered; `right` says how."""

    offer: Offer
    judged: Judged | None
    bet: str
    right: bool


@dataclass(frozen=True)
class Finished:
    """Nothing is left to ask, or the learner left."""

    reason: str
    """done | limit | nothing | quit"""


Phase = (
    Asking | AskingSureness | Measuring | Unmeasured | Shown | Betting | Running | Observing | Compared | Flipped | Finished
)


@dataclass(frozen=True)
class Session:
    """A sitting at one moment. Every step makes a new one; `before` leads back to the question of the last answer."""

    world: World
    phase: Phase
    changed: Mapping[str, Card] = field(default_factory=dict)
    """Cards moved in this sitting."""
    queue: tuple[str, ...] = ()
    """Due items still to come, in order."""
    new: tuple[str, ...] = ()
    """New items that may still be introduced today, in order."""
    retries: tuple[tuple[str, int, int], ...] = ()
    """(item, asked so far when it may return, ordinal of its miss)."""
    transfers: tuple[tuple[Item, int, int], ...] = ()
    """(item, asked so far when it may come, ordinal of the miss it follows)."""
    waiting: tuple[Offer, ...] = ()
    """Runs put off to the end of the sitting."""
    myths: Mapping[str, Any] = field(default_factory=dict)
    """Ladder history changed in this sitting, over `world.history.myths`."""
    load: Mapping[str, int] = field(default_factory=dict)
    """Change of the number of cards due per day."""
    asked: int = 0
    """Questions presented."""
    first_asked: int = 0
    """First presentations, which the limit counts."""
    answers: int = 0
    """Answers recorded; the next one's ordinal."""
    right: int = 0
    introduced: int = 0
    """New cards begun in this sitting, transfers included."""
    runs: int = 0
    """Full runs made in this sitting."""
    gone: frozenset[str] = frozenset()
    """Items already asked, suspended or set aside in this sitting."""
    last_concept: str = ""
    before: Session | None = None


# --- what may happen -----------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Answer:
    """The learner's answer: option keys, or a number already parsed (`raw` as typed, `value` in the item's unit)."""

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
class Quit:
    """Leave the sitting; nothing answered is lost."""

    now: Instant


Event = (
    Answer | DontKnow | Mark | Reveal | LayBet | RunEnded | Observed | Continue | Skip | Explore | Undo | Suspend | Flag | Quit
)


# --- what must be done about it ------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Record:
    """Write an answer; commit before its verdict is painted. `number` is its ordinal."""

    number: int
    answered: Answered


@dataclass(frozen=True)
class RecordOffer:
    """Write what was offered and what became of it."""

    offered: Offered


@dataclass(frozen=True)
class RecordRun:
    """Write a run."""

    ran: Ran


@dataclass(frozen=True)
class Retract:
    """Write that the answer with this ordinal is undone."""

    number: int


@dataclass(frozen=True)
class RetractEarlier:
    """Undo reaches behind this sitting: take back the last answer of the log and begin anew with its item."""


@dataclass(frozen=True)
class StartRun:
    """Start the experiment; report its end as `RunEnded`."""

    experiment: Experiment
    params: Mapping[str, Scalar]


@dataclass(frozen=True)
class CancelRun:
    """Stop the run in motion."""


@dataclass(frozen=True)
class SetAside:
    """Write that an item is suspended."""

    item: str


@dataclass(frozen=True)
class WriteFlag:
    """Write a flag and its note."""

    item: str
    note: str


Effect = Record | RecordOffer | RecordRun | Retract | RetractEarlier | StartRun | CancelRun | SetAside | WriteFlag
