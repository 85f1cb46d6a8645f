"""Keeps every test away from the developer's own home, colours and clock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support import FakeClock
from tutor.i18n import speak
from tutor.paths import Home, resources
from tutor.study.desk import Desk, Wishes

settings.register_profile("steady", deadline=None)  # a loaded machine must not fail a property
settings.load_profile("steady")


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Point the tutor at a folder of the test's own, whatever the environment says."""
    monkeypatch.setenv("TUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TUTOR_SEED", "7")
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    for name in ("NO_COLOR", "TUTOR_NOW", "TEXTUAL_THEME", "LC_ALL", "LANG", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def clock() -> FakeClock:
    """A clock that stands at a Monday morning until the test moves it."""
    return FakeClock()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A learner's folder that does not exist yet."""
    return Home(tmp_path / "home")


@pytest.fixture
def desk(home: Home, clock: FakeClock) -> Iterator[Desk]:
    """The real decks and catalogue over an empty home."""
    with Desk(home, clock) as opened:
        yield opened


TRANSLATED = (
    "activation-memory",
    "checkpointing",
    "optimizer-state",
    "randomness",
    "seed-checkpointing",
    "seed-recomputation",
)
"""The decks that speak every language."""


@pytest.fixture
def translated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Only the decks that speak every language are shipped; afterwards English is spoken."""
    shelf = tmp_path / "decks"
    shelf.mkdir()
    for path in resources("decks").iterdir():
        if path.is_file() or path.name in TRANSLATED:
            (shelf / path.name).symlink_to(path)
    for module in ("tutor.study.desk", "tutor.cli.decks"):
        monkeypatch.setattr(f"{module}.resources", lambda name: shelf if name == "decks" else resources(name))
    yield
    speak("en")


@pytest.fixture
def speaking(translated: None, home: Home, clock: FakeClock, lang: str) -> Iterator[Desk]:
    """A desk that speaks `lang`, over the decks that do."""
    with Desk(home, clock, Wishes(lang=lang)) as opened:
        yield opened
