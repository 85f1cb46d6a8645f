"""Numbers drawn against the slip that was made last."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.learning.test_choosing import answer, table
from tests.support import choice
from tutor.content.families import FAMILIES, draw
from tutor.content.families.family import Drawn
from tutor.learning import moves
from tutor.learning.records import History
from tutor.learning.world import Rules

slips = [(id, slip) for id, family in FAMILIES.items() for slip in family.slips]


def apart(drawn: Drawn, slip: str) -> float:
    """Return how far a slip's value lies from the answer, as a share of the larger."""
    wrong = drawn.slips.get(slip, drawn.answer)
    return abs(wrong - drawn.answer) / max(abs(wrong), abs(drawn.answer))


@pytest.mark.parametrize(("family", "slip"), slips)
def test_a_slip_shows_at_least_as_well_as_by_chance(family: str, slip: str) -> None:
    """Over many seeds the slip lies farther from the answer than in plain draws, or as far where it always does."""
    plain = sum(apart(draw(family, {}, seed), slip) for seed in range(40))
    aimed = sum(apart(draw(family, {}, seed, slip), slip) for seed in range(40))
    assert aimed >= plain - 1e-9


@given(st.sampled_from(slips), st.integers(0, 2**31))
def test_the_same_seed_draws_the_same(which: tuple[str, str], seed: int) -> None:
    """Aimed or not, what is drawn depends on family, seed and slip alone; a slip of another origin changes nothing."""
    family, slip = which
    assert draw(family, {}, seed, slip) == draw(family, {}, seed, slip)
    assert draw(family, {}, seed, "GB for GiB") == draw(family, {}, seed)


def test_a_slip_decides_the_next_numbers_until_it_is_made_no_more() -> None:
    """From the log, then from this sitting: made again it aims the retry, a right answer forgets it."""
    family = next(f for f in FAMILIES.values() if f.slips)
    slip = next(iter(family.slips))
    item = choice(
        "n-1",
        "a",
        kind="numeric",
        family=family.id,
        options=(),
        answer=(),
        tolerance=family.tolerance,
        unit=family.unit,
    )
    others = [choice(f"c-{n}", f"k{n}") for n in range(7)]
    rules = Rules(confidence=False, lab="off", new_per_day=9, first="n-1")
    at = table(item, *others, rules=rules, history=History(slips={"n-1": slip}))
    question = at.session.phase.question
    assert question.drawn == draw(family.id, {}, question.seed, slip)
    at.move(moves.Answer, raw="", value=question.drawn.slips[slip])
    assert at.session.slips == {"n-1": slip}
    at.move(moves.Continue)
    while at.session.phase.question.item.id[:3] != "n-1":
        answer(at)
    again = at.session.phase.question
    assert again.drawn == draw(family.id, {}, again.seed, slip)
    at.move(moves.Answer, raw="", value=again.drawn.answer)
    assert at.session.slips == {"n-1": ""}
