"""The wheel carries what the repository has, and runs from an empty environment."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel with the hatchling that is installed, without a network."""
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)],
        check=True,
        capture_output=True,
    )
    return next(out.glob("*.whl"))


def test_decks_and_experiments_are_the_repositorys(wheel: Path) -> None:
    """Every tracked file below decks and experiments is in the wheel, and nothing else is."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "decks", "experiments"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    tracked = {name for name in listed.stdout.splitlines() if (ROOT / name).exists()}
    if not tracked:
        pytest.skip("not a git checkout: there is no list to compare with")
    packed = {
        name.removeprefix("tutor/_bundled/")
        for name in zipfile.ZipFile(wheel).namelist()
        if name.startswith("tutor/_bundled/")
    }
    assert packed == tracked


def test_the_wheel_runs_by_itself(wheel: Path, tmp_path: Path) -> None:
    """Unpacked where there is no checkout, `tutor decks list` shows the bundled decks; torch is not imported."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    code = (
        "import sys; sys.argv = ['tutor', 'decks', 'list']\n"
        "import tutor; assert '_bundled' not in tutor.__file__ and tutor.__file__.startswith(sys.path[0]), tutor.__file__\n"
        "from tutor.cli import main\n"
        "try: main()\n"
        "finally: assert 'torch' not in sys.modules\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r})\n{code}"],
        cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "TUTOR_HOME": str(tmp_path / "h")}, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "seed-checkpointing" in run.stdout
    assert "optimizer-state" in run.stdout
