"""What a sitting leaves behind: the payloads of events, as values.

The session makes them, the store keeps them as JSON and never rewrites them. References to another event are ordinals of
the sitting's answers while the session works; `study` turns them into (device, seq) when it writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field
from typing import Any

from tutor.frozen import dataclass

Ref = tuple[str, int]
"""An event's place in its device's log: (device, seq)."""

MAPPING = 2
"""Version of the rule that turns a graded answer into Evidence; raised whenever the rule changes."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer, with all that a later rule could need to judge it again."""

    session: str
    item: str
    concept: str
    rev: int
    text_hash: str
    lang: str
    kind: str
    family: str
    family_version: int
    seed: int
    values: Mapping[str, Any]
    """Drawn values of a numeric item."""
    options: tuple[str, ...]
    """Option keys in the order shown."""
    choice: tuple[str, ...] | None
    """Keys chosen, steps in the order they were put; None for what is typed or for "I don't know"."""
    raw: str | None
    """A number or the texts of gaps, as typed."""
    parsed: float | None
    """The number understood, in the item's unit."""
    key: tuple[str, ...] | float
    correct: bool
    slip: str | None
    myth: str | None
    sureness: str | None
    """sure | think | guess; None where it was not asked."""
    ms: int
    mode: str
    """review | quiz | plain | mock"""
    role: str
    """first | retry | transfer | practice | hinted | sealed"""
    cause: Any
    """The miss this question follows: an ordinal in the session, (device, seq) in the store, or None."""
    mapping: int
    rating: int | None
    """1 Again, 2 Hard, 3 Good, 4 Easy; None where the answer moves no card."""
    q: float
    """Probability that a right answer was knowledge."""
    predicted: float | None
    """Retrievability before the answer; None for a new card. Of a sealed item: the readiness in its concept."""
    parameters: str
    """Id of the parameter set used."""
    retention: float
    """Desired retention in force."""
    due: str | None
    """Study day (ISO date) on which the card is next due; None where the answer moves no card."""
    interval: int | None
    """Days from this study day to `due`."""


@dataclass(frozen=True, slots=True)
class Offered:
    """What was put before the learner after a miss, and what became of it."""

    miss: Any
    experiment: str
    myth: str | None
    why: str
    """Why this one: the myth's belief or the concept."""
    outcome: str
    """run | recalled | flipped | skipped | queued | held out"""
    right: bool | None = None
    """For a flipped bet: whether it was right."""
    arm: str = "default"
    probability: float = 1.0


@dataclass(frozen=True, slots=True)
class Ran:
    """One run of an experiment on this machine: the bet, theory and what was measured, side by side."""

    miss: Any
    item: str | None
    experiment: str
    version: int
    myth: str | None
    params: Mapping[str, Any]
    metric: str
    unit: str
    bet: Any
    """Choice key or number; None where the run was made without a bet."""
    theory: Mapping[str, Any] | None
    """{"op": "==", "value": ...} for the metric."""
    measured: Any
    claims: tuple[Mapping[str, Any], ...]
    observation: str | None
    ending: str
    seconds: float
    torch: str
    device: str


@dataclass(frozen=True, slots=True)
class PastRun:
    """A run as it is remembered: enough for one line of recap."""

    day: str
    experiment: str
    params: Mapping[str, Any]
    metric: str
    bet: Any
    measured: Any
    claims: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class PastBet:
    """A wager and what was measured."""

    item: str | None
    experiment: str
    metric: str
    wager: Any
    measured: Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """Cards of one concept whose latest answers ended alike."""

    concept: str
    chance: float
    """That of a right answer without knowledge, by the form of the item."""
    recent: str
    """Outcomes of the last answers, latest last: `+` right, `-` wrong."""
    cards: int


@dataclass(frozen=True, slots=True)
class MythHistory:
    """How far a learner has come on the ladder of one myth (or, where a miss has no myth, of one experiment)."""

    picked: int = 0
    """Answers in which the myth was picked."""
    run: PastRun | None = None
    """The latest completed run that followed a miss of this myth."""
    recalled: int = 0
    """Times that run was recalled in one line."""
    flips_right: int = 0
    """Flipped bets answered rightly."""


@dataclass(frozen=True, slots=True)
class History:
    """What the log says of the learner when a sitting begins. The store may hand in collections that read when looked at."""

    myths: Mapping[str, MythHistory] = field(default_factory=dict)
    """By myth id, or `experiment:<id>` where a miss has no myth."""
    median_ms: Mapping[str, float] = field(default_factory=dict)
    """Median milliseconds of right answers by item kind, over the last hundred."""
    new_today: int = 0
    """New cards first answered on this study day, transfers included."""
    answered_today: int = 0
    """Scheduled answers of this study day."""
    seen: AbstractSet[str] = frozenset()
    """Items ever answered, whatever the role."""
    load: Mapping[str, int] = field(default_factory=dict)
    """Cards due per study day, from today on."""
    aside: AbstractSet[str] = frozenset()
    """Items set aside and not taken up again, whether they have a card or not."""
    generated: Mapping[str, int] = field(default_factory=dict)
    """How many transfers were generated from an item so far."""
    usual_day: int = 0
    """Scheduled answers a day, the median of the last four weeks of study days; 0 while there are none."""
    slips: Mapping[str, str] = field(default_factory=dict)
    """Numeric item -> the slip behind its latest answer, where that was one."""
    bets: Sequence[PastBet] = ()
    """Bets that runs of the last two months settled."""
    sure_misses: frozenset[str] = frozenset()
    """Items whose latest scheduled answer, of the last two weeks, was wrong in spite of being sure."""
    outcomes: Sequence[Outcome] = ()
    """How all cards ended, by concept."""
