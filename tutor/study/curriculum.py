"""Where a learner stands on the concept map: each deck and concept with what waits, what is known, and what comes next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tutor.content.model import Concept, Deck, Item
from tutor.learning.cards import elapsed_days
from tutor.learning.mastery import KNOWN, mastery_of, with_bets
from tutor.learning.memory import forgetting_curve
from tutor.learning.queue import concept_depths
from tutor.learning.standing import settled_bets
from tutor.learning.studyday import days_between
from tutor.learning.world import Rules
from tutor.study.desk import Desk


@dataclass(frozen=True, slots=True)
class Waiting:
    """What there is to ask of some items, and how well they would be remembered."""

    items: int
    due: int
    new: int
    readiness: float
    """Mean recall expected on the interview day, or now where none is set; an item never met counts 0. 0 of no items."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A learner on one concept."""

    concept: Concept
    waiting: Waiting
    known: float
    """Probability that the concept is known, from answers and bets (`learning.mastery`)."""
    met: bool
    """Whether an answer or a bet says anything of it."""
    builds_on: tuple[tuple[Concept, bool], ...]
    """What it builds on directly, each with whether it is likely known."""
    waits: bool
    """Whether its new items wait, because one of those can be asked about and is not likely known."""

    @property
    def is_known(self) -> bool:
        """Whether an answer or a bet made it likely known."""
        return self.met and self.known >= KNOWN


@dataclass(frozen=True, slots=True)
class DeckStanding:
    """A learner on one deck."""

    deck: Deck
    waiting: Waiting
    concepts: tuple[Standing, ...]
    """In the order in which they build on each other."""

    @property
    def next(self) -> Standing | None:
        """The first concept with something new whose prerequisites are likely known; None where there is none."""
        return next((one for one in self.concepts if one.waiting.new and not one.waits), None)

    @property
    def waits_for(self) -> Concept | None:
        """Where all that is new waits: the first concept it waits for, of this deck or another."""
        unknown = (before for one in self.concepts if one.waiting.new for before, known in one.builds_on if not known)
        return None if self.next else next(unknown, None)


@dataclass(frozen=True, slots=True)
class Curriculum:
    """The whole map on one morning."""

    decks: tuple[DeckStanding, ...]
    new_left: int
    """New items the day still has room for."""
    interview: str
    """The day that readiness is forecast for (ISO); empty for now."""


def curriculum(desk: Desk) -> Curriculum:
    """Return where the learner stands on every deck that is no quiz."""
    library, cards, day = desk.library, desk.store.cards(), desk.day()
    history = desk.store.history(day)
    scheduled = {item.id: item for item in library.scheduled()}
    interview = desk.config.interview if desk.config.interview >= day else ""
    ahead = days_between(day, interview) if interview else 0
    curve, utc_us = forgetting_curve(desk.store.parameters()), desk.now().utc_us
    recall = {
        id: curve(elapsed_days(card, utc_us) + ahead, card.memory.stability)
        for id, card in cards.items()
        if id in scheduled
    }
    due = {id for id in recall if cards[id].due <= day and not cards[id].suspended}
    new = scheduled.keys() - cards.keys() - history.aside
    asked = frozenset(
        item.concept for id, item in scheduled.items() if not item.transfer_of and id not in history.aside
    )
    settled = settled_bets(library, desk.available, history)
    mastery = with_bets(mastery_of(history.outcomes, asked), settled)
    likely = mastery.known()

    def waiting(items: Iterable[Item]) -> Waiting:
        ids = [item.id for item in items if item.scheduled]
        share = sum(recall.get(id, 0.0) for id in ids) / max(1, len(ids))
        return Waiting(len(ids), len(due.intersection(ids)), len(new.intersection(ids)), share)

    def standing(concept: Concept, items: list[Item]) -> Standing:
        builds_on = tuple((library.concepts[id], id in likely) for id in concept.requires if id in library.concepts)
        waits = any(id in asked and id not in likely for id in concept.requires)
        met = concept.id in mastery.evidence
        return Standing(concept, waiting(items), mastery.probability(concept.id), met, builds_on, waits)

    by_concept = _grouped(scheduled)
    depth = concept_depths(library)
    decks = []
    for deck in library.decks:
        if any(item.scheduled for item in deck.items):
            taught = sorted((c for c in library.concepts.values() if c.deck == deck.id), key=lambda c: depth[c.id])
            found = tuple(standing(concept, by_concept.get(concept.id, [])) for concept in taught)
            decks.append(DeckStanding(deck, waiting(deck.items), found))
    return Curriculum(tuple(decks), max(0, desk.config.new_per_day - history.new_today), interview)


def narrowed(rules: Rules, deck: str = "", concept: str = "") -> Rules:
    """Return the rules of a sitting on what the learner chose: one deck, or one concept wherever its items lie.

    What was chosen is not paced toward the interview: the day's own limit of new items holds.
    """
    decks, concepts = (frozenset({one}) if one else frozenset() for one in (deck, concept))
    return replace(rules, decks=decks, concepts=concepts, interview="")


def _grouped(items: Mapping[str, Item]) -> dict[str, list[Item]]:
    groups: dict[str, list[Item]] = {}
    for item in items.values():
        groups.setdefault(item.concept, []).append(item)
    return groups
