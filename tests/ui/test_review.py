"""The review screen by keyboard: the keys a learner presses and what he then sees."""

from __future__ import annotations

import re

import pytest

from tests.ui.conftest import Opener, SharedLab, screen_text
from tutor.learning.state import Asking, Betting, Compared, Finished, Observing, Shown
from tutor.study.desk import Desk, with_limits

DROPOUT = "rng-7f3k"
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(autouse=True)
def lent(desk: Desk, shared_lab: SharedLab) -> None:
    """All tests of this module use one lab."""
    desk.__dict__["lab"] = shared_lab


def place(pilot, key: str) -> str:
    """Return the digit under which an option is shown."""
    return str(pilot.app.screen.sitting.session.phase.question.order.index(key) + 1)


async def settle(pilot, kind: type, tries: int = 400) -> None:
    """Wait until the session is in a phase."""
    for _ in range(tries):
        if isinstance(pilot.app.screen.sitting.session.phase, kind):
            await pilot.pause()
            return
        await pilot.pause(0.05)
    raise AssertionError(pilot.app.screen.sitting.session.phase)


async def test_a_right_answer_costs_two_keys(opened: Opener) -> None:
    """A digit and space: the next question stands."""
    async with opened(item=DROPOUT) as pilot:
        await pilot.press(place(pilot, "mask"))
        assert isinstance(pilot.app.screen.sitting.session.phase, Shown)
        assert "✓ right" in screen_text(pilot.app)
        await pilot.press("space")
        assert isinstance(pilot.app.screen.sitting.session.phase, Asking)
        assert pilot.app.screen.sitting.session.asked == 2


@pytest.mark.parametrize("size", [(80, 24), (40, 12)], ids=["80x24", "40x12"])
async def test_question_and_options_are_readable(opened: Opener, size: tuple[int, int]) -> None:
    """At both sizes every option stands whole, over several lines where it must."""
    async with opened(size=size, item=DROPOUT) as pilot:
        words: set[str] = set(screen_text(pilot.app).split())
        for _ in range(8):
            await pilot.press("down")
            words |= set(screen_text(pilot.app).split())
        for option in pilot.app.screen.sitting.session.phase.question.item.options:
            assert set(option.text.split()) <= words


async def test_torch_is_loaded_behind_the_question(opened: Opener, desk: Desk) -> None:
    """Nothing was missed yet and the lab's worker is there: a first miss need not wait for it."""
    async with opened(item=DROPOUT, ahead=True) as pilot:
        await pilot.app.workers.wait_for_complete()
        assert isinstance(pilot.app.screen.sitting.session.phase, Asking)
        assert desk.lab.worker.alive


async def test_miss_bet_run_observation_comparison(opened: Opener) -> None:
    """The whole first rung by keyboard, with a real run."""
    async with opened(item=DROPOUT) as pilot:
        await pilot.press(place(pilot, "shape"))
        assert isinstance(pilot.app.screen.sitting.session.phase, Betting)
        assert "your bet" in screen_text(pilot.app).lower()
        await pilot.press("3")
        await settle(pilot, Observing)
        assert "What did you see?" in screen_text(pilot.app)
        await pilot.press("3")
        assert isinstance(pilot.app.screen.sitting.session.phase, Compared)
        text = screen_text(pilot.app)
        assert "your bet: only the gradients" in text
        assert re.search(r"^  what differs ", text, re.MULTILINE), "theory held beside it, whatever was bet"
        assert "gradient error, not replayed" in text
        assert "✓ held" in text


async def test_esc_stops_a_run_and_leaves_no_process(opened: Opener) -> None:
    """Esc in a run goes on to the next question; the worker has no child left."""
    async with opened(item="opt-8d4s") as pilot:
        await pilot.press(place(pilot, "twice"))
        await pilot.press("3")
        await pilot.press("escape")
        await settle(pilot, Asking)
        await pilot.app.workers.wait_for_complete()
        assert pilot.app.desk.store.runs() == []


async def test_a_wrong_key_is_ignored_with_a_hint(opened: Opener) -> None:
    """Keys that mean nothing here change nothing; a digit too high is explained."""
    async with opened(item=DROPOUT) as pilot:
        await pilot.press("9")
        assert "Choose 1 to 4." in screen_text(pilot.app)
        await pilot.press("space", "k", "l", "n")
        assert isinstance(pilot.app.screen.sitting.session.phase, Asking)
        assert list(pilot.app.desk.store.answers()) == []


async def test_numbers_are_typed_and_letters_are_letters(opened: Opener) -> None:
    """In the input `u` is a letter, what cannot be read is said, and a number in another unit is understood."""
    async with opened(item="opt-5n2c") as pilot:
        await pilot.press("u", "enter")
        assert "is not a number" in screen_text(pilot.app)
        assert list(pilot.app.desk.store.answers()) == []
        await pilot.press("backspace", *"39.1GiB", "enter")
        assert next(pilot.app.desk.store.answers()).payload["parsed"] == pytest.approx(41.983, abs=0.001)


async def test_several_answers_are_toggled_and_sent(opened: Opener) -> None:
    """In a multi item digits toggle and enter answers."""
    async with opened(item="act-1b6y") as pilot:
        for key in ("grads", "state", "saved"):
            await pilot.press(place(pilot, key))
        assert screen_text(pilot.app).count("[x]") == 3
        await pilot.press("enter")
        assert next(pilot.app.desk.store.answers()).payload["correct"] is True


async def test_undo_from_the_end(opened: Opener, desk: Desk) -> None:
    """`z` takes back the last answer of a finished sitting."""
    rules = with_limits(desk.rules(), limit=1, new=None, item=DROPOUT, decks=frozenset())
    async with opened(review=rules) as pilot:
        await pilot.press(place(pilot, "mask"), "space")
        assert isinstance(pilot.app.screen.sitting.session.phase, Finished)
        assert "Done: 1 answered, 1 right" in screen_text(pilot.app)
        await pilot.press("z")
        assert isinstance(pilot.app.screen.sitting.session.phase, Asking)
        assert desk.store.cards() == {}


async def test_help_guide_and_palette_open_and_close(opened: Opener) -> None:
    """Each opens over the question and leaves it as it was."""
    async with opened(item=DROPOUT) as pilot:
        review = pilot.app.screen
        for key, word in (("question_mark", "Take the last answer back"), ("o", "Randomness and replay")):
            await pilot.press(key)
            await pilot.pause(0.3)
            assert word in screen_text(pilot.app)
            await pilot.press("escape")
            assert pilot.app.screen is review
        await pilot.press("ctrl+p")
        await pilot.pause(0.3)
        assert pilot.app.screen is not review
        await pilot.press("escape")
        assert isinstance(review.sitting.session.phase, Asking)


async def test_too_small_a_window_says_so(opened: Opener) -> None:
    """Below 40 by 12 one sentence stands alone, and the question is back when there is room."""
    async with opened(size=(30, 8), item=DROPOUT) as pilot:
        assert "too small" in screen_text(pilot.app)
        assert "dropout" not in screen_text(pilot.app)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "dropout" in screen_text(pilot.app)
