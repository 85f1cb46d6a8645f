"""Answers that were given while the clock stood far ahead, and when they count as given.

A clock set years ahead writes events that would hide their cards for years. That it was wrong is known only when it comes back; then
those events count from that moment. Until then, and where it never comes back, the clock is believed: a learner may return after
two years. The log keeps what the clock said.
"""

from __future__ import annotations

from collections.abc import Iterable

from tutor.clock import MICROSECONDS_PER_DAY
from tutor.frozen import dataclass
from tutor.learning.records import Ref
from tutor.learning.studyday import FAR_FORWARD_DAYS

BELIEVED_AFTER_DAYS = 30
"""A clock that runs on for so long after a leap is right."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A time as it counts: microseconds UTC, and the study day (ISO date)."""

    utc_us: int
    study_day: str


def false_leaps(events: Iterable[tuple[Ref, int, str]]) -> dict[Ref, Reading]:
    """Return the events of false leaps with the time that counts for each, from (place, microseconds UTC, study day) in the log's order.

    A leap is more than 400 days beyond the latest time so far; it was false where a later event, within 30 days of the leap's own
    time, lies before it again. Times before that latest one are left to the memory step, for which no time has passed.
    """
    false: dict[Ref, Reading] = {}
    latest: int | None = None
    ahead: list[Ref] = []
    began = 0
    for ref, utc_us, day in events:
        if latest is not None and utc_us > latest + FAR_FORWARD_DAYS * MICROSECONDS_PER_DAY:
            began = began if ahead else utc_us
            ahead.append(ref)
            if utc_us - began <= BELIEVED_AFTER_DAYS * MICROSECONDS_PER_DAY:
                continue
        elif ahead:
            counted = Reading(max(utc_us, latest or 0), day)
            false.update(dict.fromkeys(ahead, counted))
        ahead, latest = [], max(utc_us, latest or 0)
    return false
