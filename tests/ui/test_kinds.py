"""Steps, gaps and points by keyboard: what is pressed and what stands on the screen."""

from __future__ import annotations

import pytest

from tests.ui.conftest import Opener, screen_text
from tests.ui.test_review import place
from tutor.learning.state import Asking, Betting, Shown

ORDER, LONE, CLOZE, EXPLAIN = "act-w4ke", "opt-k5jy", "act-7hqd", "ckp-3hfj"
RIGHT = ("weights", "saved", "gradients", "moments")


def payload(pilot) -> dict:
    """Return the answer recorded."""
    return next(pilot.app.desk.store.answers()).payload


async def test_steps_are_picked_in_their_order(opened: Opener) -> None:
    """Digits number the steps, and enter answers."""
    async with opened(item=ORDER) as pilot:
        await pilot.press(*(place(pilot, key) for key in RIGHT))
        for number, text in enumerate(("[1] The weights", "[2] The activations", "[3] The gradients"), start=1):
            assert text in screen_text(pilot.app), number
        await pilot.press("enter")
        assert isinstance(pilot.app.screen.sitting.session.phase, Shown)
        assert "✓ right" in screen_text(pilot.app)
        assert payload(pilot)["choice"] == list(RIGHT)


async def test_a_picked_step_is_taken_out_and_z_takes_the_last(opened: Opener) -> None:
    """A digit again frees its step, `z` the last one; too few are no answer."""
    async with opened(item=ORDER) as pilot:
        await pilot.press(*(place(pilot, key) for key in RIGHT[:3]))
        await pilot.press(place(pilot, "weights"))
        assert "[1] The activations" in screen_text(pilot.app)
        await pilot.press("z")
        assert "[2]" not in screen_text(pilot.app)
        await pilot.press("enter")
        assert "Put all of 1 to 4 in their order." in screen_text(pilot.app)
        assert list(pilot.app.desk.store.answers()) == []


async def test_space_picks_under_the_cursor(opened: Opener) -> None:
    """Arrows and space do without digits."""
    async with opened(item=ORDER) as pilot:
        order = pilot.app.screen.sitting.session.phase.question.order
        for _ in order:
            await pilot.press("space", "down")
        await pilot.press("enter")
        assert payload(pilot)["choice"] == list(order)


async def test_a_wrong_order_names_its_first_wrong_place(opened: Opener) -> None:
    """The first wrong place in words; one key takes the answer back."""
    async with opened(item=ORDER) as pilot:
        wrong = ("weights", "saved", "moments", "gradients")
        await pilot.press(*(place(pilot, key) for key in wrong), "enter")
        assert isinstance(pilot.app.screen.sitting.session.phase, Betting)
        assert "place 3 is the first wrong" in screen_text(pilot.app)
        await pilot.press("z")
        assert isinstance(pilot.app.screen.sitting.session.phase, Asking)
        assert list(pilot.app.desk.store.answers()) == []


async def test_a_wrong_order_without_an_experiment_shows_each_place(opened: Opener) -> None:
    """Steps stay where they stood; a sign and an arrow say where each was put and where it belongs."""
    async with opened(item=LONE) as pilot:
        wrong = ("backward", "clip", "unscale", "step", "update")
        await pilot.press(*(place(pilot, key) for key in wrong), "enter")
        text = screen_text(pilot.app)
        assert "[2→3] `clip_grad_norm_" in text and "[3→2] `scaler.unscale_" in text and "[5] `scaler.update" in text
        assert text.count("✓") == 3


async def test_a_gap_is_typed(opened: Opener) -> None:
    """Letters are letters; an empty line is told; the text fills the gap."""
    async with opened(item=CLOZE) as pilot:
        await pilot.press("enter")
        assert "does not fill the gaps" in screen_text(pilot.app)
        await pilot.press(*"no", "underscore", *"grad", "enter")
        assert "✓ right" in screen_text(pilot.app)
        assert payload(pilot)["raw"] == "no_grad"


async def test_points_are_said_then_ticked(opened: Opener) -> None:
    """Space shows the points, digits tick them, and what is missing is said."""
    async with opened(item=EXPLAIN) as pilot:
        assert "Say it aloud" in screen_text(pilot.app)
        assert "The price is compute" not in screen_text(pilot.app)
        await pilot.press("space", "enter")
        assert "Tick what you said with 1 to 4" in screen_text(pilot.app)
        await pilot.press("1", "2", "3", "4", "3")
        assert screen_text(pilot.app).count("[x]") == 3
        await pilot.press("enter")
        text = " ".join(screen_text(pilot.app).split())
        assert "✓ right · 3 of 4 points" in text
        assert "Still to say: The price is compute" in text
        assert payload(pilot)["choice"] == ["saves", "replay", "same"]


@pytest.mark.parametrize("size", [(80, 24), (40, 12)], ids=["80x24", "40x12"])
@pytest.mark.parametrize("item", [ORDER, LONE, CLOZE, EXPLAIN])
async def test_everything_is_readable(opened: Opener, size: tuple[int, int], item: str) -> None:
    """Stem, steps and points stand whole at both sizes, down to the last line."""
    async with opened(size=size, item=item) as pilot:
        question = pilot.app.screen.sitting.session.phase.question
        if question.hidden:
            await pilot.press("space")
        words: set[str] = set(screen_text(pilot.app).split())
        for _ in range(16):
            await pilot.press("up" if item == CLOZE else "down")  # the input stands at the end
            await pilot.pause()
            words |= set(screen_text(pilot.app).split())
        texts = [question.item.stem, *(option.text for option in question.item.options)]
        assert {word for text in texts for word in text.split()} <= words
