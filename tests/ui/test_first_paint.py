"""The way to the first paint: the screen that is opened is the first one painted, once and whole."""

from __future__ import annotations

from typing import Any

import pytest
from textual.css.stylesheet import Stylesheet

from tests.ui.conftest import Opener, screen_text
from tutor.content.kept import Kept
from tutor.study.desk import Desk
from tutor.ui.app import TutorApp
from tutor.ui.theme import DARK


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets what each paint shows, and refuse to read all styles again. Textual's own methods; its version is pinned."""
    shown: list[str] = []
    display = TutorApp._display

    def watched(app: TutorApp, screen: Any, update: Any) -> None:
        shown.append(screen_text(app))
        display(app, screen, update)

    def refuse(sheet: Stylesheet) -> None:
        raise AssertionError("all styles are read again")

    monkeypatch.setattr(TutorApp, "_display", watched)
    monkeypatch.setattr(Stylesheet, "reparse", refuse)
    return shown


@pytest.mark.parametrize("kind", ["choice", "numeric", "multi"])
async def test_the_question_is_painted_first_and_whole(
    opened: Opener, desk: Desk, painted: list[str], kind: str
) -> None:
    """Place, stem and keys, in the tutor's own colours, before anything else is."""
    item = next(one for one in desk.library.scheduled() if one.kind == kind and not one.family)
    async with opened(item=item.id) as pilot:
        assert len(pilot.app.screen_stack) == 1
        assert pilot.app.screen.styles.background.hex.lower() == DARK.background
        assert bool(pilot.app.screen.query("Input")) == (kind == "numeric")
    for words in (item.stem.split()[0], "1 of", "unsure"):
        assert words in painted[0]


async def test_today_is_painted_first_and_whole(opened: Opener, painted: list[str]) -> None:
    """The same without a sitting."""
    async with opened():
        pass
    assert "Tutor" in painted[0] and "settings" in painted[0]


async def test_what_was_read_is_kept_after_the_first_paint(
    opened: Opener, painted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No one waits for the writing of what the next start will not have to read."""
    monkeypatch.setattr(Kept, "save", lambda kept: painted.append("saved"))
    async with opened():
        assert "saved" in painted
    assert painted[0] != "saved"
