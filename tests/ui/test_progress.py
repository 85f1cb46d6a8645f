"""Progress and settings on the screen: what is shown at every size, what is saved, what a fit says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.answer import payload
from tests.screens import practise
from tests.support import FakeClock
from tests.ui.conftest import Opener, screen_text
from tutor.study.desk import Desk
from tutor.study.reporting import report_of
from tutor.ui.progress import bar, calendar, progress_body, sign

DAYS = st.lists(st.integers(0, 300), min_size=1, max_size=400)


@pytest.fixture
def practised(desk: Desk, clock: FakeClock) -> Desk:
    """A home with ten days of answers, some of them said to be sure."""
    practise(desk, clock)
    day = desk.day()
    answers = [payload("rng-7f3k", day, sureness="sure", correct=n > 1, predicted=0.9) for n in range(8)]
    desk.store.append_many([("answered", answer) for answer in answers], desk.now(), day)
    return desk


@pytest.mark.parametrize("width", [34, 74, 140])
def test_every_section_fits_and_every_rate_has_its_n(practised: Desk, width: int) -> None:
    """No line is wider than the room; each percentage stands with its n, the target and a myth's probability apart."""
    text = progress_body(report_of(practised), practised.catalogue, width).plain
    for heading in ("Days", "True retention", "How sure", "Due in the next", "Ready now", "Myths", "Time"):
        assert heading in text
    assert max(len(line) for line in text.splitlines()) <= width
    joined = " ".join(text.split())
    for sentence in joined.split("%")[:-1]:
        assert sentence[-3:].strip().isdecimal() or sentence[-1].isdecimal()
    assert joined.count("(n =") >= 5


def test_a_new_learner_is_told_that_nothing_is_there(desk: Desk) -> None:
    """One sentence, no empty charts."""
    assert (
        progress_body(report_of(desk), desk.catalogue, 74).plain == "Nothing answered yet. What you answer shows here."
    )


@given(DAYS, st.integers(34, 160))
def test_the_calendar_fills_its_room(counts: list[int], width: int) -> None:
    """Months, seven rows and a legend; today is the last sign, tomorrow has none."""
    from tutor.learning.studyday import add_days

    days = [{"day": add_days("2026-12-02", -n), "answered": count} for n, count in reversed(list(enumerate(counts)))]
    rows = calendar(days, "2026-12-02", width)
    assert len(rows) == 9
    assert max(len(row) for row in rows[:8]) <= width
    assert rows[3][-1] == sign(counts[0], max(*counts[: 7 * 53], 1)) or counts[0]
    assert len(rows[4]) < len(rows[3])  # Thursday has not come


def test_signs_tell_apart_without_colour() -> None:
    """None, and each quarter of the busiest day, has a sign of its own; the target stands in the bar."""
    assert [sign(count, 100) for count in (0, 1, 26, 51, 76, 100)] == ["·", "░", "▒", "▓", "█", "█"]
    assert bar(0.5, 10, 0.9) == "█████░░░░│"


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40)])
async def test_progress_opens_scrolls_and_goes_back(opened: Opener, practised: Desk, size: tuple[int, int]) -> None:
    """The keys are shown at the least size; the end is reached by scrolling."""
    async with opened(size=size) as pilot:
        await pilot.press("p")
        await pilot.pause()
        text = " ".join(screen_text(pilot.app).split())
        assert "study days" in text and "w write report" in text
        await pilot.press("end")
        await pilot.pause()
        assert "min in all" in screen_text(pilot.app)
        await pilot.press("home", "down", "space", "pageup", "up", "escape")
        await pilot.pause()
        assert "⏎ start" in screen_text(pilot.app)


async def test_the_report_is_written_from_progress(opened: Opener, practised: Desk) -> None:
    """w writes the file and says where."""
    async with opened(size=(120, 40)) as pilot:
        await pilot.press("p")
        await pilot.pause()
        await pilot.press("w")
        assert "Report written to" in screen_text(pilot.app)
    assert list(practised.home.folder.glob("report-*.html"))


async def test_a_fit_on_too_few_answers_says_so(opened: Opener, desk: Desk, clock: FakeClock) -> None:
    """The child's verdict is on the screen with its numbers; the parameters stay."""
    practise(desk, clock, days=4)
    async with opened(size=(100, 40)) as pilot:
        await pilot.press("p")
        await pilot.pause()
        await pilot.press("f")
        text = await fitted(pilot)
        assert "The memory model stays as it was." in text
        assert "evidence of memory" in text
    assert desk.store.parameters().id == "fsrs6-default"


async def test_esc_stops_a_fit_and_stays(opened: Opener, practised: Desk) -> None:
    """The process is gone, the sentence says that nothing changed, the screen is still there."""
    async with opened(size=(100, 40)) as pilot:
        await pilot.press("p")
        await pilot.pause()
        await pilot.press("f", "escape")  # at once: a busy machine may pause for longer than a fit takes
        text = await fitted(pilot)
        assert "the parameters are as they were" in text or "stays as it was" in text
        assert "w write report" in text


async def fitted(pilot: Any) -> str:
    """Wait for the end of a fit and return the screen."""
    for _ in range(1_000):
        await pilot.pause(0.05)
        if pilot.app.screen._job is None:
            break
    await pilot.pause(0.1)
    return screen_text(pilot.app)


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40)])
async def test_settings_are_shown_with_range_and_meaning(opened: Opener, size: tuple[int, int]) -> None:
    """Going down through all of them shows each with what it does; the keys stay in view."""
    async with opened(size=size) as pilot:
        await pilot.press("c")
        await pilot.pause()
        seen = ""
        for _ in pilot.app.screen._settings:
            await pilot.pause()
            text = screen_text(pilot.app)
            seen += text
            assert "esc back" in text
            await pilot.press("down")
        for name in ("retention", "0.70 to 0.97", "rollover", "YYYY-MM-DD", "confidence", "recall_first", "theme"):
            assert name in seen


async def test_a_setting_is_typed_stepped_saved_and_obeyed(opened: Opener, desk: Desk) -> None:
    """The file, the desk, the theme and the log follow; what was only stepped is marked until it is saved."""
    async with opened(size=(100, 40)) as pilot:
        await pilot.press("c")
        await pilot.pause()
        await pilot.press(*"0.85", "down", "right", "right", "down", "down", "down", *"2026-12-24")
        for _ in range(6):
            await pilot.press("down")
        await pilot.press("right", "right")
        assert "›* theme" in screen_text(pilot.app)
        assert desk.config.retention == 0.9
        await pilot.press("enter")
        await pilot.pause()
        text = " ".join(screen_text(pilot.app).split())
        assert "retention 0.85, new_per_day 8, interview 2026-12-24, theme tutor-light" in text
        assert pilot.app.theme == "tutor-light"
        await pilot.press("escape")
        await pilot.pause()
        assert "interview in 24 days" in screen_text(pilot.app)
    assert (desk.rules().retention, desk.rules().new_per_day) == (0.85, 8)
    assert desk.store.settings()["retention"] == 0.85
    assert 'theme = "tutor-light"' in desk.home.config.read_text(encoding="utf-8")


async def test_a_bad_value_is_said_and_nothing_is_saved(opened: Opener, desk: Desk) -> None:
    """File, line, key and range are named, the cursor stands at the line; backspace mends it; esc drops."""
    async with opened(size=(100, 40)) as pilot:
        await pilot.press("c")
        await pilot.pause()
        await pilot.press("down", *"900", "up", *"1.5", "down", "enter")
        await pilot.pause()
        text = " ".join(screen_text(pilot.app).split())
        assert "config.toml:1: retention = 1.5 cannot be used: write a number from 0.7 to 0.97." in text
        assert "›* retention" in text
        assert not desk.home.config.exists()
        await pilot.press("backspace", "backspace", "backspace", *"0.8", "enter")
        await pilot.pause()
        assert "new_per_day = 900 cannot be used" in " ".join(screen_text(pilot.app).split())
        await pilot.press("escape")
    assert not desk.home.config.exists()
    assert desk.config.retention == 0.9


async def test_a_theme_that_does_not_exist_is_refused(opened: Opener, desk: Desk) -> None:
    """The sentence names those there are."""
    async with opened(size=(100, 40)) as pilot:
        await pilot.press("c")
        await pilot.pause()
        await pilot.press("up", *"neon", "enter")
        await pilot.pause()
        text = " ".join(screen_text(pilot.app).split())
        assert "theme = 'neon' cannot be used: write one of tutor-dark, tutor-light" in text
    assert not desk.home.config.exists()
