"""Today, quizzes, themes and the literal text of decks."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content
from textual.theme import Theme

from tests.ui.conftest import Opener, screen_text
from tutor.study.desk import Desk
from tutor.study.settings import change_settings
from tutor.study.today import today
from tutor.ui.actions import ACTIONS, named
from tutor.ui.help import help_lines
from tutor.ui.screens.today import ahead, body
from tutor.ui.theme import DARK, LIGHT, THEMES
from tutor.ui.widgets.curve import Series, braille, chart

ROOT = Path(__file__).resolve().parents[2]


async def test_today_shows_what_waits(opened: Opener) -> None:
    """A new learner sees six new items and the keys."""
    async with opened() as pilot:
        text = screen_text(pilot.app)
        assert "0 due     6 new" in text
        assert "⏎ start" in text


async def test_enter_starts_and_esc_comes_back(opened: Opener) -> None:
    """From Today into a sitting and out again."""
    async with opened() as pilot:
        await pilot.press("enter")
        assert "answer" in screen_text(pilot.app)
        await pilot.press("escape")
        assert "⏎ start" in screen_text(pilot.app)


async def test_a_quiz_shows_its_front_its_preview_and_its_questions(opened: Opener) -> None:
    """Title, level, number of questions; the preview has all stems and no answer; then question 1 of 8."""
    async with opened() as pilot:
        await pilot.press("t", "1")
        assert "8 questions" in screen_text(pilot.app)
        await pilot.press("v")
        assert "1. What does gradient checkpointing" in screen_text(pilot.app)
        await pilot.press("escape", "enter")
        assert "question 1 of 8" in screen_text(pilot.app)


def test_today_fits_a_narrow_window(desk: Desk) -> None:
    """Below eighty columns the two columns become one."""
    text = body(today(desk), 40).plain
    assert max(len(line) for line in text.splitlines()) <= 70
    assert text.index("Activation memory") < text.index("Next 14 days")


@pytest.mark.parametrize(
    "text", ["x[i]", "[/INST]", "mask[mask==0]", "[@click=app.bell]a", "list[int]", "[red]b", "\\[x]", "[/"]
)
async def test_deck_text_appears_as_written(opened: Opener, desk: Desk, text: str) -> None:
    """Brackets in stems, options and explanations are data."""
    library = desk.library
    item = library.items["rng-7f3k"]
    options = tuple(replace(o, text=f"{o.key} {text}") for o in item.options)
    changed = replace(item, stem=f"stem {text}", options=options, why=f"why {text}")
    desk.__dict__["library"] = replace(library, items={**library.items, item.id: changed})
    async with opened(item=item.id) as pilot:
        shown = screen_text(pilot.app)
        assert f"stem {text}" in shown
        assert f"mask {text}" in shown
        await pilot.press("i")
        assert f"why {text}" in screen_text(pilot.app)


def test_every_action_is_in_the_help() -> None:
    """What can be pressed can be looked up."""
    assert len(help_lines()) == len(ACTIONS)
    for here in named("help").screens:
        assert all(title for title, _key, _sentence in help_lines(here))


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_colours_have_contrast(theme: Theme) -> None:
    """Words of each colour stand off the background by 4.5 to 1 at least."""
    for name in ("foreground", "primary", "secondary", "success", "error", "warning"):
        assert contrast(str(getattr(theme, name)), str(theme.background)) >= 4.5, name


def contrast(one: str, other: str) -> float:
    """Return the WCAG contrast ratio of two hex colours."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of a hex colour."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60), st.integers(4, 60), st.integers(1, 12))
def test_a_curve_fills_its_room_and_no_more(ys: list[float], width: int, height: int) -> None:
    """Rows and columns are what was asked for, whatever the values, flat ones too."""
    series = Series("s", tuple(float(x) for x in range(len(ys))), tuple(ys))
    rows = braille(series, width, height, min(ys), max(ys), 0, len(ys) - 1)
    assert len(rows) == height
    assert all(len(row) == width for row in rows)
    assert any(cell != " " for row in rows for cell in row)


def test_a_chart_without_points_draws_nothing() -> None:
    """Before the first point there is no axis."""
    assert chart([Series("s", (), ())], 60, 10) == []


def test_content_is_not_markup() -> None:
    """The type used for deck text keeps brackets."""
    assert Content("a[b]").plain == "a[b]"


@pytest.mark.parametrize("keys", [(), ("t", "1")], ids=["today", "quiz"])
async def test_what_is_below_the_window_is_reached_by_the_keyboard(opened: Opener, keys: tuple[str, ...]) -> None:
    """In the least window the last line of a page comes with End, and the first again with Home; arrows go by lines."""
    async with opened(size=(40, 12)) as pilot:
        await pilot.press(*keys)
        page = pilot.app.screen.body
        assert page.max_scroll_y > 0
        await pilot.press("end")
        assert page.scroll_y == page.max_scroll_y
        await pilot.press("home", "down", "down", "up")
        assert page.scroll_y == 1


THEMED = """
import asyncio
from tutor.clock import SystemClock
from tutor.paths import Home
from tutor.study.desk import Desk
from tutor.ui.app import TutorApp
async def opened():
    with Desk(Home.find(), SystemClock()) as desk:
        app = TutorApp(desk)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            print(app.theme, app.screen.styles.background.hex)
asyncio.run(opened())
"""
"""In a process of its own: Textual reads the variable when it is imported."""


@pytest.mark.parametrize(("wished", "worn"), [("tutor-light", LIGHT), ("no-such-theme", DARK)])
def test_the_theme_of_the_environment_is_worn(wished: str, worn: Theme) -> None:
    """Its colours, not only its name, from the first screen on; an unknown one leaves the tutor's own."""
    environment = os.environ | {"TEXTUAL_THEME": wished}
    said = subprocess.run(
        [sys.executable, "-c", THEMED], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert said.stdout.split() == [worn.name, str(worn.background).upper()]


async def test_settings_are_not_dropped_unsaid(opened: Opener, desk: Desk) -> None:
    """Esc names what is not saved; again, and it is dropped. What is saved or unchanged goes at once."""
    async with opened() as pilot:
        await pilot.press("c", "right", "escape")
        assert "Not saved: retention 0.91; ⏎ saves, esc again drops." in screen_text(pilot.app)
        await pilot.press("enter", "escape")
        assert "⏎ start" in screen_text(pilot.app)
        assert desk.config.retention == 0.91
        await pilot.press("c", "right", "escape", "escape")
        assert "⏎ start" in screen_text(pilot.app)
        assert desk.config.retention == 0.91


async def test_a_mock_is_taken_from_today(opened: Opener, desk: Desk) -> None:
    """Offered where an interview is ahead; ten sealed questions by one key, and a sentence where none is left."""
    change_settings(desk, {"interview": str(date.fromisoformat(desk.day()) + timedelta(days=20))})
    async with opened(size=(100, 40)) as pilot:
        assert "m asks ten sealed questions" in screen_text(pilot.app)
        await pilot.press("m")
        await pilot.pause()
        assert "Mock interview   question 1 of 10" in screen_text(pilot.app)
        await pilot.press("escape")
        desk.__dict__["library"] = replace(desk.library, items={})
        await pilot.press("m")
        assert "No sealed question is left" in screen_text(pilot.app)


@pytest.mark.parametrize(
    ("days", "said"),
    [(None, ""), (0, " · interview today"), (1, " · interview in 1 day"), (2, " · interview in 2 days")],
)
def test_the_day_itself_is_no_number_of_days(days: int | None, said: str) -> None:
    """None ahead, today, tomorrow, later."""
    assert ahead(days) == said
