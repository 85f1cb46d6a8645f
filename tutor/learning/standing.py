"""Where a learner stands when a sitting begins: what is known of each concept, and what was never met. Worked out when first needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tutor.content.experiments import Catalogue, untranslated
from tutor.content.model import Item, Library
from tutor.learning.bets import bet_holds
from tutor.learning.mastery import Mastery, mastery_of, with_bets
from tutor.learning.placement import spread
from tutor.learning.queue import new_items
from tutor.learning.records import History

if TYPE_CHECKING:
    from tutor.learning.world import Rules, World


def askable(items: Iterable[Item], rules: Rules, catalogue: Catalogue) -> Iterator[Item]:
    """Yield the items that may come up by themselves in a sitting: scheduled, wanted, and measurable here if they ask this machine."""
    decks, concepts, here = rules.decks, rules.concepts, catalogue if rules.lab != "off" else {}
    for item in items:
        if (
            item.scheduled
            and (not decks or item.deck in decks)
            and (not concepts or item.concept in concepts)
            and (item.kind != "predict" or (item.experiment is not None and item.experiment.id in here))
        ):
            yield item


def mastery(world: World) -> Mastery:
    """Return what every answer and bet says of the concepts; only what may come up in this sitting can be waited for."""
    aside = world.history.aside
    asked = frozenset(
        item.concept
        for item in askable(world.library.scheduled(), world.rules, world.catalogue)
        if not item.transfer_of and item.id not in aside
    )
    found = mastery_of(world.history.outcomes, asked)
    return with_bets(found, settled_bets(world.library, world.catalogue, world.history))


def unseen(world: World) -> tuple[str, ...]:
    """Return the items that have no card, in the order in which they may be introduced; what is likely known comes last, unproved as it is."""
    met = frozenset(world.cards) | world.history.aside
    open_to = askable(world.library.scheduled(), world.rules, world.catalogue)
    allowed = {item.id: item for item in open_to if item.id not in met}
    if not allowed:
        return ()
    origins = {item.transfer_of for item in allowed.values() if item.transfer_of} & met
    missed = {id: card for id in origins if (card := world.cards.get(id)) is not None}
    order = new_items(allowed, missed, world.library, met)
    likely = spread(world.mastery, world.library).known()
    return tuple(sorted(order, key=lambda id: allowed[id].concept in likely))


def settled_bets(library: Library, catalogue: Catalogue, history: History) -> Iterator[tuple[str, bool]]:
    """Yield each earlier bet, right or wrong, by the concepts it speaks of: its item's, in the free lab the experiment's."""
    experiments = untranslated(catalogue)
    for past in history.bets:
        experiment = experiments.get(past.experiment)
        bet = next((b for b in experiment.bets.values() if b.metric == past.metric), None) if experiment else None
        if experiment is None or bet is None:
            continue
        item = library.items.get(past.item or "")
        for concept in (item.concept,) if item else experiment.concepts:
            yield concept, bet_holds(bet, past.wager, past.measured)
