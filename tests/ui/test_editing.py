"""`e` in the review, with an editor that is a real process: the new text, its errors, and the question after another rev."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
from textual.app import App

from tests.study.test_own_decks import DECK
from tests.ui.conftest import Opener, screen_text
from tutor.learning.state import Asking, Shown
from tutor.paths import Home
from tutor.ui.app import TutorApp

SIZES = pytest.mark.parametrize("size", [(80, 24), (40, 12)], ids=["80x24", "40x12"])
SCRIPT = """import sys, pathlib
path = pathlib.Path(sys.argv[-1])
path.write_text(path.read_text().replace(sys.argv[1], sys.argv[2]))
sys.exit(int(sys.argv[3]))
"""


@pytest.fixture
def path(home: Home) -> Path:
    """A deck of the learner's own, of one item."""
    file = home.decks / "mine" / "deck.toml"
    file.parent.mkdir(parents=True)
    file.write_text(DECK, encoding="utf-8")
    return file


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test has no terminal to give away."""
    monkeypatch.setattr(TutorApp, "suspend", lambda self: nullcontext())


def editor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, old: str, new: str, code: int = 0) -> None:
    """Set VISUAL to a script that replaces one text by another."""
    script = tmp_path / "editor.py"
    script.write_text(SCRIPT)
    monkeypatch.setenv("VISUAL", f"{sys.executable} {script} '{old}' '{new}' {code}")


def text(pilot) -> str:
    """Return the screen with its lines joined, as wrapping depends on the size."""
    return " ".join(screen_text(pilot.app).split())


@SIZES
async def test_the_new_text_stands_at_once(
    opened: Opener, path: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The explanation below the verdict is the one just written, and space goes on."""
    editor(monkeypatch, tmp_path, "So.", "One and one.")
    async with opened(size=size, item="mine-1") as pilot:
        await pilot.press("f2", "2", "enter")
        assert isinstance(pilot.app.screen.sitting.session.phase, Shown)
        await pilot.press("e")
        assert "One and one." in text(pilot) and "The new text is in use." in text(pilot)
        await pilot.press("space")
        assert isinstance(pilot.app.screen.sitting.session.phase, Asking)
        assert pilot.app.screen.sitting.session.answers == 1


@SIZES
async def test_an_error_is_said_with_its_line(
    opened: Opener, path: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The old text stays on the screen."""
    editor(monkeypatch, tmp_path, "rev = 1", "rev = one")
    async with opened(size=size, item="mine-1") as pilot:
        await pilot.press("f2", "2", "enter", "e")
        assert "mine/deck.toml:11: not TOML" in text(pilot)
        assert "So." in text(pilot)


@SIZES
@pytest.mark.parametrize(("key", "choice"), [("1", "keep"), ("2", "halve"), ("3", "reset"), ("escape", "keep")])
async def test_another_rev_asks_for_the_same_fact(
    opened: Opener,
    path: Path,
    size: tuple[int, int],
    key: str,
    choice: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """The question fits the least window; a digit decides, esc keeps; the verdict stands below it as it was."""
    editor(monkeypatch, tmp_path, "rev = 1", "rev = 2")
    async with opened(size=size, item="mine-1") as pilot:
        await pilot.press("f2", "2", "enter", "e")
        asked = text(pilot)
        assert "rev went from 1 to 2" in asked and "3 another: it is new again" in asked
        await pilot.press(key)
        sitting = pilot.app.screen.sitting
        assert isinstance(sitting.session.phase, Shown)
        revised = [event.data["choice"] for event in sitting.desk.store.events() if event.kind == "revised"]
        assert revised == [choice]


async def test_before_the_answer_the_file_stays_shut(
    opened: Opener, path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It shows the answer; a letter typed into an input is a letter."""
    editor(monkeypatch, tmp_path, "So.", "Never.")
    async with opened(item="rng-7f3k") as pilot:
        await pilot.press("e")
        assert "Answer first; then e opens the item" in text(pilot)
    async with opened(item="mine-1") as pilot:
        await pilot.press("e")
        assert pilot.app.screen.query_one("#number").value == "e"
    assert "Never." not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("visual", "said"),
    [
        ("no-such-editor", "cannot be started: No such file"),
        (f"{sys.executable} -c 'raise SystemExit(3)'", "ended with code 3"),
    ],
)
async def test_an_editor_that_fails(
    opened: Opener, path: Path, visual: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sentence, and the sitting goes on where it was."""
    monkeypatch.setenv("VISUAL", visual)
    async with opened(item="mine-1") as pilot:
        await pilot.press("f2", "2", "enter", "e")
        assert said in text(pilot)
        assert isinstance(pilot.app.screen.sitting.session.phase, Shown)


async def test_a_window_that_cannot_be_given_away(opened: Opener, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a browser there is no terminal for an editor: file and line are said instead."""
    monkeypatch.setattr(TutorApp, "suspend", App.suspend)
    monkeypatch.setenv("VISUAL", "vi")
    async with opened(item="mine-1") as pilot:
        await pilot.press("f2", "2", "enter", "e")
        assert "No editor can be opened in this window" in text(pilot)
