"""What the tutor is only measured beside never becomes a part of it."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.bench.install import wanted
from tests.bench.peer_file import measure

ROOT = Path(__file__).resolve().parents[2]


def test_peers_are_an_extra_of_their_own_and_pinned() -> None:
    """Anki is AGPL: neither the product nor what `make` installs asks for it, and what is measured is one known version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    installed = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {requirement.partition(">")[0] for requirement in wanted()}
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert names == {"anki", "fsrs-rs-python", "pandas", "tqdm"}
    assert not [one for one in installed if one.split(">")[0].split("=")[0] in names]
    assert all(f"\n{name}==" in f"\n{pinned}" for name in names)


def test_without_anki_ours_are_given_alone(monkeypatch, capsys) -> None:
    """A machine whose index has no Anki still prints our own figures, and a line that says why no ratio stands beside them."""
    monkeypatch.setattr("tests.bench.peer_file.installed", lambda: False)
    monkeypatch.setattr("tests.bench.peer_file.ANSWERED_AT", 60)
    names = [name for name, *_ in measure((60,), rounds=1, answers=2)]
    assert len(names) == 3 and all("(no peer)" in name for name in names)
    assert "no peer" in capsys.readouterr().out
