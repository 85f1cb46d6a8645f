"""Runs a command: in this process, which loads the program once for all tests, or as a shell does, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from tutor.cli.main import main
from tutor.i18n import speak

ROOT = Path(__file__).resolve().parents[2]
Finished = subprocess.CompletedProcess[str]


def tutor(*arguments: str, text: str | None = None, **environ: str) -> Finished:
    """Run a command in this process; what it does not turn into an exit code is raised here, and English is spoken after it."""
    try:
        result = CliRunner().invoke(main, arguments, input=text, env=environ, catch_exceptions=False)
    finally:
        speak("en")
    return subprocess.CompletedProcess(arguments, result.exit_code, result.stdout, result.stderr)


def tutor_apart(*arguments: str, text: str | None = None, **environ: str) -> Finished:
    """Run a command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "tutor", *arguments],
        input=text, capture_output=True, text=True, cwd=ROOT, env={**os.environ, **environ}, timeout=120, check=False,
    )  # fmt: skip
