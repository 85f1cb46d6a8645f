"""A sitting in Vietnamese and in Turkish, line by line: whatever the tutor says itself is in the learner's language."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest

from tests.languages import english_in
from tests.plain.test_mode import DROPOUT, Learner, sit
from tests.support import FakeClock
from tutor.paths import Home
from tutor.plain.lines import Lines
from tutor.plain.mode import LineMode
from tutor.study.desk import Desk, Wishes, with_limits
from tutor.study.sitting import Sitting
from tutor.ui.actions import ACTIONS, hints
from tutor.ui.help import help_lines

LANGUAGES = pytest.mark.parametrize("lang", ["vi", "tr"])
MARK = re.compile(
    r"^(choice|multi|numeric|order|cloze|predict|explain|verdict|bet|observation|recap) \S+", re.MULTILINE
)
"""The first two words of a prompt and of a verdict, which are a script's to read."""


def said_in(lang: str, text: str) -> set[str]:
    """Return the English words of what was said in a language."""
    return english_in(MARK.sub(" ", text), lang)


@LANGUAGES
def test_a_quiz_says_no_english(lang: str, speaking: Desk) -> None:
    """Right, wrong, not known, not read, unsure, undone and ended: every sentence is the catalogue's or the overlay's."""
    deck = speaking.library.deck("seed-checkpointing")
    assert deck is not None
    sitting = Sitting(speaking, replace(speaking.rules(), lab="off"), "quiz", tuple(item.id for item in deck.items))
    said = io.StringIO()
    LineMode(sitting, Lines(io.StringIO("x\nu\n1\ni\nz\n2\n\n1\nq\n"), said)).run()
    assert said.getvalue().count("verdict") >= 3
    assert said_in(lang, said.getvalue()) == set()


@LANGUAGES
def test_a_miss_a_bet_and_a_run_say_no_english(lang: str, speaking: Desk) -> None:
    """The question, the verdict with its belief, the bet, the run as lines, what was seen, and bet beside theory beside measurement."""
    item = speaking.library.items[DROPOUT]
    assert item.experiment is not None
    bet = speaking.catalogue[item.experiment.id].bets["what-differs"]
    observation = speaking.catalogue[item.experiment.id].observation
    assert observation is not None
    answers = {
        f"choice {DROPOUT}": [item.option("shape").text],
        f"bet {DROPOUT}": ["?", bet.choices["gradients"]],
        "observation": [observation.choices["gradients"]],
        "choice": ["i"],
    }
    said = sit(speaking, Learner(answers), item=DROPOUT)
    assert speaking.store.runs()
    assert said_in(lang, said) == set()


@LANGUAGES
def test_hints_and_help_say_no_english(lang: str, speaking: Desk) -> None:
    """Every action's label and sentence."""
    lines = [hints(action.name for action in ACTIONS), *(" ".join((a, c)) for a, _key, c in help_lines())]
    assert english_in("\n".join(lines), lang) == set()


@pytest.mark.parametrize(("item", "marked"), [(DROPOUT, False), ("atn-kvpa", True)])
def test_a_question_without_a_translation_says_so(home: Home, clock: FakeClock, item: str, marked: bool) -> None:
    """It is put in English and marked; one that is translated bears no mark."""
    with Desk(home, clock, Wishes(lang="vi")) as desk:
        sitting = Sitting(desk, with_limits(desk.rules(), limit=1, new=None, item=item, decks=frozenset()))
        said = io.StringIO()
        LineMode(sitting, Lines(io.StringIO("q\n"), said)).run()
    first = next(line for line in said.getvalue().splitlines() if item in line)
    assert first.endswith(" · en") == marked
