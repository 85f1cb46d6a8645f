"""When a sitting should end: accuracy falls and times rise.

A stated rule of thumb, not a model: answers given tired are worth less as evidence and cost more, and the log has both signs.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

LATEST = 5
"""Answers looked at."""
MISSED = 3
"""Of these, so many missed, and a larger share than before."""
SLOWER = 1.25
"""Their median pace against the median of the earlier ones."""


def tired(paces: Sequence[tuple[bool, float]]) -> bool:
    """Whether to offer to stop, from a sitting's answers in order: (right, time over the learner's usual time for that kind)."""
    before, latest = paces[:-LATEST], paces[-LATEST:]
    if len(before) < LATEST:
        return False
    missed = sum(not right for right, _ in latest)
    missed_before = sum(not right for right, _ in before)
    slower = median(pace for _, pace in latest) >= SLOWER * median(pace for _, pace in before)
    return missed >= MISSED and missed / LATEST > missed_before / len(before) and slower
