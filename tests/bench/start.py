"""Start: from the command to its first question on the terminal, beside a bare Textual app, in interleaved pairs of processes."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from contextlib import suppress
from pathlib import Path
from statistics import median

BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("Bare and empty")
Bare().run()
"""
COMMANDS = {
    "bare": ([sys.executable, "-c", BARE], b"Bare"),
    "tutor": ([sys.executable, "-m", "tutor", "review"], b"unsure"),
}
"""By name: what is started, and what stands on the terminal once its first screen is painted."""
SIZE = struct.pack("HHHH", 24, 80, 0, 0)
SETTLED_S = 2.1
"""What has just changed is not kept; after this long it is."""


def started(name: str, environ: dict[str, str], awaiting: Path | None = None) -> tuple[float, float]:
    """Return the seconds until the first screen is on the terminal, and the peak memory of the process in MiB; it ends once a file is there."""
    command, awaited = COMMANDS[name]
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, SIZE)
    begun = time.perf_counter()
    child = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ, start_new_session=True)
    os.close(theirs)
    seen = b""
    while awaited not in seen:
        if not select.select([ours], [], [], 60)[0]:
            raise TimeoutError(f"{name} painted nothing: {seen[-500:]!r}")
        seen += os.read(ours, 65536)
    seconds = time.perf_counter() - begun
    while awaiting is not None and not awaiting.exists():
        time.sleep(0.05)
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)  # and with it the lab, which loads torch by now
    _, _, used = os.wait4(child.pid, 0)
    child.returncode = 0
    os.close(ours)
    return seconds, used.ru_maxrss / 1024


def measure(pairs: int = 9) -> dict[str, float]:
    """Return the median ratio of the pairs, with the decks kept and without, and the tutor's peak memory in MiB."""
    with tempfile.TemporaryDirectory() as home:
        environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environ |= {
            "TUTOR_HOME": home,
            "PYTHONPYCACHEPREFIX": f"{home}/pycache",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
        }
        for name in ("bare", "tutor"):  # all start compiled, as a learner's second start does
            started(name, environ)
        time.sleep(SETTLED_S)
        started("tutor", environ, Path(home, "cache", "decks.en.json"))  # kept after the first paint
        warm, cold, peaks = [], [], []
        for _ in range(pairs):
            bare = started("bare", environ)[0]
            seconds, peak = started("tutor", environ)
            shutil.move(Path(home, "cache"), Path(home, "aside"))
            unread = started("tutor", environ)[0]
            shutil.rmtree(Path(home, "cache"), ignore_errors=True)  # if it got as far as to keep anything
            shutil.move(Path(home, "aside"), Path(home, "cache"))
            warm.append(seconds / bare)
            cold.append(unread / bare)
            peaks.append(peak)
    return {"ratio": median(warm), "ratio_cold": median(cold), "peak_mib": max(peaks)}


if __name__ == "__main__":
    for figure, value in measure().items():
        print(f"{figure:<12} {value:.3g}")
