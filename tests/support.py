"""What several tests need: a clock to set, and a small world to drive the session in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tutor.clock import MICROSECONDS_PER_DAY, Instant
from tutor.content.experiments import Bet, Experiment, Flip, Observation
from tutor.content.model import Concept, Deck, ExperimentLink, Item, Library, Myth, Option
from tutor.content.runs import Claim, Measure, Prediction, RunResult
from tutor.learning.cards import Candidate, Card
from tutor.learning.effects import Effect
from tutor.learning.mastery import guess_chance
from tutor.learning.parameters import default_parameters
from tutor.learning.records import History, Outcome
from tutor.learning.session import step
from tutor.learning.standing import askable
from tutor.learning.state import Session
from tutor.learning.world import Rules, World

MONDAY = 1_796_025_600_000_000
"""2026-11-30 08:00 UTC."""


@dataclass
class FakeClock:
    """Stands still until it is moved."""

    utc_us: int = MONDAY
    mono_ms: int = 1_000
    offset_min: int = 0
    zone: str = "UTC"

    def now(self) -> Instant:
        """Return the instant it was set to."""
        return Instant(self.utc_us, self.mono_ms, self.offset_min, self.zone)

    def pass_days(self, days: float) -> None:
        """Move on by real days."""
        self.utc_us += round(days * MICROSECONDS_PER_DAY)
        self.mono_ms += round(days * 86_400_000)

    def pass_seconds(self, seconds: float) -> None:
        """Move on by seconds."""
        self.pass_days(seconds / 86_400)


def choice(id: str, concept: str, **changes: Any) -> Item:
    """Return a choice item whose key is `good` and whose wrong options name myths."""
    options = (
        Option("good", f"right of {id}"),
        Option("bad", f"wrong of {id}", "myth-a"),
        Option("odd", f"odd of {id}", "myth-b"),
    )
    base: dict[str, Any] = {
        "id": id, "deck": "deck", "kind": "choice", "concept": concept, "level": "easy", "rev": 1, "stem": f"stem of {id}",
        "why": f"why of {id}", "answer": ("good",), "options": options, "sources": ("s",), "text_hash": "0" * 8,
    }  # fmt: skip
    return Item(**(base | changes))


EXPERIMENT = Experiment(
    id="proof",
    version=1,
    title="Proof",
    question="What happens?",
    shows="That it happens.",
    family="folder",
    module="experiments.folder.proof",
    concepts=("a",),
    myths=("myth-a",),
    seconds=1,
    explanation="Because.",
    parameters={},
    bets={"what": Bet("what", "choice", "What?", "outcome", {"yes": "it does", "no": "it does not"})},
    observation=Observation("What did you see?", "outcome", {"yes": "it did", "no": "it did not"}),
    flips=(
        Flip(
            "what", {}, "And turned round?", {"yes": "it does", "no": "it does not"}, "no", "Turned round it does not."
        ),
    ),
)
PASSED = RunResult(
    "passed", "", 0.5, 1, "2.13", "cpu", {},
    (Prediction("outcome", "==", "yes"),), (Measure("outcome", "yes", "choice", "eye"),), (Claim("it happens", 1, "==", 1, True),),
)  # fmt: skip
CRASHED = RunResult("crashed", "The run crashed: boom.", 0.1)


def library(*items: Item, quiz: bool = False) -> Library:
    """Return a library of one deck; concepts `a`, `b` (which requires `a`) and `c`."""
    concepts = {
        id: Concept(id, "deck", id.upper(), "", requires) for id, requires in (("a", ()), ("b", ("a",)), ("c", ()))
    }
    link = ExperimentLink("proof", {}, "what")
    myths = {
        id: Myth(id, f"belief {id}", f"no {id}", "a", link if id == "myth-a" else None) for id in ("myth-a", "myth-b")
    }
    deck = Deck("deck", "Deck", "easy", quiz, False, items)
    return Library((deck,), concepts, myths, (), {item.id: item for item in items})


def world(*items: Item, rules: Rules | None = None, history: History | None = None, **changes: Any) -> World:
    """Return a world over those items, with the one experiment."""
    base: dict[str, Any] = {
        "library": library(*items), "catalogue": {"proof": EXPERIMENT}, "rules": rules or Rules(confidence=False),
        "parameters": default_parameters(), "history": history or History(), "cards": {}, "session": "s", "seed": 1,
    }  # fmt: skip
    told = base | changes
    cards, past = told["cards"], told["history"]
    aside = past.aside | {id for id, card in cards.items() if card.suspended}
    past = replace(past, outcomes=outcomes(told["library"].items.values(), cards), aside=aside)
    open_to = {item.id for item in askable(told["library"].items.values(), told["rules"], told["catalogue"])}
    waiting = {id: one for id, one in candidates(cards.values()).items() if id in open_to}
    return World(**(told | {"waiting": waiting, "history": past}))


def candidates(cards: Iterable[Card]) -> dict[str, Candidate]:
    """Return by item the cards that are not set aside."""
    return {
        one.item: Candidate(one.item, one.memory.stability, one.memory.difficulty, one.last_us, one.last_day, one.due)
        for one in cards
        if not one.suspended
    }


def outcomes(items: Iterable[Item], cards: Mapping[str, Card]) -> list[Outcome]:
    """Return how the cards of some items ended, as the store would tell."""
    return [Outcome(item.concept, guess_chance(item), cards[item.id].recent, 1) for item in items if item.id in cards]


@dataclass
class Table:
    """A session on a table: makes moves, keeps every effect."""

    session: Session
    clock: FakeClock = field(default_factory=FakeClock)
    effects: list[Effect] = field(default_factory=list)

    def move(self, kind: Any, **fields: Any) -> Session:
        """Make one move at the clock's time."""
        self.session, todo = step(self.session, kind(self.clock.now(), **fields))
        self.effects += todo
        return self.session

    def of(self, kind: type) -> list[Any]:
        """Return the effects of one kind, in order."""
        return [effect for effect in self.effects if isinstance(effect, kind)]
