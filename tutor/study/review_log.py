"""The learner's own answers as a review log: what the memory model is fitted to and judged by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tutor.learning.chances import chance
from tutor.learning.reviewlog import ReviewLog, build_log
from tutor.store.read import Stored


def review_log(answers: Iterable[Stored], revisions: Iterable[Stored] = ()) -> ReviewLog:
    """Return the answers that moved a card, in the log's order, each with its q and its chance to be right by luck.

    Practice is not among them. Where an item was revised and its card begun anew, its later answers are those of another card;
    where its stability was halved they are left out, because no replay of answers alone leads to the halved value.
    """
    marks = _marks(revisions)
    rows = []
    for answer in answers:
        data = answer.payload
        if data["due"] is None:
            continue
        begun = _begun(marks.get(data["item"], {}), data["rev"])
        if begun is not None:
            rows.append(
                (
                    (data["item"], begun),
                    answer.utc_us,
                    data["rating"],
                    data["q"],
                    chance(data["kind"], len(data["options"])),
                    data["ms"],
                )
            )
    card, utc_us, rating, q, lucky, ms = zip(*rows, strict=True) if rows else ((),) * 6
    return build_log(card, utc_us, rating, q=q, chance=lucky, ms=ms)


def _marks(revisions: Iterable[Stored]) -> dict[str, dict[int, str]]:
    """Return, per item, what was chosen at each revision that broke its history."""
    marks: dict[str, dict[int, str]] = {}
    for revision in revisions:
        data = revision.payload
        if data["choice"] != "keep":
            marks.setdefault(data["item"], {})[int(data["new_rev"])] = data["choice"]
    return marks


def _begun(marks: Mapping[int, str], rev: int) -> int | None:
    """Return the revision with which the card of an answer was begun (0: the first); None where it was halved since."""
    past = {new_rev: choice for new_rev, choice in marks.items() if new_rev <= rev}
    begun = max((new_rev for new_rev, choice in past.items() if choice == "reset"), default=0)
    return None if any(new_rev > begun for new_rev in past) else begun
