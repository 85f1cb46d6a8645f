"""Every edit is an event, and every event of an edit can be undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.store.given import DAY, answered, assert_sound, parameters
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import Store, open_store
from tutor.study.desk import Desk

READ: dict[str, Callable[[Store], Any]] = {
    "retention": lambda store: store.settings().get("retention"),
    "interview": lambda store: store.settings().get("interview"),
    "suspended": lambda store: (store.set_aside(), store.cards()),
    "flagged": lambda store: [flag.payload for flag in store.flags()],
    "parameters": lambda store: (store.parameters(), store.cards()),
    "revised": lambda store: store.cards(),
}
EDITS: dict[str, tuple[str, dict[str, Any]]] = {
    "retention": ("setting", {"key": "retention", "old": 0.9, "new": 0.85}),
    "interview": ("setting", {"key": "interview", "old": "", "new": "2026-12-24"}),
    "suspended": ("suspended", {"item": "a", "note": ""}),
    "flagged": ("flagged", {"item": "a", "note": "unclear"}),
    "parameters": ("parameters", parameters("own", 2.0)),
    "revised": ("revised", {"item": "a", "old_rev": 1, "new_rev": 2, "choice": "halve"}),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_holds_until_it_is_undone(home: Home, clock: FakeClock, edit: str) -> None:
    """Written it shows, undone it is as if it had never been; both stay in the log."""
    with open_store(home, clock) as store:
        store.append("answered", answered(), clock.now(), DAY)
        before = READ[edit](store)
        kind, payload = EDITS[edit]
        ref = store.append(kind, payload, clock.now(), DAY)
        assert READ[edit](store) != before
        store.undo(ref, clock.now(), DAY)
        assert READ[edit](store) == before
        assert [event.kind for event in store.events()] == ["answered", kind, "undone"]
    assert_sound(home, clock)


def test_a_wish_in_the_file_becomes_an_event_with_what_was_before(home: Home, clock: FakeClock) -> None:
    """Desired retention and interview date: old and new are in the log."""
    with Desk(home, clock):
        pass
    home.config.write_text('retention = 0.85\ninterview = "2026-12-24"\n')
    with Desk(home, clock) as desk:
        written = [event.data for event in list(desk.store.events())[-2:]]
    assert written == [
        {"key": "retention", "old": 0.9, "new": 0.85},
        {"key": "interview", "old": "", "new": "2026-12-24"},
    ]
