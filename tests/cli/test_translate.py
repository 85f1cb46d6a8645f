"""What a translator begins from: missing and stale texts under their hashes, which fill in to a clean overlay."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tutor.cli.main import main
from tutor.content.drafts import as_toml, experiment_drafts
from tutor.content.passages import passages
from tutor.content.spoken import check_experiments, overlay_path, translate_experiment
from tutor.lab.catalogue import load_catalogue
from tutor.paths import resources

OWN = (
    """schema = 1
deck = "mine"
lang = "en"
title = "Mine"
blurb = "Of my own."

[[item]]
id = "mine-1"
kind = "choice"
concept = "mine.masks"
level = "easy"
rev = 1
stem = 'What does `rng_state` hold?'
answer = ["masks"]
why = """
    + """'''
It leads to the masks.

Not to the loss.
'''
sources = ["none"]
[item.option.masks]
text = 'the masks to come'
[item.option.loss]
text = 'the loss "so far"'
myth = "mine-loss"

[[item]]
id = "mine-2"
kind = "cloze"
concept = "mine.masks"
level = "easy"
rev = 1
stem = 'First {state}, then {mask}.'
why = 'In this order.'
sources = ["none"]
[item.gap.state]
accept = ["the state"]
[item.gap.mask]
accept = ["the mask", "masks"]

[[item]]
id = "mine-3"
kind = "explain"
concept = "mine.masks"
level = "easy"
rev = 1
stem = 'Say why.'
why = 'So.'
sources = ["none"]
[item.rubric]
one = 'one'
two = 'two'
three = 'three'
four = 'four'
"""
)
CONCEPTS = """schema = 1
[concept."mine.masks"]
deck = "mine"
title = "Masks"
text = 'Masks follow `rng_state`.'
requires = []
"""
MYTHS = """schema = 1
[myth.mine-loss]
text = 'The state holds the loss'
why = 'It does not.'
concept = "mem.units"

[myth.mine-masks]
text = 'Masks are kept'
why = 'They are drawn again.'
concept = "mine.masks"
"""


def tutor(home: Path, *arguments: str) -> Result:
    """Run a command on a home of its own."""
    return CliRunner().invoke(main, ["--home", str(home), *arguments], catch_exceptions=False)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a deck of one's own, its concept, the myth of that concept and one that an option names."""
    (tmp_path / "decks" / "mine").mkdir(parents=True)
    for name, text in (("mine/deck.toml", OWN), ("concepts.toml", CONCEPTS), ("myths.toml", MYTHS)):
        (tmp_path / "decks" / name).write_text(text, encoding="utf-8")
    return tmp_path


def fill(draft: str, english: bool = True) -> str:
    """Write into each empty text what its comment says, marked so that it differs."""
    lines: list[str] = []
    said: list[str] = []
    for line in draft.split("\n"):
        if line.startswith("# "):
            said.append(line[2:])
        elif line.endswith(' = ""'):
            text = f"{' '.join(said) if english else ''} (tr)"
            lines, said = [*lines, line[:-2] + json.dumps(text)], []
        else:
            lines, said = [*lines, line], []
    return "\n".join(lines)


def translated(home: Path) -> None:
    """Write every draft into the file it names."""
    for part in re.split(r"^# into ", tutor(home, "decks", "translate", "mine", "tr").stdout, flags=re.MULTILINE)[1:]:
        path, _, body = part.partition("\n")
        Path(path).write_text(fill(body), encoding="utf-8")


def test_a_draft_filled_in_is_a_clean_overlay(home: Path) -> None:
    """Items of all shapes, the deck's head, its concepts and its myths: nothing is left to do, and the texts are shown."""
    first = tutor(home, "decks", "translate", "mine", "tr")
    assert first.stderr == "6 missing, 0 stale.\n"
    assert all(tomllib.loads(part.partition("\n")[2]) for part in first.stdout.split("# into ")[1:])
    translated(home)
    assert sorted(path.name for path in (home / "decks").rglob("*tr.toml")) == [
        "concepts.tr.toml",
        "myths.tr.toml",
        "tr.toml",
    ]
    again = tutor(home, "decks", "translate", "mine", "tr")
    assert (again.stdout, again.stderr) == ("", "0 missing, 0 stale.\n")
    checked = tutor(home, "decks", "check", str(home / "decks")).stdout
    assert "tr.toml" not in checked
    questions = json.loads(tutor(home, "--lang", "tr", "--json", "decks", "show", "mine").stdout)["questions"]
    assert [question["lang"] for question in questions] == ["tr"] * 3
    assert questions[0]["why"] == "It leads to the masks. Not to the loss. (tr)"
    assert questions[1]["stem"] == "First (1)____, then (2)____. (tr)"


def test_a_changed_text_comes_with_its_old_translation(home: Path) -> None:
    """Only what changed is printed, under the new hash, with the words that stood there."""
    translated(home)
    deck = home / "decks" / "mine" / "deck.toml"
    deck.write_text(deck.read_text().replace("Say why.", "Say why so."), encoding="utf-8")
    (draft,) = json.loads(tutor(home, "--json", "decks", "translate", "mine", "tr").stdout)
    assert draft["stale"] and draft["table"] == ["item", "mine-3"]
    assert (draft["english"]["stem"], draft["before"]["stem"]) == ("Say why so.", "Say why. (tr)")
    renewed = tutor(home, "decks", "translate", "mine", "tr")
    assert tomllib.loads(renewed.stdout)["item"]["mine-3"]["of"] == draft["of"]
    assert renewed.stderr == "0 missing, 1 stale.\n"


def test_an_empty_text_is_no_translation(home: Path) -> None:
    """A draft that nobody filled in shows English, and the check says what is to be added."""
    body = tutor(home, "decks", "translate", "mine", "tr").stdout.split("# into ")[1].partition("\n")[2]
    (home / "decks" / "mine" / "tr.toml").write_text(body, encoding="utf-8")
    questions = json.loads(tutor(home, "--lang", "tr", "--json", "decks", "show", "mine").stdout)["questions"]
    assert {question["lang"] for question in questions} == {"en"}
    assert "stem of mine-1 is missing in tr; add it." in tutor(home, "decks", "check", str(home / "decks")).stdout


def test_what_has_no_translation() -> None:
    """A name that is neither deck nor experiment, and a language that is none: one sentence, exit 2."""
    for arguments, words in ((("nothing", "tr"), "no deck or experiment"), (("randomness", "en"), "'en'")):
        result = CliRunner().invoke(main, ["decks", "translate", *arguments])
        assert result.exit_code == 2 and words in result.stderr


def test_an_experiment_filled_in_is_clean(tmp_path: Path) -> None:
    """Every passage of a shipped experiment, flips among them, printed as TOML that the check accepts."""
    from dataclasses import replace

    shipped = load_catalogue(resources("experiments"))[0]["rng-replay"]
    experiment = replace(shipped, source=str(tmp_path / "rng_replay.py"))
    drafts = experiment_drafts(experiment, "tr")
    assert len(drafts) == len(list(passages(experiment)))
    head = 'experiment = "rng-replay"\nlang = "tr"'
    body = "\n".join([head, *(line for draft in drafts for line in as_toml(draft))])
    overlay_path(experiment, "tr").write_text(fill(body), encoding="utf-8")
    assert check_experiments({"rng-replay": experiment}, ["tr"]) == [] == experiment_drafts(experiment, "tr")
    assert all(flip.why.endswith("(tr)") for flip in translate_experiment(experiment, "tr").flips)
