"""Keeps every test away from the developer's own home, colours and clock."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.scopes import ByExperiment
from tests.support import FakeClock
from tutor.i18n import speak
from tutor.paths import Home, resources
from tutor.study import desk as desk_module
from tutor.study.desk import Desk, Wishes

settings.register_profile("steady", deadline=None)  # a loaded machine must not fail a property
settings.load_profile("steady")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByExperiment | None:
    """Give out tests by module and class, and all of one experiment together."""
    return ByExperiment(config, log) if config.getoption("dist") == "loadscope" else None


def pytest_collection_finish() -> None:
    """Let no later collection look at torch and thousands of tests, as the lab's worker does; ranks copy none of their pages."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Point the tutor at a folder of the test's own, whatever the environment says."""
    monkeypatch.setenv("TUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TUTOR_SEED", "7")
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    for name in ("NO_COLOR", "TUTOR_NOW", "TEXTUAL_THEME", "LC_ALL", "LANG", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("tutor.store.room.ROOM", 0)  # megabytes of zeros for each of a thousand homes


@pytest.fixture
def clock() -> FakeClock:
    """A clock that stands at a Monday morning until the test moves it."""
    return FakeClock()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A learner's folder that does not exist yet."""
    return Home(tmp_path / "home")


Furnish = Callable[..., None]
"""Lays into a home what a start keeps of the decks in each of some languages."""


@pytest.fixture(scope="session")
def furnish(tmp_path_factory: pytest.TempPathFactory) -> Furnish:
    """Lay what was read from the present decks into a home: they are read once a language, not once a test."""
    read: dict[tuple[Path, str], Path] = {}

    def lay(home: Home, *languages: str) -> None:
        decks = desk_module.resources("decks")
        for lang in languages:
            if (decks, lang) not in read:
                first = Home(tmp_path_factory.mktemp("read") / "home")
                with Desk(first, FakeClock(), Wishes(lang=lang)) as opened:
                    assert opened.library.decks
                read[decks, lang] = first.cache
            shutil.copytree(read[decks, lang], home.cache, dirs_exist_ok=True)

    return lay


@pytest.fixture
def desk(home: Home, clock: FakeClock, furnish: Furnish) -> Iterator[Desk]:
    """The real decks and catalogue over a home in which nothing was answered."""
    furnish(home, "en")
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


@pytest.fixture(scope="session")
def shelf_of_translated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the decks that speak every language."""
    shelf = tmp_path_factory.mktemp("translated") / "decks"
    shelf.mkdir()
    for path in resources("decks").iterdir():
        if path.is_file() or path.name in TRANSLATED:
            (shelf / path.name).symlink_to(path)
    return shelf


@pytest.fixture
def translated(shelf_of_translated: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Only the decks that speak every language are shipped; afterwards English is spoken."""
    shelf = shelf_of_translated
    for module in ("tutor.study.desk", "tutor.cli.decks"):
        monkeypatch.setattr(f"{module}.resources", lambda name: shelf if name == "decks" else resources(name))
    yield
    speak("en")


@pytest.fixture
def speaking(translated: None, home: Home, clock: FakeClock, lang: str, furnish: Furnish) -> Iterator[Desk]:
    """A desk that speaks `lang`, over the decks that do."""
    furnish(home, lang)
    with Desk(home, clock, Wishes(lang=lang)) as opened:
        yield opened
