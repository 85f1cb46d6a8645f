"""Above a week's stability the options wait until the learner has answered to himself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.learning.making import card
from tests.learning.test_choosing import due, table
from tests.support import choice
from tutor.learning import moves
from tutor.learning.world import Rules

RULES = Rules(confidence=False, lab="off")


@pytest.mark.parametrize(
    ("stability", "wished", "hidden"), [(7.1, True, True), (7.0, True, False), (30.0, False, False)]
)
def test_options_hide_above_a_week_where_that_is_wished(stability: float, wished: bool, hidden: bool) -> None:
    """A week and not a day less; never against the setting; a new item shows its options at once."""
    held = due("a-1", memory=card(stability).memory)
    at = table(choice("a-1", "a"), cards=(held,), rules=replace(RULES, recall_first=wished))
    assert at.session.phase.question.hidden == hidden
    assert not table(choice("a-1", "a"), rules=RULES).session.phase.question.hidden


def test_revealing_changes_nothing_else() -> None:
    """The order of the options and the time since the question appeared stay."""
    at = table(choice("a-1", "a"), cards=(due("a-1", memory=card(30.0).memory),), rules=RULES)
    before = at.session.phase
    at.clock.pass_seconds(5)
    at.move(moves.Reveal)
    assert at.session.phase == replace(before, question=replace(before.question, hidden=False))
