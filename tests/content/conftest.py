"""A small library on disk that each test may spoil, and a catalogue made by hand: this room needs no lab."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from tutor.content.experiments import Bet, Catalogue, Experiment, Parameter
from tutor.content.lint import check
from tutor.content.load import load_library
from tutor.content.model import Library, Problem

SHELF = Path(__file__).parent / "shelf"
DECK = "randomness/deck.toml"


@dataclass(frozen=True)
class Shelf:
    """A folder of decks, and the experiments there are."""

    root: Path
    catalogue: Catalogue

    def edit(self, old: str, new: str, name: str = DECK) -> int:
        """Replace the one place that reads `old`, and return the line it stands on."""
        text = (self.root / name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        (self.root / name).write_text(text.replace(old, new), encoding="utf-8")
        return text[: text.index(old)].count("\n") + 1

    def append(self, text: str, name: str = DECK) -> int:
        """Write `text` at the end of a file, and return the line it begins on."""
        before = (self.root / name).read_text(encoding="utf-8")
        (self.root / name).write_text(before + text, encoding="utf-8")
        return before.count("\n") + 1

    def copy(self, name: str, root: Path | None = None) -> Path:
        """Copy the deck to another name, in this folder or another, and return its file."""
        folder = (root or self.root) / name
        folder.mkdir(parents=True)
        text = (self.root / DECK).read_text(encoding="utf-8")
        (folder / "deck.toml").write_text(text.replace('deck = "randomness"', f'deck = "{name}"'), encoding="utf-8")
        return folder / "deck.toml"

    def load(self, lang: str = "en") -> Library:
        """Return the library in `lang`."""
        return load_library([self.root], lang, self.catalogue)

    def problem(self) -> Problem:
        """Return the one problem that loading meets."""
        problems = self.load().problems
        assert len(problems) == 1, problems
        return problems[0]

    def check(self, *languages: str) -> list[Problem]:
        """Return what the lint says of all languages, or of those given."""
        return check([self.root], self.catalogue, languages or ("en", "vi"))

    def said(self, rule: str) -> list[Problem]:
        """Return what the lint says under one rule."""
        return [problem for problem in self.check() if problem.rule == rule]


@pytest.fixture
def catalogue() -> Catalogue:
    """One experiment with a bet that decides a prediction and a variation that makes another."""
    what = Bet(
        "what-differs",
        "choice",
        "What differs?",
        "what differs",
        dict.fromkeys(("error", "loss", "gradients", "nothing"), ""),
    )
    experiment = Experiment(
        id="rng-replay",
        version=1,
        title="Dropout inside a checkpoint",
        question="What differs?",
        shows="The gradients are wrong.",
        family="randomness",
        module="experiments.randomness.rng_replay",
        concepts=("rng.replay",),
        myths=(),
        seconds=1,
        explanation="The loss was there before.",
        parameters={
            "p": Parameter("p", "float", 0.5, min=0.1, max=0.9),
            "blocks": Parameter("blocks", "int", 4, min=1, max=16),
        },
        bets={what.id: what},
        variations=({"p": 0.3}, {"p": 0.2, "blocks": 6}),
    )
    return {experiment.id: experiment}


@pytest.fixture
def shelf(tmp_path: Path, catalogue: Catalogue) -> Shelf:
    """A sound library in English, part of it in Vietnamese, free to be spoilt."""
    root = tmp_path / "decks"
    shutil.copytree(SHELF, root)
    return Shelf(root, catalogue)
