"""The gaps of a cloze item: how they are written in a stem, and when what a learner typed fills them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

from tutor.content.model import Gap

BETWEEN = ";"
"""What stands between the answers to two gaps: a comma may be part of one."""
_NAMED = re.compile(r"\{(\w+)\}")


def named_gaps(stem: str, keys: Collection[str]) -> tuple[str, ...]:
    """Return which of `keys` a stem names as `{key}`, in the order they stand; other braces are part of some code."""
    return tuple(key for key in _NAMED.findall(stem) if key in keys)


def blanked(stem: str, gaps: Sequence[Gap]) -> str:
    """Return the stem as it is shown: a blank for each gap, numbered where there are two.

    The numbers follow the base language, whose order of the gaps a translation may turn round.
    """
    places = {gap.key: f"({place})____" if len(gaps) > 1 else "____" for place, gap in enumerate(gaps, start=1)}
    return _NAMED.sub(lambda found: places.get(found[1], found[0]), stem)


def named(stem: str, gaps: Sequence[Gap]) -> str:
    """Return a stem as its author writes it: `blanked`, turned round."""
    for place, gap in enumerate(gaps, start=1):
        blank = f"({place})____" if len(gaps) > 1 else "____"
        stem = stem.replace(blank, f"{{{gap.key}}}", 1)
    return stem


def accepted_text(gap: Gap) -> str:
    """Return the texts a gap accepts as one text, as they are hashed with the item's wording."""
    return BETWEEN.join(gap.accept)


def split_typed(text: str, gaps: Sequence[Gap]) -> tuple[str, ...] | None:
    """Return what was typed for each gap, in its normal form; None where one was left empty or there are too many."""
    parts = tuple(_plain(part) for part in (text.split(BETWEEN) if len(gaps) > 1 else [text]))
    return parts if len(parts) == len(gaps) and all(parts) else None


def fills(gap: Gap, typed: str) -> bool:
    """Whether a typed text is one of those the gap accepts."""
    return any(same(gap, typed, accepted) for accepted in gap.accept)


def slip_of(gap: Gap, typed: str) -> str | None:
    """Return the foreseen wrong answer that a typed text is, as its author wrote it, or None."""
    return next((slip for slip in gap.slips if same(gap, typed, slip)), None)


def same(gap: Gap, one: str, other: str) -> bool:
    """Whether two texts are the same answer: equal in normal form, or but for case where the gap says so and both are ASCII.

    Text beyond ASCII is never folded: Turkish and Vietnamese words change under rules made for English.
    """
    one, other = _plain(one), _plain(other)
    if one == other:
        return True
    return gap.ignore_case and one.isascii() and other.isascii() and one.casefold() == other.casefold()


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
