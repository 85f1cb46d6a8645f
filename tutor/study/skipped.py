"""The rows of a review log that were left out or repaired, as counts and in words. Loads no numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from tutor.i18n import _, marked

if TYPE_CHECKING:
    from tutor.learning.reviewlog import ReviewLog

_WORDS = {
    "rating": marked("{count:,} left out for an unknown rating"),
    "time": marked("{count:,} left out without a usable time"),
    "duplicate": marked("{count:,} left out as duplicates"),
    "clock_back": marked("{count:,} kept though the clock had gone back"),
    "duration": marked("{count:,} kept without a usable duration"),
    "evidence": marked("{count:,} kept with a probability moved into its range"),
}


def skipped_counts(log: ReviewLog) -> dict[str, int]:
    """Return how many rows were left out or repaired, by cause."""
    return asdict(log.skipped)


def skipped_words(counts: Mapping[str, int]) -> str:
    """Return the counts in one line; empty where there are none."""
    return ", ".join(_(_WORDS[cause]).format(count=count) for cause, count in counts.items() if count)
