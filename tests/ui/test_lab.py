"""The lab on the screen: choosing, betting, varying, comparing, reading the source, writing a run down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from textual.widgets import Input, OptionList

from tests.ui.conftest import Opener, SharedLab, screen_text
from tutor.study.desk import Desk

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(autouse=True)
def lent(desk: Desk, shared_lab: SharedLab) -> None:
    """All tests of this module use one lab."""
    desk.__dict__["lab"] = shared_lab


async def open_experiment(pilot: Any, id: str) -> None:
    """From Today into the lab and to one experiment."""
    await pilot.press("l")
    await pilot.pause()
    options = pilot.app.screen.query_one(OptionList)
    options.highlighted = options.get_option_index(id)
    await pilot.press("enter")
    await pilot.pause()


async def run_ended(pilot: Any) -> str:
    """Wait until the run has ended, and return the screen."""
    while pilot.app.screen.exploration.running:
        await pilot.pause(0.05)
    await pilot.pause(0.1)
    return screen_text(pilot.app)


async def test_the_list_names_every_experiment_by_family(opened: Opener, desk: Desk) -> None:
    """Each has its row, what it shows and that it never ran; a sign stands at the cursor."""
    async with opened(size=(80, 200)) as pilot:
        await pilot.press("l")
        await pilot.pause()
        text = screen_text(pilot.app)
        for experiment in desk.catalogue.values():
            assert experiment.id in text
        assert "recomputation" in text and "never run here" in text
        assert text.count("›") == 1
        await pilot.press("escape")
        assert "⏎ start" in screen_text(pilot.app)


async def test_bet_run_vary_and_compare(opened: Opener, desk: Desk) -> None:
    """A bet beside what was measured, a second run with other parameters beside the first, both kept in the log."""
    async with opened(size=(120, 60)) as pilot:
        await open_experiment(pilot, "rng-replay")
        await pilot.press("b", "1")
        await pilot.pause()
        assert "1  " in screen_text(pilot.app)
        await pilot.press("1")
        await pilot.pause()
        text = await run_ended(pilot)
        assert "run 1" in text and "your bet" in text and "claims held on this machine" in text
        await pilot.press("p")
        await pilot.pause()
        pilot.app.screen.query_one("#p-p", Input).value = "0.3"
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("enter")
        text = await run_ended(pilot)
        assert "run 2" in text and "p 0.3" in text and "as it comes" in text
    runs = desk.store.runs()
    assert [run.payload["miss"] for run in runs] == [None, None]
    assert [run.payload["bet"] is None for run in runs] == [False, True]


async def test_a_parameter_out_of_range_is_said_and_nothing_runs(opened: Opener) -> None:
    """One sentence with the range, the form stays open, the cursor stands at the line; esc drops it."""
    async with opened() as pilot:
        await open_experiment(pilot, "rng-replay")
        await pilot.press("p")
        await pilot.pause()
        pilot.app.screen.query_one("#p-p", Input).value = "7"
        await pilot.press("enter")
        await pilot.pause()
        assert "p = 7.0 is out of range; it goes from 0.1 to 0.9." in screen_text(pilot.app)
        await pilot.press("escape")
        await pilot.pause()
        assert pilot.app.screen.exploration.changed == {}
        assert not pilot.app.screen.exploration.running


async def test_a_run_in_motion_is_seen_to_live(opened: Opener) -> None:
    """Its seconds count whether it speaks or not; what was said of a key meanwhile is gone when it has ended."""
    async with opened() as pilot:
        await open_experiment(pilot, "checkpoint")
        await pilot.press("enter")
        assert "running for 0 s   esc stops it" in screen_text(pilot.app)
        await pilot.press("w")
        assert "esc stops the run; when it has ended, w writes it." in screen_text(pilot.app)
        text = await run_ended(pilot)
        assert "running for" not in text and "w writes it" not in text


async def test_a_run_is_written_as_json_and_svg(opened: Opener, desk: Desk) -> None:
    """w before any run says so; after a run both files hold what was shown."""
    async with opened() as pilot:
        await open_experiment(pilot, "rng-replay")
        await pilot.press("w")
        assert "Run it first" in screen_text(pilot.app)
        await pilot.press("enter")
        await run_ended(pilot)
        await pilot.press("w")
        await pilot.pause()
    folder = desk.home.folder / "runs"
    document = json.loads(next(folder.glob("*.json")).read_text(encoding="utf-8"))
    assert document["experiment"] == "rng-replay"
    assert all(claim["passed"] for claim in document["claims"])
    assert document["series"]["not replayed"]["ys"]
    picture = ElementTree.parse(next(folder.glob("*.svg")))
    assert "".join(picture.getroot().itertext()).count("✓ held") == len(document["claims"])


async def test_the_source_marks_the_technique(opened: Opener) -> None:
    """The page opens where the marked lines are, a bar beside each."""
    async with opened() as pilot:
        await open_experiment(pilot, "rng-replay")
        await pilot.press("s")
        await pilot.pause(0.1)
        lines = screen_text(pilot.app).splitlines()
        assert any("▌" in line and "def replayed" in line for line in lines)


async def test_esc_stops_a_run(opened: Opener) -> None:
    """The run ends early and says so; nothing is kept of it, and the screen stays."""
    async with opened() as pilot:
        await open_experiment(pilot, "checkpoint")
        await pilot.press("enter")
        await pilot.pause(0.1)
        await pilot.press("escape")
        text = await run_ended(pilot)
        assert "The run ended early: cancelled." in text
        assert pilot.app.desk.store.runs() == []


@pytest.mark.parametrize("size", [(40, 12), (80, 24)])
async def test_every_lab_screen_fits(opened: Opener, size: tuple[int, int]) -> None:
    """List, experiment, form and bet show their keys at the least size."""
    async with opened(size=size) as pilot:
        await open_experiment(pilot, "rng-replay")
        assert "⏎ run" in screen_text(pilot.app)
        await pilot.press("p")
        await pilot.pause()
        assert "esc drop" in screen_text(pilot.app)
        await pilot.press("escape", "b")
        await pilot.pause()
        assert "Which bet?" in screen_text(pilot.app)


async def test_a_file_of_ones_own_is_explained(opened: Opener, tmp_path: Path) -> None:
    """A file that is missing is said; one that runs asks three bets, then shows its peak beside them."""
    file = tmp_path / "mine.py"
    file.write_text(
        "import torch\n"
        "def model(): return torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 1))\n"
        "def batch(): return torch.randn(32, 64)\n"
    )
    async with opened(size=(100, 40)) as pilot:
        await pilot.press("l")
        await pilot.pause()
        await pilot.press("e", *"nowhere.py", "enter")
        await pilot.pause()
        assert "nowhere.py: there is no such file" in screen_text(pilot.app)
        await pilot.press("e")
        await pilot.pause()
        pilot.app.screen.query_one(Input).value = str(file)
        await pilot.press("enter")
        await pilot.pause()
        while not pilot.app.screen._run.finished:
            await pilot.pause(0.1)
        await pilot.pause(0.1)
        assert "Bet 1 of 3" in screen_text(pilot.app)
        await pilot.press("1", "1", "1")
        await pilot.pause()
        text = screen_text(pilot.app)
        assert "Peak " in text and text.count("You bet") == 3


async def test_a_long_bet_can_be_read_in_the_least_window(opened: Opener) -> None:
    """The last choice of three long questions is reached with the arrows, and the source says how to go back."""
    async with opened(size=(40, 12)) as pilot:
        await open_experiment(pilot, "kv-cache")
        await pilot.press("b")
        await pilot.pause()
        assert "tokens come out" not in " ".join(screen_text(pilot.app).split())
        await pilot.press(*["down"] * 12)
        await pilot.pause()
        assert "come out?" in screen_text(pilot.app)
        await pilot.press("escape", "s")
        await pilot.pause(0.2)
        assert "esc back" in screen_text(pilot.app)
