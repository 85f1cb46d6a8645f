"""Run as a process of its own: answers without end and says each place only once it is durable."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

from tests.store.given import DAY, answered
from tests.support import FakeClock
from tutor.paths import Home
from tutor.store import open_store

if __name__ == "__main__":
    clock = FakeClock()
    clock.pass_seconds(int(sys.argv[2]) * 3_600)
    with open_store(Home(Path(sys.argv[1])), clock) as store:
        for number in count():
            clock.pass_seconds(1)
            device, seq = store.append("answered", answered(f"item-{number % 40}", ms=number), clock.now(), DAY)
            print(device, seq, number, flush=True)
