"""Many cards' reviews as numpy columns, laid out so that a replay takes one step of all cards at a time.

Rows are ordered by step: first the first review of every card, then every second review, and so on, the cards with the most
reviews first. Step k then is one slice, and its i-th row continues the i-th row of step k - 1: a ragged batch without padding.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]
BoolArray = npt.NDArray[np.bool_]
Column = Sequence[object] | npt.NDArray[np.generic]
"""One value per review, in the order in which the answers were written."""

MICROSECONDS_PER_DAY = 86_400_000_000
_LAST_US = 253_402_300_800_000_000
"""End of the year 9999, microseconds since 1970."""
_HIGHEST_CHANCE = 0.95


@dataclass(frozen=True, slots=True)
class Skipped:
    """Rows left out, and rows kept after a repair, by reason."""

    rating: int = 0
    """Left out: a rating other than 1, 2, 3 or 4."""
    time: int = 0
    """Left out: no time, or one outside the years 1970 to 9999."""
    duplicate: int = 0
    """Left out: the same card at the same instant as an earlier row."""
    clock_back: int = 0
    """Kept with no time elapsed: earlier than an earlier row of the card."""
    duration: int = 0
    """Kept: a duration below zero or none; nothing here depends on it."""
    evidence: int = 0
    """Kept: a q or a chance outside its range, moved into it."""

    @property
    def left_out(self) -> int:
        """Rows that are not in the log."""
        return self.rating + self.time + self.duplicate


@dataclass(frozen=True, slots=True)
class ReviewLog:
    """n reviews of c cards. All columns have shape (n,) and share one order of rows (see the module)."""

    offsets: IntArray
    """(steps + 1,): step k is the rows offsets[k] to offsets[k + 1]."""
    row: IntArray
    """Place of the review in the columns the log was built from."""
    card: IntArray
    """0 to c - 1: the card's place within every step it takes part in."""
    at: FloatArray
    """Days since 1970; never falling within a card."""
    elapsed: FloatArray
    """Days since the card's previous review, not below 0; 0 for its first."""
    rating: IntArray
    q: FloatArray
    """Probability that a right answer was knowledge (see `memory.Evidence`)."""
    chance: FloatArray
    """Probability that an answer without knowledge is right: 1/m with m options, 0 where nothing can be guessed."""
    skipped: Skipped = Skipped()

    def __len__(self) -> int:
        return len(self.row)

    @property
    def cards(self) -> int:
        """Number of cards."""
        return int(self.offsets[1]) if len(self.offsets) > 1 else 0

    @property
    def right(self) -> BoolArray:
        """Whether each answer was right (a rating other than Again)."""
        return np.asarray(self.rating > 1)

    @property
    def last(self) -> IntArray:
        """(c,): the row of each card's latest review."""
        count = np.bincount(self.card, minlength=self.cards)
        return np.asarray(self.offsets[count - 1] + np.arange(self.cards))

    def scored(self, threshold_days: float) -> BoolArray:
        """Whether each review is evidence of memory: not a card's first, and not on the same day as the one before."""
        scored = self.elapsed >= threshold_days
        scored[: self.cards] = False
        return scored

    def until(self, at: float) -> ReviewLog:
        """Return the reviews before `at` (days since 1970), as the log stood then."""
        kept = np.flatnonzero(self.at < at)
        order = kept[_stable_order(self.card[kept])]
        offsets, place = _layout(self.card[order])
        rows = order[place]
        columns = {name: getattr(self, name)[rows] for name in ("row", "at", "elapsed", "rating", "q", "chance")}
        return replace(self, offsets=offsets, card=_card_column(offsets), **columns)


def build_log(
    card: Column,
    utc_us: Column,
    rating: Column,
    *,
    q: Column | None = None,
    chance: Column | None = None,
    ms: Column | None = None,
) -> ReviewLog:
    """Build a log from columns of equal length, one entry per answer, in the order in which the answers were written.

    `card` is any hashable, `utc_us` microseconds since 1970, `ms` the time an answer took. Order is by position, never by time:
    a clock that went back counts as no time at all. Rows that cannot be used are left out and counted (`ReviewLog.skipped`).
    """
    size = len(card)
    if any(len(column) != size for column in (utc_us, rating, q, chance, ms) if column is not None):
        raise ValueError("the columns of a review log differ in length")
    times, ratings = _numbers(utc_us), _numbers(rating)
    known = (ratings >= 1) & (ratings <= 4)
    known &= ratings == np.floor(ratings)
    timed = (times >= 0) & (times < _LAST_US)
    rows, codes, doubled = _in_order(card, times, known & timed)
    at, gaps, back = _gaps(codes, times[rows])
    offsets, place = _layout(codes)
    row = rows[place]
    known_by, odd_q = _within(q, row, 1.0, 1.0)
    guessed, odd_chance = _within(chance, row, 0.0, _HIGHEST_CHANCE)
    skipped = Skipped(
        rating=size - int(np.count_nonzero(known)),
        time=int(np.count_nonzero(known & ~timed)),
        duplicate=doubled,
        clock_back=back,
        duration=0 if ms is None else int(np.count_nonzero(~(_numbers(ms) >= 0))),
        evidence=odd_q + odd_chance,
    )
    return ReviewLog(
        offsets=offsets,
        row=row,
        card=_card_column(offsets),
        at=at[place],
        elapsed=gaps[place],
        rating=ratings[row].astype(np.intp),
        q=known_by,
        chance=guessed,
        skipped=skipped,
    )


def _numbers(column: Column) -> FloatArray:
    """Return a column as floats, NaN for whatever is not a number."""
    try:
        return np.asarray(column, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return np.fromiter((_number(value) for value in column), np.float64, len(column))


def _number(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return float("nan")


def _within(column: Column | None, row: IntArray, otherwise: float, high: float) -> tuple[FloatArray, int]:
    """Return the probabilities of the rows, within 0 and `high`, `otherwise` where there is none, and how many were moved."""
    if column is None:
        return np.full(len(row), otherwise), 0
    given = _numbers(column)[row]
    absent = np.isnan(given)
    moved = np.clip(np.where(absent, otherwise, given), 0.0, high)
    return moved, int(np.count_nonzero(~absent & (moved != given)))


def _codes(card: Column) -> IntArray:
    """Return a small integer per card."""
    if isinstance(card, np.ndarray) and np.issubdtype(card.dtype, np.integer) and len(card):
        low, high = int(card.min()), int(card.max())
        if high - low < 4 * len(card) + 1024:
            return (card - low).astype(np.intp)
    seen: dict[Hashable, int] = {}
    keys: Iterable[Hashable] = card.tolist() if isinstance(card, np.ndarray) else card
    return np.fromiter((seen.setdefault(key, len(seen)) for key in keys), np.intp, len(card))


def _stable_order(codes: IntArray) -> IntArray:
    """Return the stable order of small integers: 16 bits at a time numpy sorts by radix, several times faster than by comparison."""
    if not len(codes) or bool((codes[1:] >= codes[:-1]).all()):
        return np.arange(len(codes))
    order = np.argsort(codes.astype(np.uint16), kind="stable")
    if int(codes.max()) >> 16:
        order = order[np.argsort((codes >> 16).astype(np.uint16)[order], kind="stable")]
    return order


def _layout(codes: IntArray) -> tuple[IntArray, IntArray]:
    """Return the offsets of the steps, and for each place in the new order its row, for rows sorted by card."""
    count = np.bincount(codes) if len(codes) else np.zeros(0, dtype=np.intp)
    longest = np.argsort(-count, kind="stable")
    sizes = np.cumsum(np.bincount(count)[::-1])[::-1][1:] if len(count) else count  # cards with more than k reviews
    offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.intp)
    start = (np.cumsum(count) - count)[longest]
    place = np.empty(len(codes), dtype=np.intp)
    for k, size in enumerate(sizes):
        np.add(start[:size], k, out=place[offsets[k] : offsets[k + 1]])
    return offsets, place


def _card_column(offsets: IntArray) -> IntArray:
    return np.arange(offsets[-1]) - np.repeat(offsets[:-1], np.diff(offsets))


def _in_order(card: Column, times: FloatArray, usable: BoolArray) -> tuple[IntArray, IntArray, int]:
    """Return the usable rows by card and then as written, their cards' codes, and how many duplicates were left out."""
    codes = _codes(card)
    if usable.all():
        rows = _stable_order(codes)
    else:
        kept = np.flatnonzero(usable)
        rows = kept[_stable_order(codes[kept])]
    codes = codes[rows]
    twice = _duplicates(codes, times[rows])
    if twice is None:
        return rows, codes, 0
    return rows[~twice], codes[~twice], int(np.count_nonzero(twice))


def _duplicates(codes: IntArray, at: FloatArray) -> BoolArray | None:
    """Return which rows are of the same card and instant as an earlier one, wherever in the log they lie; None for none."""
    same = codes[1:] == codes[:-1]
    rises = at[1:] > at[:-1]
    if bool((rises | ~same).all()):
        return None
    order = np.lexsort((at, codes))
    twice = np.zeros(len(codes), dtype=np.bool_)
    repeated = (codes[order][1:] == codes[order][:-1]) & (at[order][1:] == at[order][:-1])
    twice[order[1:][repeated]] = True
    return twice


def _gaps(codes: IntArray, times: FloatArray) -> tuple[FloatArray, FloatArray, int]:
    """Return days since 1970 that never fall within a card, days since the card's previous row, and how often the clock fell."""
    gaps = np.diff(times, prepend=times[:1])
    gaps[1:][codes[1:] != codes[:-1]] = 0
    back = 0
    if (gaps < 0).any():
        times = times.copy()
        for code in np.unique(codes[gaps < 0]):
            low, high = np.searchsorted(codes, (code, code + 1))
            latest = np.maximum.accumulate(times[low:high])
            back += int(np.count_nonzero(times[low:high] < latest))
            times[low:high] = latest
            gaps[low + 1 : high] = np.diff(latest)
    gaps /= MICROSECONDS_PER_DAY
    return times / MICROSECONDS_PER_DAY, gaps, back
