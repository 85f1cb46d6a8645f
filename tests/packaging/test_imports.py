"""What may not be loaded on the way to the first question, per entry point."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("torch", "numpy", "pandas", "sqlite_utils")

UI = """
import asyncio
from tutor.clock import SystemClock
from tutor.paths import Home
from tutor.study.desk import Desk
from tutor.ui.app import TutorApp
async def first_question():
    with Desk(Home.find(), SystemClock()) as desk:
        app = TutorApp(desk, review=desk.rules())
        app.warm_lab = lambda: None
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert "Asking" in type(app.screen.sitting.session.phase).__name__
asyncio.run(first_question())
"""
PLAIN = """
import io, sys
from tutor.clock import SystemClock
from tutor.paths import Home
from tutor.plain.lines import Lines
from tutor.plain.mode import LineMode
from tutor.study.desk import Desk
from tutor.study.sitting import Sitting
with Desk(Home.find(), SystemClock()) as desk:
    LineMode(Sitting(desk, desk.rules(), "plain"), Lines(io.StringIO(""), io.StringIO())).run()
"""
DUE = """
import sys
sys.argv = ["tutor", "due"]
from tutor.cli import main
try: main()
except SystemExit: pass
"""


@pytest.mark.parametrize(
    ("entry", "also"), [(UI, ()), (PLAIN, ("textual",)), (DUE, ("textual", "jinja2"))], ids=["screen", "plain", "due"]
)
def test_the_way_to_the_first_question_is_light(entry: str, also: tuple[str, ...], tmp_path: Path) -> None:
    """No torch, numpy, pandas or sqlite_utils; line mode and the counts load no Textual either."""
    check = (
        f"import sys\nloaded = [name for name in {HEAVY + also!r} if name in sys.modules]\nassert not loaded, loaded"
    )
    run = subprocess.run(
        [sys.executable, "-c", entry + check], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "TUTOR_HOME": str(tmp_path / "h")},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-2000:]


def test_a_second_start_loads_no_reader_of_decks(tmp_path: Path) -> None:
    """What was kept at the first start is enough: no parser, no numeric family, no description of an experiment, no lab, no other screen."""
    unneeded = [f"tutor.{name}" for name in ("content.parse", "content.families", "lab.descriptions", "lab.supervisor")]
    check = f"""
import sys
loaded = [name for name in {[*unneeded, "tutor.ui.screens.today", "tutor.report"]!r} if name in sys.modules]
print(*loaded)
"""
    environ = {**os.environ, "TUTOR_HOME": str(tmp_path / "h"), "TUTOR_SEED": "1"}
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", UI + check], cwd=ROOT, capture_output=True, text=True, check=True, env=environ
        )
    assert run.stdout.strip() == ""
