"""Installs the peers of the extra `bench` into build/peers, each by itself: one that pip cannot find costs its own rows only."""

from __future__ import annotations

import subprocess
import sys
import tomllib

from tests.bench.peers import FOLDER

ROOT = FOLDER.parents[1]
QUIET = ("--quiet", "--disable-pip-version-check", "--root-user-action=ignore")


def wanted() -> list[str]:
    """Return the requirements of the extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return list(project["optional-dependencies"]["bench"])


def install(requirement: str) -> bool:
    """Install one peer with what it needs; return whether pip could."""
    where = ("--target", str(FOLDER), "--upgrade", "-c", str(ROOT / "constraints.txt"))
    command = [sys.executable, "-m", "pip", "install", *QUIET, *where, requirement]
    return subprocess.run(command, check=False).returncode == 0


if __name__ == "__main__":
    missing = [requirement for requirement in wanted() if not install(requirement)]
    for requirement in missing:
        print(f"{requirement}: pip could not install it here; the rows beside it have no peer")
    if not missing:
        (FOLDER / ".installed").touch()
