"""The session's states: what is being asked, what was answered, what is offered.

Values only. `session.step` is the one function that moves from state to state; `moves` are what may happen and `effects`
what must be done about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from tutor.content.experiments import Bet, Experiment, Flip
from tutor.content.model import Item, Myth, Scalar
from tutor.content.runs import RunResult
from tutor.frozen import dataclass
from tutor.learning.cards import Card
from tutor.learning.grading import Given, Grade
from tutor.learning.records import Answered, MythHistory, PastRun
from tutor.learning.world import World

if TYPE_CHECKING:
    from tutor.content.families import Drawn

SURENESS = ("sure", "think", "guess")


@dataclass(frozen=True)
class Notice:
    """What is said beside the question at hand, in one sentence of the front ends' own."""

    kind: str
    """backlog: a part of what is due waits. clock-back, clock-ahead: this machine's clock jumped. revised: questions were
    changed since they were answered. foundation: this comes first, because the concept missed builds on it. leech: the item is set aside. stop: a good place to stop."""
    item: str = ""
    concept: str = ""
    count: int = 0
    """backlog: due cards left for later days. leech: misses of the card after its first answer. stop: misses among the last five answers."""
    after_break: bool = False
    remedy: str = ""
    """leech: prerequisite | experiment | guide | source."""
    target: str = ""
    """leech: id of the concept, experiment or deck, or the source."""


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
    """Options wait until the learner has answered to himself, the points of an explanation until he has said it."""
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
    aside: bool = False
    """Whether the item was set aside, having been missed too often."""


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
    """done | limit | nothing | placed | quit"""


Phase = (
    Asking
    | AskingSureness
    | Measuring
    | Unmeasured
    | Shown
    | Betting
    | Running
    | Observing
    | Compared
    | Flipped
    | Finished
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
    retries: tuple[tuple[str, int, int], ...] = ()
    """(item, asked so far when it may return, ordinal of its miss)."""
    transfers: tuple[tuple[Item, int, int], ...] = ()
    """(item, asked so far when it may come, ordinal of the miss it follows)."""
    foundation: tuple[str, int] | None = None
    """(item of a weak prerequisite, ordinal of the miss that calls for it): it comes next."""
    notices: tuple[Notice, ...] = ()
    """What is said until the next question."""
    waiting: tuple[Offer, ...] = ()
    """Runs put off to the end of the sitting."""
    myths: Mapping[str, MythHistory] = field(default_factory=dict)
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
    paces: tuple[tuple[bool, float], ...] = ()
    """Answers so far: right or not, and time over the learner's usual time for that kind of item."""
    stop_offered: bool = False
    slips: Mapping[str, str] = field(default_factory=dict)
    """Numeric item -> the slip behind its latest answer in this sitting, empty where there was none."""
    runs: int = 0
    """Full runs made in this sitting."""
    gone: frozenset[str] = frozenset()
    """Items already asked, suspended or set aside in this sitting."""
    last_concept: str = ""
    before: Session | None = None

    @property
    def new(self) -> Iterator[str]:
        """New items that may still be introduced, in order."""
        return (id for id in self.world.unseen if id not in self.gone)
