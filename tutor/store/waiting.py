"""Events that are durable and wait to be laid over the projections: an answer is safe before its figures are counted.

The transaction that the learner waits for writes the event alone. What follows from it is written when nobody waits, and at the latest
when somebody asks; a process that dies in between leaves it to the next.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from tutor.learning.parameters import Parameters
from tutor.learning.records import Ref
from tutor.store.cards import OTHER_KINDS, parameters_in_force
from tutor.store.events import Event
from tutor.store.projections import mark_laid, project, rebuild, review_row

MAY_WAIT = ("answered", "ran", "undone")
AT_ONCE = (*OTHER_KINDS, "parameters")
"""Kinds that are laid over the projections in their own transaction, after all that waits: rebuilding a card reads them from the log."""
MOST = 64
"""More events than these do not wait."""


def waiting(db: sqlite3.Connection) -> list[Event]:
    """Return the events that the projections lack, in order."""
    query = (
        "SELECT event.* FROM laid CROSS JOIN event ON event.device = laid.device AND event.seq > laid.seq "
        f"WHERE kind IN {MAY_WAIT}"
    )
    return sorted((Event(*row) for row in db.execute(query)), key=lambda event: event.order)


def caught_up(db: sqlite3.Connection) -> sqlite3.Connection:
    """Return a connection whose projections lack nothing: `db`, or one to a copy in memory where the writer was stopped, or is looked at,
    before it laid all of the log."""
    if not waiting(db):
        return db
    copy = sqlite3.connect(":memory:", isolation_level=None)
    db.backup(copy)
    db.close()
    lay(copy, waiting(copy), parameters_in_force(copy))
    return copy


def begun(db: sqlite3.Connection, device: str) -> bool:
    """Whether it is noted that a device writes here."""
    return db.execute("SELECT 1 FROM laid WHERE device = ?", (device,)).fetchone() is not None


def begin(db: sqlite3.Connection, device: str) -> None:
    """Note that a device writes here, so that what it leaves behind is found."""
    db.execute("INSERT INTO laid SELECT ?, coalesce(max(seq), 0) FROM event WHERE device = ?", (device, device))


def check(event: Event, payload: Mapping[str, Any]) -> None:
    """Refuse now, with a KeyError or TypeError, an answer that could not be laid over the projections later."""
    if event.kind == "answered":
        review_row(event, payload)


def hurries(db: sqlite3.Connection, event: Event) -> bool:
    """Whether an event may not wait: it changes what another would be laid over with."""
    return event.kind in AT_ONCE or bool(event.clock_suspect) or _changes_parameters(db, event)


def lay(db: sqlite3.Connection, events: Sequence[Event], parameters: Parameters) -> Parameters:
    """Lay events, the newest of all and all that wait, over the projections; return the parameter set in force after them.

    An answer that was taken back while it waited leaves no trace in them, so neither of the two is laid.
    """
    in_force = parameters
    if any(_changes_parameters(db, event) for event in events):
        in_force = parameters_in_force(db)
    if in_force != parameters or any(event.clock_suspect for event in events):
        # a clock that came back moves what was written while it stood ahead
        rebuild(db, in_force)
    else:
        undone = {event.ref: _target(event) for event in events if event.kind == "undone"}
        vain = {event.ref for event in events if event.kind != "undone"}.intersection(undone.values())
        for event in events:
            if event.ref not in vain and undone.get(event.ref) not in vain:
                project(db, event, in_force)
    mark_laid(db)
    return in_force


def _changes_parameters(db: sqlite3.Connection, event: Event) -> bool:
    if event.kind != "undone":
        return event.kind == "parameters"
    target = db.execute("SELECT kind FROM event WHERE device = ? AND seq = ?", _target(event)).fetchone()
    return target is not None and target[0] == "parameters"


def _target(event: Event) -> Ref:
    device, seq = event.data["target"]
    return device, seq
