"""The learner's own decks at the desk: asked beside the shipped ones; what is wrong with them hides nothing."""

from __future__ import annotations

from pathlib import Path

from tests.support import FakeClock
from tutor.paths import Home
from tutor.study.desk import Desk

DECK = """schema = 1
deck = "mine"
lang = "en"
title = "Mine"

[[item]]
id = "mine-1"
kind = "numeric"
concept = "mem.units"
level = "easy"
rev = 1
stem = 'How many?'
answer = ["2"]
why = 'So.'
sources = ["arithmetic: 1 + 1"]
"""


def test_own_decks_are_asked_and_read_again(tmp_path: Path) -> None:
    """An item is there when the file is; a file that breaks is a problem with its line, and the shipped items stay."""
    home = Home(tmp_path)
    path = home.decks / "mine" / "deck.toml"
    path.parent.mkdir(parents=True)
    path.write_text(DECK, encoding="utf-8")
    with Desk(home, FakeClock()) as desk:
        shipped = set(desk.library.items) - {"mine-1"}
        assert desk.library.items["mine-1"].scheduled
        assert desk.problems == ()
        path.write_text(DECK.replace("rev = 1", "rev = one"), encoding="utf-8")
        desk.reload_library()
        assert set(desk.library.items) == shipped
        assert [(problem.path, problem.line) for problem in desk.problems] == [(str(path), 11)]
