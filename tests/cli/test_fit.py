"""`tutor fit` as a contract: what it prints, what it writes, and the way back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.running import tutor
from tests.study.conftest import filled
from tests.support import FakeClock
from tutor.paths import Home
from tutor.study.desk import Desk

__all__ = ["filled"]


@pytest.fixture
def folder(filled: Path, tmp_path: Path) -> Path:
    """A copy of the home with the made-up log."""
    return Path(shutil.copytree(filled, tmp_path / "copy"))


def test_fit_says_what_it_did_and_undo_puts_it_back(folder: Path) -> None:
    """A dry run writes nothing; a fit is in use and told in words; `--undo` brings the defaults back, once."""
    dry = json.loads(tutor("fit", "--dry-run", "--home", str(folder), "--json").stdout)
    assert (dry["adopted"], dry["better"], dry["present"]) == (False, True, "fsrs6-default")
    done = tutor("fit", "--home", str(folder))
    assert done.returncode == 0, done.stderr
    assert f"{dry['reviews']:,} reviews, {dry['scored']:,} of them evidence of memory" in done.stdout
    assert f"fsrs6-default -> {dry['id']}" in done.stdout
    assert done.stderr == ""
    assert in_use(folder) == dry["id"]
    undone = json.loads(tutor("fit", "--undo", "--home", str(folder), "--json").stdout)
    assert undone == {"undone": dry["id"], "present": "fsrs6-default"}
    again = tutor("fit", "--undo", "--home", str(folder))
    assert (again.returncode, again.stdout) == (1, "")
    assert "nothing to take back" in again.stderr
    assert all(finding["ok"] for finding in json.loads(tutor("doctor", "--home", str(folder), "--json").stdout))


def test_fit_on_an_empty_home_is_a_sentence(tmp_path: Path) -> None:
    """Too little to fit is no error."""
    result = tutor("fit", "--home", str(tmp_path / "new"))
    assert result.returncode == 0
    assert "None of 0 reviews repeats a card on a later day" in result.stdout
    assert tutor("fit", "--undo", "--dry-run").returncode == 2


def test_a_dry_run_reads_beside_an_open_tutor(folder: Path) -> None:
    """What only reads needs no lock; what writes says that another tutor is open."""
    with Desk(Home(folder), FakeClock()):
        assert tutor("fit", "--dry-run", "--home", str(folder)).returncode == 0
        refused = tutor("fit", "--home", str(folder))
    assert refused.returncode == 2
    assert "Another tutor is open" in refused.stderr


def in_use(folder: Path) -> str:
    """Return the id of the set in force."""
    with Desk(Home(folder), FakeClock(), read_only=True) as desk:
        return desk.store.parameters().id


def test_calibration_shows_the_fit_in_use(folder: Path) -> None:
    """One document with the rules side by side, or a table of them; on a new home a sentence."""
    tutor("fit", "--home", str(folder))
    found = json.loads(tutor("stats", "--calibration", "--home", str(folder), "--json").stdout)
    assert found["parameters"]["id"] == in_use(folder)
    assert set(found["rules"]) == {"fitted", "present", "default", "constant"}
    assert "the library's defaults" in tutor("stats", "--calibration", "--home", str(folder)).stdout
