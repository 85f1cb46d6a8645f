"""`tutor decks check --facts`: counts, exit code, one sentence for each number that cannot stand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tutor.cli.main import main
from tutor.paths import resources

DECK = """schema = 1
deck = "mine"
lang = "en"
title = "Mine"
guide = "guide.md"

[[item]]
id = "mine-7k2p"
kind = "numeric"
concept = "mem.units"
level = "easy"
rev = 1
stem = 'How many MiB are 512 elements of 4096 bytes?'
answer = ["2"]
unit = "MiB"
tolerance = 0.01
why = '512 · 4096 / 2^20 = 2.'
sources = ["arithmetic: 512 · 4096 / 2^20"]
"""


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    """A deck of one item whose number is right."""
    (tmp_path / "mine").mkdir()
    path = tmp_path / "mine" / "deck.toml"
    path.write_text(DECK, encoding="utf-8")
    (tmp_path / "mine" / "guide.md").write_text("word " * 300, encoding="utf-8")
    return path


def test_what_stands_is_counted(deck: Path) -> None:
    """One item, confirmed by a formula, nothing run."""
    result = CliRunner().invoke(main, ["decks", "check", "--facts", str(deck.parent), "--json"])
    found = json.loads(result.stdout)
    assert (result.exit_code, found["formula"], found["runs"], found["problems"]) == (0, 1, 0, [])


def test_a_wrong_number_exits_1_with_file_and_line(deck: Path) -> None:
    """And says what it comes to."""
    deck.write_text(DECK.replace("= 2.'", "= 3.'"), encoding="utf-8")
    result = CliRunner().invoke(main, ["decks", "check", "--facts", str(deck.parent)])
    assert result.exit_code == 1
    assert f"{deck}:7: error: mine-7k2p writes 512 · 4096 / 2^20 = 3, but that is 2" in result.stdout
    assert "1 items: 0 confirmed by formula" in result.stdout


def test_the_guesser_is_told_for_each_deck(deck: Path) -> None:
    """A deck of one's own is guessed at after learning from the shipped ones; a deck without choices is not."""
    seeds = str(resources("decks") / "seed-checkpointing")
    result = CliRunner().invoke(main, ["decks", "check", "--guesser", seeds, "--json"])
    found = json.loads(result.stdout)["guesser"]
    assert {(one["deck"], one["lang"]) for one in found} >= {("seed-checkpointing", "en")}
    assert {one["deck"] for one in found} == {"seed-checkpointing"}
    assert all(0 <= one["score"] <= 1 and one["items"] == 8 for one in found)
    assert json.loads(CliRunner().invoke(main, ["decks", "check", "--guesser", str(deck.parent), "--json"]).stdout)["guesser"] == []  # fmt: skip
