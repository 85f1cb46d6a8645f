"""The commands in Vietnamese and in Turkish; JSON stays English."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.conftest import Furnish
from tests.languages import english_in
from tests.study.conftest import filled as written
from tutor.cli import main
from tutor.paths import Home

__all__ = ["written"]

LANGUAGES = pytest.mark.parametrize("lang", ["vi", "tr"])
STEP = """
import torch

class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = torch.nn.Linear(64, 64)

    def forward(self, x):
        return torch.relu(self.mix(x))

def model():
    return torch.nn.Sequential(*(Block() for _ in range(3)))

def batch():
    return torch.randn(256, 64)
"""


@pytest.fixture
def filled(
    translated: None, home: Home, written: Path, furnish: Furnish, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Home:
    """A home with months of answers, an interview ahead, and today set after them; in the present folder a learner's file."""
    shutil.copytree(written, home.folder)
    furnish(home, "en", "vi", "tr")
    monkeypatch.chdir(tmp_path)
    Path("step.py").write_text(STEP, encoding="utf-8")
    home.config.write_text('interview = "2027-01-15"\n', encoding="utf-8")
    monkeypatch.setenv("TUTOR_NOW", "2026-11-30T08:00:00+00:00")
    return home


def tutor(lang: str, *arguments: str) -> Result:
    """Run a command in a language."""
    return CliRunner().invoke(main, ["--lang", lang, *arguments])


@LANGUAGES
@pytest.mark.parametrize(
    "command",
    [
        ("due",), ("stats",), ("stats", "--calibration"), ("fit", "--dry-run"), ("decks", "list"), ("lab", "list"),
        ("decks", "revise"), ("lab", "run", "rng-replay"), ("doctor",),
        ("explain", "step.py"), ("due", "--minutes", "30"),
    ],
    ids=lambda command: " ".join(command[:2]),
)  # fmt: skip
def test_a_command_says_no_english(lang: str, command: tuple[str, ...], filled: Home) -> None:
    """Figures, forecasts, fits, lists and a run."""
    result = tutor(lang, *command)
    assert result.exit_code == 0, result.output
    assert english_in(result.output, lang) == set()


@LANGUAGES
def test_mistakes_are_told_in_the_language(lang: str, translated: None, home: Home) -> None:
    """One sentence each, from the flag, the settings and what was typed."""
    home.folder.mkdir()
    wrong = (
        ("decks", "show", "nothing"), ("lab", "run", "nothing"), ("lab", "run", "rng-replay", "--set", "p=7"),
        ("lab", "run", "rng-replay", "--set", "p"), ("report", "-o", "report.pdf"), ("due", "--minutes", "30"),
        ("fit", "--undo"), ("estimate", "nothing-like-it"), ("explain", "nothing.py"), ("quiz", "nothing", "--plain"),
        ("review", "--plain", "--item", "nothing"), ("decks", "new", "nothing!"),
    )  # fmt: skip
    said = [tutor(lang, *command) for command in wrong]
    assert all(result.exit_code for result in said)
    home.config.write_text("retention = 2\n", encoding="utf-8")
    said.append(tutor(lang, "due"))
    home.config.write_text("retentoin = 0.9\n", encoding="utf-8")
    said.append(tutor(lang, "due"))
    for result in said:
        assert english_in(result.output.replace("nothing", ""), lang) == set(), result.output


@pytest.mark.parametrize("command", [("fit", "--dry-run"), ("stats", "--calibration"), ("doctor",)], ids=" ".join)
def test_json_is_the_same_in_every_language(command: tuple[str, ...], filled: Home) -> None:
    """What a program reads has no language."""
    english, other = (json.loads(tutor(lang, *command, "--json").stdout) for lang in ("en", "vi"))
    assert english == other
