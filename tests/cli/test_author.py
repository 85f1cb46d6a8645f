"""Decks of one's own: begun by a command, read beside the shipped ones, and never in their way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tutor.cli.main import main
from tutor.content.authoring import KINDS
from tutor.paths import resources


def tutor(home: Path, *arguments: str) -> Result:
    """Run a command on a home of its own."""
    return CliRunner().invoke(main, ["--home", str(home), *arguments])


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_item_is_named_until_it_is_filled(tmp_path: Path, kind: str) -> None:
    """It has a fresh id, its line is told, and the file is sound TOML."""
    said = json.loads(tutor(tmp_path, "decks", "new", "mine", "--kind", kind, "--json").stdout)
    lines = Path(said["path"]).read_text(encoding="utf-8").split("\n")
    assert lines[said["line"] - 1] == "[[item]]"
    assert lines[said["line"]] == f'id = "{said["id"]}"'
    checked = tutor(tmp_path, "decks", "check", str(tmp_path / "decks"))
    assert checked.exit_code == 1
    assert "is empty; write it." in checked.stdout and "not TOML" not in checked.stdout


def test_new_items_are_not_asked_yet(tmp_path: Path) -> None:
    """One of each kind: the deck is listed with none of them, beside the shipped ones."""
    for kind in KINDS:
        assert tutor(tmp_path, "decks", "new", "mine", "--kind", kind).exit_code == 0
    listed = {deck["id"]: deck for deck in json.loads(tutor(tmp_path, "decks", "list", "--json").stdout)}
    assert listed["mine"]["items"] == 0
    assert listed["sharding"]["items"] > 0


def test_an_item_to_explain_is_asked_once_filled(tmp_path: Path) -> None:
    """The tables that are begun are those that the loader reads."""
    path = Path(json.loads(tutor(tmp_path, "decks", "new", "mine", "--kind", "explain", "--json").stdout)["path"])
    text = path.read_text(encoding="utf-8").replace('concept = ""', 'concept = "mem.units"').replace('[""]', '["none"]')
    lines = [f"{line[:-2]}'{place}'" if line.endswith("= ''") else line for place, line in enumerate(text.split("\n"))]
    path.write_text("\n".join(lines), encoding="utf-8")
    listed = {deck["id"]: deck for deck in json.loads(tutor(tmp_path, "decks", "list", "--json").stdout)}
    assert listed["mine"]["kinds"] == {"explain": 1}


def test_ids_are_fresh(tmp_path: Path) -> None:
    """Ten items, ten ids, one file."""
    ids = {json.loads(tutor(tmp_path, "decks", "new", "mine", "--json").stdout)["id"] for _ in range(5)}
    assert len(ids) == 5
    text = (tmp_path / "decks" / "mine" / "deck.toml").read_text(encoding="utf-8")
    assert text.count("[[item]]") == 5 and text.count("schema = 1") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("../else",), "cannot name a deck"),
        (("sharding",), "comes with the program"),
        (("mine", "--concept", "no.such"), "no concept 'no.such'"),
    ],
)
def test_what_cannot_be_begun(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    """One sentence, exit 2, nothing written."""
    result = tutor(tmp_path, "decks", "new", *arguments)
    assert result.exit_code == 2 and words in result.stderr
    assert not (tmp_path / "decks").exists()


def test_an_own_deck_is_held_against_the_shipped_concepts(tmp_path: Path) -> None:
    """A concept that nobody teaches is named; one of the shipped map is known."""
    for concept in ("mem.units", "mem.nothing"):
        folder = tmp_path / concept.replace(".", "-")
        (folder / "mine").mkdir(parents=True)
        (folder / "mine" / "deck.toml").write_text(
            f"""schema = 1
deck = "mine"
lang = "en"
title = "Mine"

[[item]]
id = "mine-1"
kind = "numeric"
concept = "{concept}"
level = "easy"
rev = 1
stem = 'How many?'
answer = ["2"]
why = 'So.'
sources = ["arithmetic: 1 + 1"]
""",
            encoding="utf-8",
        )
    assert tutor(tmp_path, "decks", "check", str(tmp_path / "mem-units")).exit_code == 0
    said = tutor(tmp_path, "decks", "check", str(tmp_path / "mem-nothing"))
    assert said.exit_code == 1 and "'mem.nothing'" in said.stdout


MINE = """schema = 1
deck = "mine"
lang = "en"
title = "Mine"

[[item]]
id = "mine-1"
kind = "choice"
concept = "{concept}"
level = "easy"
rev = 1
stem = 'Four ranks each hold a gradient. What leaves their sum on each rank?'
answer = ["reduced"]
why = 'An all-reduce adds and leaves the whole result everywhere.'
sources = ["torch.distributed, documentation of collectives"]

[item.option.reduced]
text = '`all_reduce`'

[item.option.gathered]
text = '`all_gather`'
myth = "own-myth"

[item.option.scattered]
text = '`reduce_scatter`'
myth = "own-myth"
"""


@pytest.mark.parametrize("concept", ["shard.collectives", "own.idea"])
def test_concepts_of_ones_own_stand_beside_the_shipped_ones(tmp_path: Path, concept: str) -> None:
    """A folder with concepts and myths is checked as it is read: after the program's."""
    deck = tmp_path / "decks" / "mine" / "deck.toml"
    deck.parent.mkdir(parents=True)
    deck.write_text(MINE.format(concept=concept), encoding="utf-8")
    idea = '[concept."own.idea"]\ndeck = "mine"\ntitle = "Own"\nrequires = ["shard.ring"]\ntext = "An idea."\n'
    (tmp_path / "decks" / "concepts.toml").write_text(idea, encoding="utf-8")
    myth = '[myth.own-myth]\ntext = "It adds"\nwhy = "It does not."\nconcept = "shard.collectives"\n'
    (tmp_path / "decks" / "myths.toml").write_text(myth, encoding="utf-8")
    checked = tutor(tmp_path, "decks", "check", str(tmp_path / "decks"))
    assert (checked.exit_code, checked.stdout.count("error")) == (0, 0), checked.stdout


def test_decks_of_one_folder_are_checked_once() -> None:
    """Two of its decks by name, or the folder and a deck in it, are no second copy of what they lie in."""
    shipped = resources("decks")
    for named in (("randomness", "roofline"), (".", "roofline")):
        checked = CliRunner().invoke(main, ["decks", "check", *(str(shipped / name) for name in named)])
        assert (checked.exit_code, checked.stdout) == (0, "")


def test_a_family_can_be_previewed(tmp_path: Path) -> None:
    """Stem, answer, slips and working with the numbers drawn."""
    shown = json.loads(tutor(tmp_path, "decks", "show", "sharding", "--family", "shard.zero_gb", "--json").stdout)
    assert len(shown) >= 3
    assert all("{" not in one["stem"] + one["why"] and one["slips"] for one in shown)
    wrong = tutor(tmp_path, "decks", "show", "sharding", "--family", "no.such")
    assert wrong.exit_code == 2 and "shard.zero_gb" in wrong.stderr
