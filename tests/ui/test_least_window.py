"""What must be in sight in the least window, 40 by 12: the question first, what is typed, why a key does nothing, the verdict."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from tests.support import FakeClock
from tests.ui.conftest import Opener, screen_text
from tests.ui.test_review import place
from tutor.i18n import speak
from tutor.learning.state import Asking, Betting, Shown
from tutor.paths import Home
from tutor.study.curriculum import curriculum
from tutor.study.desk import Desk, Wishes
from tutor.study.revising import Revision
from tutor.study.settings import change_settings
from tutor.study.today import today
from tutor.ui.screens.decks import row
from tutor.ui.screens.same_fact import SameFactScreen
from tutor.ui.screens.today import LEFT, body, readiness
from tutor.ui.widgets.choices import Choices

LEAST = (40, 12)
LONG_NUMBER, ORDER, SEVERAL, DROPOUT = "act-msty", "atn-73c3", "rfl-yrp7", "rng-7f3k"


async def test_a_long_question_is_read_before_its_input_and_typed_in_sight(opened: Opener) -> None:
    """The stem begins at the top; from the first character on the line typed is shown, under what is said of it too."""
    async with opened(size=LEAST, item=LONG_NUMBER) as pilot:
        stem = pilot.app.screen.sitting.session.phase.question.item.stem
        assert stem.split()[0] in screen_text(pilot.app)
        await pilot.press("1", "2", "x")
        assert "12x" in screen_text(pilot.app)
        await pilot.press("enter")
        await pilot.pause()
        text = screen_text(pilot.app)
        assert "answer in GiB." in text
        assert any(line.strip(" ▁▂▃▄▅▆▇█") == "12x" for line in text.splitlines())
        await pilot.press("backspace")
        assert "answer in GiB." not in screen_text(pilot.app), "said of another line than this"


async def test_why_an_answer_is_not_taken_is_in_sight_and_goes_away(opened: Opener) -> None:
    """Steps of which some have no place; after the next digit nothing stale stands there."""
    async with opened(size=LEAST, item=ORDER) as pilot:
        await pilot.press("1", "2", "enter")
        assert "Put all of 1 to 5 in their order." in screen_text(pilot.app)
        await pilot.press("3")
        assert "Put all of 1 to 5" not in screen_text(pilot.app)


@pytest.mark.parametrize("size", [LEAST, (80, 24)], ids=["40x12", "80x24"])
async def test_what_was_said_of_a_wrong_key_ends_with_the_answer(opened: Opener, size: tuple[int, int]) -> None:
    """A wrong key, then an answer: the sentence about the key is gone; how sure one said to be stood beside the keys."""
    async with opened(size=size, item=DROPOUT) as pilot:
        await pilot.press("9")
        assert "Choose 1 to 4." in screen_text(pilot.app)
        await pilot.press("u")
        text = screen_text(pilot.app)
        assert "Choose 1 to 4." not in text and "noted: not sure" in text
        await pilot.press(place(pilot, "shape"))
        assert isinstance(pilot.app.screen.sitting.session.phase, Betting)
        text = screen_text(pilot.app)
        assert "Choose 1 to 4." not in text and "noted: not sure" not in text
        assert "✗ not that" in text, "the verdict is read first, the bet by scrolling"


@pytest.mark.parametrize("size", [LEAST, (80, 24)], ids=["40x12", "80x24"])
async def test_the_verdict_is_in_sight_once(opened: Opener, desk: Desk, size: tuple[int, int]) -> None:
    """Below the options where there is room; above the keys where these fill the window."""
    change_settings(desk, {"lab": "off"})
    async with opened(size=size, item=DROPOUT) as pilot:
        await pilot.press(place(pilot, "mask"))
        await pilot.pause()
        assert isinstance(pilot.app.screen.sitting.session.phase, Shown)
        assert screen_text(pilot.app).count("✓ right") == 1
        await pilot.press("i")
        assert screen_text(pilot.app).count("✓ right") == 1, "a key that means nothing here takes nothing away"


async def test_right_answers_are_named_in_the_order_shown(opened: Opener, desk: Desk) -> None:
    """Digits ascend, whatever the order of the keys in the deck."""
    change_settings(desk, {"lab": "off"})
    async with opened(size=(80, 24), item=SEVERAL) as pilot:
        question = pilot.app.screen.sitting.session.phase.question
        right = sorted(question.order.index(key) + 1 for key in question.item.answer)
        wrong = next(n for n in range(1, 6) if n not in right)
        await pilot.press(str(wrong), "enter")
        assert f"right is {', '.join(map(str, right))}" in screen_text(pilot.app)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_title_on_today_is_cut(desk: Desk, width: int) -> None:
    """Every deck's whole title, and no row wider than the window."""
    figures = today(desk)
    text = body(figures, width).plain
    assert all(title in text for title, _ in figures.readiness)
    drawn = [line for line in text.splitlines() if "░" in line]
    assert len(drawn) == len(figures.readiness)
    assert all(len(line) <= width - 5 for line in drawn)


async def test_a_window_made_too_small_loses_nothing(opened: Opener) -> None:
    """No key acts on what cannot be seen; made larger again, what was typed stands and can be typed on, answered, moved in."""
    async with opened(size=(80, 24), item=LONG_NUMBER) as pilot:
        await pilot.press("1", "2")
        await pilot.resize_terminal(20, 6)
        await pilot.pause()
        assert "too" in screen_text(pilot.app)
        await pilot.press("3", "f4", "enter")
        assert isinstance(pilot.app.screen.sitting.session.phase, Asking)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        await pilot.press("4")
        assert "124" in screen_text(pilot.app)
    async with opened(size=(80, 24), item=DROPOUT) as pilot:
        await pilot.resize_terminal(20, 6)
        await pilot.pause()
        await pilot.press("1", "i", "space")
        assert isinstance(pilot.app.screen.sitting.session.phase, Asking)


async def test_a_list_made_too_small_keeps_its_cursor(opened: Opener) -> None:
    """The arrow keys move on where they were."""
    async with opened(size=(80, 24)) as pilot:
        await pilot.press("d", "down")
        await pilot.resize_terminal(20, 6)
        await pilot.pause()
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        await pilot.press("down")
        assert pilot.app.screen.query_one(Choices).highlighted == 2


async def test_lists_follow_the_window(opened: Opener) -> None:
    """The lab opened wide and made narrow wraps anew; where one is stays on its one line, the id whole."""
    async with opened(size=(100, 30)) as pilot:
        await pilot.press("l")
        await pilot.pause()
        await pilot.resize_terminal(*LEAST)
        await pilot.pause()
        lines = screen_text(pilot.app).splitlines()
        assert any(line.startswith("     ") for line in lines[3:8]), "what an experiment shows hangs under its name"
        await pilot.press("enter")
        await pilot.pause()
        assert "… › attention-memory" in screen_text(pilot.app).splitlines()[0]


@pytest.mark.parametrize("size", [LEAST, (80, 24)], ids=["40x12", "80x24"])
async def test_a_bet_of_the_lab_hangs_and_shows_its_keys(opened: Opener, size: tuple[int, int]) -> None:
    """However long the questions, the keys stand below them; a wager that is typed is in sight with what may be typed."""
    async with opened(size=size) as pilot:
        app = pilot.app
        app.show_experiment(app.desk.catalogue["attention-memory"])
        await pilot.pause()
        await pilot.press("b")
        await pilot.pause()
        text = screen_text(app)
        assert "1-3 open" in text and "esc back" in text
        assert size != LEAST or "\n      become" in text, "under the text, not under its number"
        await pilot.press("3", "4")
        await pilot.pause()
        text = screen_text(app)
        assert "⏎ bet and run" in text and "esc back" in text
        assert "answer with a number" in text or size == LEAST
        typed = app.screen.query_one("#wager", Input)
        assert typed.value == "4" and typed.region.y < size[1] - 1


async def test_a_decision_over_a_history_shows_its_keys(opened: Opener) -> None:
    """Three answers by digit, and what esc does."""
    async with opened(size=LEAST) as pilot:
        await pilot.app.push_screen(SameFactScreen(Revision(DROPOUT, 1, 2, "keep")))
        await pilot.pause()
        assert "1-3 answer" in screen_text(pilot.app) and "esc keeps its history" in screen_text(pilot.app)


@pytest.mark.parametrize("lang", ["en", "vi", "tr"])
def test_every_deck_has_one_row_on_today(home: Home, clock: FakeClock, lang: str) -> None:
    """At eighty columns a title, a bar and a share stand side by side in every language; the map cuts no title either."""
    with Desk(home, clock, Wishes(lang=lang)) as desk:
        figures = today(desk)
        rows = readiness(figures.readiness, LEFT - 2)
        decks = curriculum(desk).decks
    speak("en")
    for width in (40, 80):
        assert all(one.deck.title in row(one, width).plain for one in decks)
        assert all(len(line) <= width - 7 for one in decks for line in row(one, width).plain.splitlines())
    assert len(rows) == len(figures.readiness), max((title for title, _ in figures.readiness), key=len)
