"""The values a learner is asked about: items, decks, concepts, myths, and the library that holds them.

All are frozen and already checked: whoever holds an `Item` need not ask whether its key is among its options.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import astuple, field
from functools import cached_property
from pathlib import Path

from tutor.frozen import dataclass

Scalar = bool | int | float | str
"""A parameter value: what TOML can say in one word."""
BASE = "en"
"""The language decks are written in; the others are laid over it."""
UNREAD = "unread"
"""The rule of a problem that lies not in a file but in reading it: the next time may go well."""
KINDS = ("choice", "multi", "numeric", "order", "cloze", "explain", "predict")


@dataclass(frozen=True, slots=True)
class ExperimentLink:
    """The experiment an item or a myth points to, and what to bet on."""

    id: str
    set: Mapping[str, Scalar] = field(default_factory=dict)
    """Parameters that differ from the experiment's defaults."""
    bet: str = ""
    """Id of one of the experiment's bets."""


@dataclass(frozen=True, slots=True)
class Option:
    """One answer offered; its `key` is a word and never its position."""

    key: str
    text: str
    myth: str | None = None
    """Id of the belief that makes this wrong option attractive; None for a right one.

    Of a step to put in order: the belief of whoever puts it before the step it should follow.
    """


@dataclass(frozen=True, slots=True)
class Gap:
    """A blank to be filled by typing; its `key` is a word and stands in the stem as `{key}`."""

    key: str
    accept: tuple[str, ...]
    """The texts that fill it; the first is shown as the right answer."""
    slips: Mapping[str, str] = field(default_factory=dict)
    """Foreseen wrong texts, each with the id of its myth."""
    ignore_case: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """One question. `text_hash` identifies the wording shown, `id` the fact asked for."""

    id: str
    deck: str
    kind: str
    """One of `KINDS`."""
    concept: str
    level: str
    rev: int
    stem: str
    why: str
    answer: tuple[str, ...] = ()
    """Option keys, for `order` in the right order and for `explain` all of them; for `cloze` a text for each gap; for a numeric
    item without a family the number as written; empty where it is drawn or measured."""
    options: tuple[Option, ...] = ()
    """What is offered: answers, the steps to put in order, or the points of a full explanation."""
    gaps: tuple[Gap, ...] = ()
    sources: tuple[str, ...] = ()
    family: str = ""
    params: Mapping[str, tuple[Scalar, ...]] = field(default_factory=dict)
    """For a numeric family: the values each parameter is drawn from."""
    unit: str = ""
    tolerance: float = 0.0
    """Relative; 0 asks for the exact integer."""
    slips: Mapping[str, float] = field(default_factory=dict)
    """Named wrong values of a numeric item without a family."""
    transfer_of: str = ""
    experiment: ExperimentLink | None = None
    text_hash: str = ""
    lang: str = "en"
    """The language the texts above are in: the base language where no fresh translation exists."""
    scheduled: bool = True
    """False for the items of a quiz deck, whose answers are practice, and for sealed ones."""
    sealed: bool = False
    """Kept for a mock interview: asked there once and nowhere else, so that it tells what the forecasts are worth."""
    path: str = ""
    line: int = 0

    def option(self, key: str) -> Option:
        """Return the option named `key`."""
        return next(option for option in self.options if option.key == key)

    @property
    def myths(self) -> tuple[str, ...]:
        """Ids of the myths that a wrong answer can name."""
        named = [option.myth for option in self.options if option.myth]
        for gap in self.gaps:
            named += gap.slips.values()
        return tuple(named)

    @property
    def unspoilt(self) -> tuple[Option, ...]:
        """The options that may be shown beside the stem without giving the answer away, in an order that says nothing."""
        if self.kind == "order":
            return tuple(sorted(self.options, key=lambda option: option.text))
        return () if self.kind == "explain" else self.options


@dataclass(frozen=True, slots=True)
class Deck:
    """A folder of items on one subject, with its guide."""

    id: str
    title: str
    level: str
    quiz: bool
    as_served: bool
    items: tuple[Item, ...]
    blurb: str = ""
    guide: Path | None = None
    """The guide page in the language asked for, or the base one."""
    languages: tuple[str, ...] = ("en",)
    path: Path = Path()


@dataclass(frozen=True, slots=True)
class Concept:
    """A node of the concept graph; `requires` are the concepts to know before."""

    id: str
    deck: str
    title: str
    text: str
    requires: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Myth:
    """A belief that makes a wrong option attractive, its correction, and the experiment that refutes it."""

    id: str
    text: str
    why: str
    concept: str
    experiment: ExperimentLink | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something an author should mend, ordered by its place. Errors stop an item from being asked, warnings do not."""

    path: str
    line: int
    message: str
    """What is wrong and what to do about it, in one sentence."""
    rule: str = ""
    severity: str = "error"

    def __lt__(self, other: Problem) -> bool:
        return astuple(self) < astuple(other)

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.severity}: {self.message}"


@dataclass(frozen=True)
class Library:
    """All decks of a learner in one language, with what is wrong with them."""

    decks: tuple[Deck, ...]
    concepts: Mapping[str, Concept]
    myths: Mapping[str, Myth]
    problems: tuple[Problem, ...] = ()
    items: Mapping[str, Item] = field(default_factory=dict)
    """Every item by id, in deck order."""

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids of all items in ascending order, as the store holds them."""
        return tuple(sorted(self.items))

    @cached_property
    def revised(self) -> tuple[str, ...]:
        """Ids of the items whose meaning was changed since they were written."""
        return tuple(item.id for item in self.items.values() if item.rev != 1)

    @cached_property
    def believed(self) -> Mapping[str, frozenset[str]]:
        """Myth -> ids of the items whose wrong answers can name it."""
        found: dict[str, list[str]] = defaultdict(list)
        for item in self.items.values():
            for myth in item.myths:
                found[myth].append(item.id)
        return {myth: frozenset(ids) for myth, ids in found.items()}

    def deck(self, id: str) -> Deck | None:
        """Return the deck named `id`, or None."""
        return next((deck for deck in self.decks if deck.id == id), None)

    def scheduled(self) -> Iterator[Item]:
        """Yield the items that are scheduled, in deck order."""
        return (item for item in self.items.values() if item.scheduled)

    def sealed(self) -> Iterator[Item]:
        """Yield the items kept for mock interviews, in deck order."""
        return iter(self._sealed)

    @cached_property
    def _sealed(self) -> tuple[Item, ...]:
        return tuple(item for item in self.items.values() if item.sealed)

    def transfers(self, item: Item) -> Iterator[Item]:
        """Yield the written sibling surfaces of `item`: its own transfers, then others of the same concept."""
        own = [other for other in self.scheduled() if other.transfer_of == item.id]
        same = [o for o in self.scheduled() if o.concept == item.concept and o.transfer_of and o.id != item.id]
        yield from own
        yield from (other for other in same if other not in own)
