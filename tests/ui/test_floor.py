"""A window too small: every screen, modal ones too, says the one sentence, lets no key act, and is whole again when it grows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.screen import Screen
from textual.widgets import Input

from tests.ui.conftest import Opener, screen_text
from tutor.paths import resources
from tutor.study.exploring import Exploration
from tutor.study.revising import Revision
from tutor.study.sitting import Sitting
from tutor.ui.app import TutorApp
from tutor.ui.screens.concepts import ConceptsScreen
from tutor.ui.screens.decks import DecksScreen
from tutor.ui.screens.experiment import ExperimentScreen
from tutor.ui.screens.explain import ExplainScreen
from tutor.ui.screens.form import FormScreen
from tutor.ui.screens.lab import LabScreen
from tutor.ui.screens.note import NoteScreen
from tutor.ui.screens.page import PageScreen
from tutor.ui.screens.palette import PaletteScreen
from tutor.ui.screens.progress import ProgressScreen
from tutor.ui.screens.quiz import QuizListScreen, QuizScreen
from tutor.ui.screens.review import ReviewScreen
from tutor.ui.screens.same_fact import SameFactScreen
from tutor.ui.screens.settings import SettingsScreen
from tutor.ui.screens.source import SourceScreen
from tutor.ui.screens.today import TodayScreen
from tutor.ui.screens.wager import WagerScreen
from tutor.ui.widgets.frame import FloorScreen

Make = Callable[[TutorApp], Any]


SCREENS: dict[type, Make] = {
    TodayScreen: lambda app: TodayScreen(),
    ReviewScreen: lambda app: ReviewScreen(Sitting(app.desk, app.desk.rules())),
    QuizListScreen: lambda app: QuizListScreen([deck for deck in app.desk.library.decks if deck.quiz]),
    QuizScreen: lambda app: QuizScreen(app.desk.library.deck("seed-checkpointing")),
    PageScreen: lambda app: PageScreen("page", "text"),
    SourceScreen: lambda app: SourceScreen(app.desk.catalogue["rng-replay"]),
    LabScreen: lambda app: LabScreen(),
    ExperimentScreen: lambda app: ExperimentScreen(Exploration(app.desk, app.desk.catalogue["rng-replay"])),
    ProgressScreen: lambda app: ProgressScreen(),
    SettingsScreen: lambda app: SettingsScreen(),
    DecksScreen: lambda app: DecksScreen(),
    ConceptsScreen: lambda app: ConceptsScreen(app.desk.library.decks[0]),
    FormScreen: lambda app: FormScreen(Exploration(app.desk, app.desk.catalogue["rng-replay"])),
    NoteScreen: lambda app: NoteScreen("What is wrong?"),
    WagerScreen: lambda app: WagerScreen(app.desk.catalogue["rng-replay"]),
    SameFactScreen: lambda app: SameFactScreen(Revision("rng-7f3k", 1, 2, "keep")),
    PaletteScreen: lambda app: PaletteScreen(),
    ExplainScreen: lambda app: ExplainScreen(resources("experiments") / "explain_examples" / "gpt.py"),
}


def kinds(base: type) -> set[type]:
    """Return every screen of the program below a class."""
    below = set(base.__subclasses__())
    return {one for one in below if one.__module__.startswith("tutor.")}.union(*(kinds(one) for one in below))


def test_every_screen_has_the_floor() -> None:
    """No screen of the program is made without it, and each is tried below."""
    every = {one for one in kinds(Screen) if not one.__subclasses__()}
    assert every == set(SCREENS)
    assert all(issubclass(one, FloorScreen) for one in every)


@pytest.mark.parametrize("kind", SCREENS, ids=lambda kind: kind.__name__)
async def test_a_small_window_says_so(opened: Opener, kind: type) -> None:
    """Opened in one or made so small, by either side: the sentence and nothing else; grown again, the sentence is gone."""
    async with opened(size=(20, 5)) as pilot:
        await pilot.app.push_screen(SCREENS[kind](pilot.app))
        await pilot.pause()
        assert only_the_sentence(screen_text(pilot.app))
        for size in ((30, 8), (39, 24), (80, 11)):
            await pilot.resize_terminal(80, 24)
            await pilot.pause()
            assert "too small" not in screen_text(pilot.app)
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert only_the_sentence(screen_text(pilot.app))


def only_the_sentence(text: str) -> bool:
    """Whether the screen says that the window is too small, wrapped or not, and nothing else."""
    return " ".join(text.split()) == "This window is too small; make it at least 40 by 12."


async def test_no_key_acts_in_a_form_that_is_not_shown(opened: Opener) -> None:
    """What was typed stands; digits and enter do nothing to a bet, a form or a list; esc leads away."""
    async with opened() as pilot:
        app = pilot.app
        await app.push_screen(SCREENS[FormScreen](app))
        await pilot.pause()
        await pilot.press("9", "9")
        typed = app.screen.focused.value
        assert "99" in typed
        await pilot.resize_terminal(30, 8)
        await pilot.pause()
        await pilot.press("1", "enter", "down")
        assert isinstance(app.screen, FormScreen)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert isinstance(app.screen.focused, Input)
        assert app.screen.focused.value == typed
        await pilot.resize_terminal(30, 8)
        await pilot.pause()
        await pilot.press("escape")
        assert isinstance(app.screen, TodayScreen)


@pytest.mark.parametrize("kind", [QuizListScreen, WagerScreen, SameFactScreen, SettingsScreen])
async def test_no_digit_acts_unseen(opened: Opener, kind: type) -> None:
    """A digit in a window too small opens no quiz, lays no bet, decides over no history, changes no setting."""
    async with opened(size=(30, 8)) as pilot:
        screen = SCREENS[kind](pilot.app)
        await pilot.app.push_screen(screen)
        await pilot.pause()
        await pilot.press("1", "2")
        assert pilot.app.screen is screen
        if isinstance(screen, SettingsScreen):
            assert screen._typed is None
