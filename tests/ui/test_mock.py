"""A mock interview on the screen: the place in it, the end with its score, and no undo."""

from __future__ import annotations

from dataclasses import replace

from tests.ui.conftest import Opener, screen_text
from tutor.study.mock import sealed_items


async def test_a_mock_ends_with_its_score(desk, opened: Opener) -> None:
    """Two sealed questions passed with "I don't know": the list is named, and the end says the first sights and what is left."""
    first, *_ = sealed_items(desk, 2)
    rules = replace(desk.rules(), mock=2, lab="off", confidence=False)
    async with opened(size=(100, 40), review=rules) as pilot:
        assert pilot.app.screen.sitting.session.phase.question.item.id == first
        assert "Mock interview   question 1 of 2" in screen_text(pilot.app)
        assert "undo" not in screen_text(pilot.app)
        for _ in range(2):
            await pilot.press("f4")
            await pilot.pause()
            await pilot.press("z")
            await pilot.pause()
            await pilot.press("space")
            await pilot.pause()
        text = screen_text(pilot.app)
    assert "At first sight 0 of 2 right" in text, text
    assert "Each is asked once;" in text
    assert "undo" not in text, "a mock takes nothing back"
    assert [answer.payload["role"] for answer in desk.store.answers()] == ["sealed", "sealed"]
