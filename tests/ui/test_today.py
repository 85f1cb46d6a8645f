"""Today with an interview date: the day ahead, and what more time would be worth."""

from __future__ import annotations

from tests.ui.conftest import Opener, screen_text
from tutor.study.settings import change_settings


async def test_a_date_brings_the_forecast_by_time(desk, opened: Opener) -> None:
    """The line comes by itself once it is computed; the heading says when the interview is."""
    change_settings(desk, {"interview": "2026-12-24"})
    async with opened(size=(100, 40)) as pilot:
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        text = " ".join(screen_text(pilot.app).split())
    assert "interview in 24 days" in text
    assert "Readiness on 24 Dec" in text
    assert "Forecast by time a day, with 95 % intervals: 15 min " in text and "60 min " in text and "%]" in text


async def test_without_a_date_nothing_is_forecast(opened: Opener) -> None:
    """No line where there is no date."""
    async with opened(size=(100, 40)) as pilot:
        await pilot.app.workers.wait_for_complete()
        assert "Forecast by time" not in screen_text(pilot.app)
