"""A whole visit in Vietnamese and in Turkish, from the first screen to the report: no English but code, names and terms."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.widgets import Input, OptionList

from tests.languages import english_in
from tests.ui.conftest import SharedLab, screen_text
from tutor.learning.state import Observing
from tutor.study.desk import Desk, with_limits
from tutor.study.reporting import write_report
from tutor.ui.app import TutorApp

LANGUAGES = pytest.mark.parametrize("lang", ["vi", "tr"])
DROPOUT = "rng-7f3k"
SIZE = (140, 120)
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(autouse=True)
def lent(speaking: Desk, shared_lab: SharedLab) -> None:
    """All tests of this module use one lab."""
    speaking.__dict__["lab"] = shared_lab


class Visit:
    """A pilot that remembers what it has seen, by name."""

    def __init__(self, pilot: Any) -> None:
        self.pilot, self.app = pilot, pilot.app
        self.seen: dict[str, str] = {}

    async def press(self, *keys: str, see: str = "") -> None:
        """Press keys one by one, then keep the screen under a name."""
        for key in keys:
            await self.pilot.press(key)
            await self.pilot.pause()
        if see:
            self.seen[see] = screen_text(self.app)

    async def until(self, over: Any) -> None:
        """Wait for something to be over, a minute at most."""
        async with asyncio.timeout(60):
            while not over():
                await self.pilot.pause(0.05)
        await self.pilot.pause()


@asynccontextmanager
async def visiting(desk: Desk, **app: Any) -> AsyncIterator[Visit]:
    """Run the program."""
    try:
        async with TutorApp(desk, **app).run_test(size=SIZE) as pilot:
            await pilot.pause()
            yield Visit(pilot)
    finally:
        await desk.lab.close()


def left(visit: Visit, lang: str) -> dict[str, set[str]]:
    """Return the English words of each screen that has any."""
    return {name: found for name, text in visit.seen.items() if (found := english_in(text, lang))}


@LANGUAGES
async def test_the_screens_around_a_sitting(speaking: Desk, lang: str) -> None:
    """Today, the map, settings with a fault, progress, quizzes and their pages, help."""
    async with visiting(speaking) as visit:
        await visit.press(see="today")
        await visit.press("d", see="decks")
        await visit.press("enter", see="concepts")
        await visit.press("escape", "escape", "c", see="settings")
        await visit.press("9", "enter", see="a setting out of range")
        await visit.press("escape", "p", see="progress before the first answer")
        await visit.press("c", see="calibration on too few answers")
        await visit.press("escape", "escape", "t", see="quizzes")
        await visit.press("1", see="quiz")
        await visit.press("v", see="preview")
        await visit.press("escape", "escape", "escape", "question_mark", see="help")
    assert left(visit, lang) == {}


@LANGUAGES
async def test_a_bet_in_the_lab(speaking: Desk, lang: str) -> None:
    """The list, one experiment, a parameter out of range, a bet laid, a run with its curves, and its file."""
    async with visiting(speaking) as visit:
        await visit.press("l", see="lab")
        options = visit.app.screen.query_one(OptionList)
        options.highlighted = options.get_option_index("rng-replay")
        await visit.press("enter", see="experiment")
        await visit.press("p", see="parameters")
        visit.app.screen.query_one("#p-p", Input).value = "7"
        await visit.press("enter", see="a parameter out of range")
        await visit.press("escape", "b", see="bets")
        await visit.press("1", see="a bet")
        await visit.press("1")
        await visit.until(lambda: not visit.app.screen.exploration.running)
        await visit.press(see="run")
        await visit.press("w", see="written")
    assert left(visit, lang) == {}


@LANGUAGES
async def test_a_miss_a_bet_a_run_and_the_report(speaking: Desk, lang: str) -> None:
    """A question missed, a bet, the run, what was seen, what theory says, the next questions; then the figures and the report's files."""
    rules = with_limits(speaking.rules(), limit=None, new=None, item=DROPOUT, decks=frozenset())
    async with visiting(speaking, review=rules) as visit:
        await visit.press(see="question")
        session = visit.app.screen.sitting.session
        await visit.press(str(session.phase.question.order.index("shape") + 1), see="miss and bet")
        await visit.press("3")
        await visit.until(lambda: isinstance(visit.app.screen.sitting.session.phase, Observing))
        await visit.press(see="what was seen")
        await visit.press("3", see="bet, theory and measurement")
        await visit.press("space", see="next question")
        for number in range(1, 5):
            await visit.press("i", see=f"verdict {number}")
            await visit.press("escape", "space", see=f"after verdict {number}")
        await visit.press("escape", "p", see="progress")
    for suffix in (".md", ".html"):
        path = speaking.home.folder / f"report{suffix}"
        write_report(speaking, path)
        text = path.read_text(encoding="utf-8")
        assert "rng-replay" in text
        visit.seen[suffix] = re.sub(r"<style>.*?</style>|<[^>]*>", " ", text, flags=re.DOTALL)
    assert left(visit, lang) == {}
