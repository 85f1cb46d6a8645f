"""What becomes of an item's history when its question was changed: kept, halved or begun anew, as the learner decides.

A sitting that meets a changed item keeps its history and writes that down; whoever sees that another fact is asked decides otherwise
here, at any time. Each decision is an event; a new one undoes the one before it and holds from now on.
"""

from __future__ import annotations

from tutor.frozen import dataclass
from tutor.i18n import _
from tutor.store.read import Stored
from tutor.study.desk import Desk

CHOICES = ("keep", "halve", "reset")


class NothingToDecide(ValueError):
    """The item has no history that a change could touch; the message says so in one sentence."""


@dataclass(frozen=True, slots=True)
class Revision:
    """An item that was changed after it was answered."""

    item: str
    old_rev: int
    new_rev: int
    choice: str
    """keep | halve | reset"""


def revisions(desk: Desk) -> list[Revision]:
    """Return every item changed since it was answered, in deck order, with what holds for its history."""
    recorded, cards = _recorded(desk), desk.store.cards()
    found = []
    for item in desk.library.scheduled():
        card = cards.get(item.id)
        if card is not None and card.rev != item.rev:
            found.append(Revision(item.id, card.rev, item.rev, "keep"))
        elif item.id in recorded:
            data = recorded[item.id].payload
            found.append(Revision(item.id, int(data["old_rev"]), int(data["new_rev"]), str(data["choice"])))
    return found


def revise(desk: Desk, item: str, choice: str) -> Revision:
    """Decide over the history of a changed item; return what holds now. Raises NothingToDecide."""
    present = next((revision for revision in revisions(desk) if revision.item == item), None)
    if present is None:
        said = _("{item}: its question is the one you answered, or you have not answered it yet.")
        raise NothingToDecide(said.format(item=item))
    decided = Revision(item, present.old_rev, present.new_rev, choice)
    before = _recorded(desk).get(item)
    current = before is not None and before.payload["new_rev"] == present.new_rev
    if current and present.choice == choice:
        return decided
    now = desk.now()
    payload = {"item": item, "old_rev": decided.old_rev, "new_rev": decided.new_rev, "choice": choice}
    undone = [("undone", {"target": list(before.ref)})] if before is not None and current else []
    desk.store.append_many([*undone, ("revised", payload)], now, desk.day(now))
    return decided


def _recorded(desk: Desk) -> dict[str, Stored]:
    """Return the newest decision of each item."""
    return {str(one.payload["item"]): one for one in desk.store.of_kind("revised")}
