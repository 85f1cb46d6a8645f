"""The study day: the local date after the rollover hour, frozen into each event. The memory model never sees it."""

from __future__ import annotations

from datetime import date, timedelta

from tutor.clock import MICROSECONDS_PER_DAY, Instant

FAR_FORWARD_DAYS = 400
STEADY_DAYS = 7
"""How far behind the newest study day of the log the clock may fall and the day stand still."""


def study_day(now: Instant, rollover: int) -> date:
    """Return the date of the local wall clock less the rollover hour, with the offset valid at that instant."""
    return (now.local.replace(tzinfo=None) - timedelta(hours=rollover)).date()


def add_days(day: str, days: int) -> str:
    """Return the study day `days` after `day`, both as ISO dates; the calendar's last day where it would run over."""
    try:
        return (date.fromisoformat(day) + timedelta(days=days)).isoformat()
    except OverflowError:
        return date.max.isoformat()


def days_between(earlier: str, later: str) -> int:
    """Return the study days from `earlier` to `later`."""
    return (date.fromisoformat(later) - date.fromisoformat(earlier)).days


def clock_suspect(previous_us: int | None, now_us: int) -> bool:
    """Whether the clock went back at all, or leapt forward by more than 400 days, since the previous event."""
    if previous_us is None:
        return False
    return now_us < previous_us or now_us - previous_us > FAR_FORWARD_DAYS * MICROSECONDS_PER_DAY


def steady_day(own: str, newest: str) -> str:
    """Return the study day in use: `own` by the clock, but never before the log's `newest`, so that no day is lived twice.

    A clock that went back and a flight over the date line let the day stand until they have caught up. Where the newest day is more
    than a week ahead, the clock that wrote it was wrong, and the present one is believed. ISO dates; `newest` may be empty.
    """
    return newest if newest and own < newest <= add_days(own, STEADY_DAYS) else own


def clock_jump(previous_us: int | None, now_us: int) -> str:
    """Return `back` or `ahead` where the clock is suspect since `previous_us` (microseconds UTC), else nothing."""
    if previous_us is None or not clock_suspect(previous_us, now_us):
        return ""
    return "back" if now_us < previous_us else "ahead"
