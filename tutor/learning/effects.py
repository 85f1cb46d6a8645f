"""What must be done about a step: the effects that `study` carries out against the store and the lab."""

from __future__ import annotations

from collections.abc import Mapping

from tutor.content.experiments import Experiment
from tutor.content.model import Scalar
from tutor.frozen import dataclass
from tutor.learning.records import Answered, Offered, Ran


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
    why: str = ""
    """leech: missed too often. Empty where the learner wished it."""
    remedy: str = ""
    """For a leech: prerequisite | experiment | guide | source, and which."""
    target: str = ""


@dataclass(frozen=True)
class TakeUp:
    """Write that an item is no longer suspended."""

    item: str


@dataclass(frozen=True)
class WriteFlag:
    """Write a flag and its note."""

    item: str
    note: str


Effect = (
    Record | RecordOffer | RecordRun | Retract | RetractEarlier | StartRun | CancelRun | SetAside | TakeUp | WriteFlag
)
