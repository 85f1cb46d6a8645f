"""Where things lie."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tutor.paths import Home, resources


def test_the_folder_asked_for_wins(tmp_path: Path) -> None:
    """What the command line names stands before the environment, and that before the platform's folder."""
    asked, named = tmp_path / "asked", tmp_path / "named"
    assert Home.find(asked, {"TUTOR_HOME": str(named)}).folder == asked
    assert Home.find(None, {"TUTOR_HOME": str(named)}).folder == named


@pytest.mark.parametrize("environ", [{}, {"TUTOR_HOME": ""}])
def test_otherwise_it_is_the_platforms_data_folder(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without a wish, or with an empty one, the learner's data lies where the platform keeps data."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert Home.find(None, environ).folder == tmp_path / "tutor"


def test_a_home_may_be_written_with_a_tilde(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`~` is the user's own folder, on the command line and in the environment."""
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Home.find(Path("~/learning"), {}).folder == tmp_path / "learning"
    assert Home.find(None, {"TUTOR_HOME": "~/learning"}).folder == tmp_path / "learning"


def test_a_relative_home_is_fixed_when_it_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A later change of folder does not move the learner's data."""
    monkeypatch.chdir(tmp_path)
    assert Home.find(Path("here"), {}).folder == tmp_path / "here"


def test_everything_of_a_learner_lies_in_the_one_folder(tmp_path: Path) -> None:
    """Database, lock, device, backups and wishes are told apart and lie directly in the home."""
    home = Home(tmp_path)
    places = [home.database, home.lock, home.device, home.backups, home.config]
    assert len(set(places)) == len(places)
    assert {place.parent for place in places} == {tmp_path}


def test_the_platform_is_asked_only_where_nothing_is_named(tmp_path: Path) -> None:
    """A named home loads no platformdirs, which takes longer than the file takes to open."""
    code = (
        "import sys; from pathlib import Path; from tutor.paths import Home\n"
        f"Home.find(Path({str(tmp_path)!r}), {{}}); Home.find(None, {{'TUTOR_HOME': {str(tmp_path)!r}}})\n"
        "assert 'platformdirs' not in sys.modules\n"
        "Home.find(None, {})\n"
        "assert 'platformdirs' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).resolve().parents[1])


@pytest.mark.parametrize("name", ["decks", "experiments"])
def test_what_comes_with_the_program_is_found_in_a_checkout(name: str) -> None:
    """Decks and experiments lie at the top of the checkout and hold descriptions."""
    assert list(resources(name).rglob("*.toml"))


def test_what_is_bundled_stands_before_the_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An installed package brings its own decks and looks no further."""
    module = tmp_path / "tutor" / "paths.py"
    monkeypatch.setattr("tutor.paths.__file__", str(module))
    assert resources("decks") == tmp_path / "decks"
    (tmp_path / "tutor" / "_bundled" / "decks").mkdir(parents=True)
    assert resources("decks") == tmp_path / "tutor" / "_bundled" / "decks"
