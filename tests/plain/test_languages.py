"""A sitting in Vietnamese and in Turkish: whatever the tutor says itself is in the learner's language."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.support import FakeClock
from tutor.i18n import speak
from tutor.paths import Home
from tutor.plain.lines import Lines
from tutor.plain.mode import LineMode
from tutor.study.desk import Desk, Wishes
from tutor.study.sitting import Sitting
from tutor.ui.actions import ACTIONS, help_lines, hints

ENGLISH = re.compile(
    r"\b(the|of|is|was|are|and|or|you|your|to|for|with|without|right|wrong|answer\w*|know\w*|guess|bet|end|undo|type|choose|said|chose|"
    r"practice|tomorrow|days|question\w*|again|soon|nothing|finished|missed|line|mode|sure|spaces|several)\b",
    re.IGNORECASE,
)
"""Words that no sentence of the interface does without, and that neither language has."""


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """The language spoken is the process's own."""
    yield
    speak("en")


def without_code(text: str) -> str:
    """Return what was said without code spans, ids and prompts, whose first two words are a script's to read."""
    lines = [re.sub(r"^(choice|multi|verdict) \S+|\S+ › \S+", "", line) for line in text.splitlines()]
    return re.sub(r"`[^`]*`", "", "\n".join(lines))


@pytest.mark.parametrize("lang", ["vi", "tr"])
def test_a_quiz_in_line_mode_says_no_english(lang: str, home: Home, clock: FakeClock) -> None:
    """Right, wrong, not known, not read, unsure, undone and ended: every sentence is the catalogue's or the overlay's."""
    with Desk(home, clock, Wishes(lang=lang)) as desk:
        deck = desk.library.deck("seed-checkpointing")
        assert deck is not None
        sitting = Sitting(desk, replace(desk.rules(), lab="off"), "quiz", tuple(item.id for item in deck.items))
        said = io.StringIO()
        LineMode(sitting, Lines(io.StringIO("x\nu\n1\ni\nz\n2\n\n1\nq\n"), said)).run()
    text = said.getvalue()
    assert text.count("verdict") >= 3
    rest = without_code(text)
    for item in deck.items:  # names in a deck are the deck's
        for part in (item.stem, item.why, *(option.text for option in item.options)):
            rest = " ".join(rest.split()).replace(" ".join(re.sub(r"`[^`]*`", "", part).split()), "")
    assert not ENGLISH.findall(rest), rest


@pytest.mark.parametrize("lang", ["vi", "tr"])
def test_hints_and_help_say_no_english(lang: str) -> None:
    """Every action's label and sentence."""
    speak(lang)
    said = [hints(action.name for action in ACTIONS), *(" ".join((a, c)) for a, _key, c in help_lines())]
    assert not ENGLISH.findall(without_code("\n".join(said)).replace("esc", ""))
