"""Start: exec to first question painted, beside a bare Textual app's first paint, in interleaved pairs of processes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from statistics import median

BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("bare")
    def on_mount(self):
        self.call_after_refresh(self.exit)
Bare().run(headless=True, size=(80, 24))
"""
TUTOR = """
from tutor.clock import SystemClock
from tutor.paths import Home
from tutor.study.desk import Desk
from tutor.ui.app import TutorApp
import resource
class First(TutorApp):
    def warm_lab(self):
        self.call_after_refresh(self.exit)
with Desk(Home.find(), SystemClock()) as desk:
    First(desk, review=desk.rules()).run(headless=True, size=(80, 24))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def timed(code: str, home: str) -> tuple[float, str]:
    """Return seconds of one process and what it printed."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environ |= {
        "TUTOR_HOME": home,
        "PYTHONPYCACHEPREFIX": f"{home}/pycache",
    }  # both start compiled, as a learner's second start does
    started = time.perf_counter()
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ)
    return time.perf_counter() - started, run.stdout.strip()


def measure(pairs: int = 7) -> dict[str, float]:
    """Return the median ratio of the pairs and the peak memory in MiB of the tutor's process."""
    ratios, peak = [], 0.0
    with tempfile.TemporaryDirectory() as home:
        for code in (BARE, TUTOR):
            timed(code, home)
        for _ in range(pairs):
            bare, _ = timed(BARE, home)
            tutor, said = timed(TUTOR, home)
            ratios.append(tutor / bare)
            peak = max(peak, float(said.splitlines()[-1]))
    return {"ratio": median(ratios), "peak_mib": peak}
