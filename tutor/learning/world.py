"""What a session is told once: the learner's rules, the library, the cards and what the log remembers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from tutor.clock import Instant
from tutor.content.experiments import Catalogue
from tutor.content.model import Library
from tutor.frozen import dataclass
from tutor.learning import standing
from tutor.learning.cards import Candidate, Card
from tutor.learning.mastery import Mastery
from tutor.learning.parameters import Parameters
from tutor.learning.records import History
from tutor.learning.studyday import steady_day, study_day


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
    placement: bool = False
    """Ask a dozen new items over the concept graph, and nothing else."""
    interview: str = ""
    """Interview date (ISO); empty for none."""
    interview_set: str = ""
    """Study day on which that date was set: from then on new items are paced."""
    mock: int = 0
    """So many sealed items, each asked this once, and nothing else; 0 for an ordinary sitting."""
    decks: frozenset[str] = frozenset()
    """Ask only from these decks; empty for all."""
    concepts: frozenset[str] = frozenset()
    """Ask only of these concepts; empty for all. What they build on is not waited for: the learner chose them."""


@dataclass(frozen=True)
class World:
    """Everything the session may consult and never changes."""

    library: Library
    catalogue: Catalogue
    rules: Rules
    parameters: Parameters
    history: History
    cards: Mapping[str, Card]
    """Cards as they stood when the sitting began. May read them when asked: look up, and go through all only where all are needed."""
    session: str
    """Random id of this sitting."""
    seed: int
    mode: str = "review"
    """review | quiz | plain | mock"""
    quiz: tuple[str, ...] = ()
    """In quiz and mock mode: the items to ask, in order."""
    readiness: Mapping[str, float] = field(default_factory=dict)
    """In a mock: concept -> the recall forecast for its items now, which a first sight is to bear out."""
    waiting: Mapping[str, Candidate] = field(default_factory=dict)
    """The cards that may come up: those due, toward an interview all; of very many those that are weighed (`backlog.WEIGHED`)."""
    beyond: int = 0
    """Due cards left out of `waiting`."""
    newest: tuple[int, str] | None = None
    """Time (microseconds UTC) and study day of the last thing the learner did before."""

    @cached_property
    def mastery(self) -> Mastery:
        """What the answers and bets before this sitting say of each concept."""
        return standing.mastery(self)

    @cached_property
    def unseen(self) -> tuple[str, ...]:
        """Items without a card, in the order in which they may be introduced."""
        return standing.unseen(self)

    @property
    def fixed(self) -> bool:
        """Whether a list of items is asked as it is, undisturbed by what is due or missed."""
        return self.mode in ("quiz", "mock")

    def day(self, now: Instant) -> str:
        """Return the study day of `now` as an ISO date."""
        own = study_day(now, self.rules.rollover).isoformat()
        return steady_day(own, self.newest[1] if self.newest else "")
