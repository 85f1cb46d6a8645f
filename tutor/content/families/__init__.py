"""Numeric families: closed forms asked with fresh numbers, each with its named slips."""

from __future__ import annotations

from collections.abc import Mapping

from tutor.content.families import (
    attention,
    inference,
    memory,
    operations,
    optimizer,
    parallelism,
    randomness,
    recomputation,
    roofline,
    sharding,
)
from tutor.content.families.family import (
    Drawn,
    Family,
    NothingToDraw,
    draw_against,
    draw_from,
    humane,
    instance,
    render,
)
from tutor.content.model import Scalar

__all__ = ["FAMILIES", "Drawn", "Family", "NothingToDraw", "draw", "humane", "instance", "render"]

_SUBJECTS = (
    memory,
    recomputation,
    randomness,
    optimizer,
    attention,
    sharding,
    parallelism,
    roofline,
    inference,
    operations,
)
FAMILIES: dict[str, Family] = {family.id: family for subject in _SUBJECTS for family in subject.FAMILIES}


def draw(family: str, params: Mapping[str, tuple[Scalar, ...]], seed: int, slip: str = "") -> Drawn:
    """Return the instance that `seed` draws; the same seed draws the same numbers on every machine.

    Where `slip` names a mistake of the family, the instance is one that shows it well (see `draw_against`).
    """
    found = FAMILIES[family]
    return draw_against(found, params, seed, slip) if slip in found.slips else draw_from(found, params, seed)
