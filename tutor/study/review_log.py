"""The learner's own answers as a review log: what the memory model is fitted to and judged by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tutor.learning.chances import chance
from tutor.learning.reviewlog import ReviewLog, build_log
from tutor.store.read import Stored


def review_log(answers: Iterable[Stored], revisions: Iterable[Stored] = ()) -> ReviewLog:
    """Return the answers that moved a card, in the log's order, each with its q and its chance to be right by luck.

    Practice is not among them. Where an item was revised and its card begun anew, its later answers are those of another card;
    where its stability was halved they are left out, because no replay of answers alone leads to the halved value.
    """
    return _built(answers, revisions)[0]


def log_and_places(answers: Iterable[Stored], revisions: Iterable[Stored] = ()) -> tuple[ReviewLog, Mapping[str, int]]:
    """Return the log as `review_log` does, and for each item in it the card, 0 to c - 1, that its latest answer moved."""
    log, keys = _built(answers, revisions)
    begun = sorted((keys[row][1], keys[row][0], place) for place, row in enumerate(log.row[log.last].tolist()))
    return log, {item: place for _, item, place in begun}


def _built(answers: Iterable[Stored], revisions: Iterable[Stored]) -> tuple[ReviewLog, Sequence[tuple[str, int]]]:
    """Return the log, and the card of each row that it was built from: item, and how often the item was begun anew."""
    breaks = _breaks(revisions)
    rows = []
    for answer in answers:
        data = answer.payload
        begun = None if data["due"] is None else _begun(answer, breaks.get(data["item"], ()))
        if begun is not None:
            lucky = chance(data["kind"], len(data["options"]))
            rows.append(((data["item"], begun), answer.utc_us, data["rating"], data["q"], lucky, data["ms"]))
    card, utc_us, rating, q, chances, ms = zip(*rows, strict=True) if rows else ((),) * 6
    return build_log(card, utc_us, rating, q=q, chance=chances, ms=ms), card


def _breaks(revisions: Iterable[Stored]) -> dict[str, list[Stored]]:
    """Return, per item, the revisions that broke its history, in order."""
    breaks: dict[str, list[Stored]] = {}
    for revision in revisions:
        if revision.payload["choice"] != "keep":
            breaks.setdefault(revision.payload["item"], []).append(revision)
    return breaks


def _begun(answer: Stored, breaks: Sequence[Stored]) -> int | None:
    """Return how often the card was begun anew before an answer; None where it was halved since it last was."""
    begun, halved = 0, False
    for revision in breaks:
        if revision.order > answer.order:
            break
        reset = revision.payload["choice"] == "reset"
        begun, halved = begun + reset, not reset
    return None if halved else begun
