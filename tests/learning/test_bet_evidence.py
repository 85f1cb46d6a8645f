"""Bets speak of the concept, never of the card."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.learning.test_choosing import due, table
from tests.support import choice
from tutor.learning.mastery import KNOWN, PRIOR, Mastery, with_bets
from tutor.learning.records import History, PastBet

RIGHT = PastBet("a-1", "proof", "outcome", "yes", "yes")
WRONG = PastBet(None, "proof", "outcome", "no", "yes")


@given(st.lists(st.booleans(), max_size=30))
def test_bets_alone_make_nothing_known(bets: list[bool]) -> None:
    """However many were right, an unseen concept stays below; right ones raise it, wrong ones lower it."""
    probability = with_bets(Mastery(), [("a", right) for right in bets]).probability("a")
    assert 1 - KNOWN - 0.05 < probability < KNOWN
    if bets and len(set(bets)) == 1:
        assert (probability > PRIOR) == bets[0]


def test_a_bet_counts_for_its_item_or_in_the_lab_for_the_experiment_and_moves_no_card() -> None:
    """`proof` is on `a`: right for the item's concept, wrong in the free lab; the card is what it was."""
    items, held = (choice("a-1", "a"), choice("c-1", "c")), due("a-1")
    for bets, better in (((RIGHT,), True), ((WRONG,), False)):
        at = table(*items, cards=(held,), history=History(bets=bets))
        plain = table(*items, cards=(held,))
        assert (at.session.world.mastery.probability("a") > plain.session.world.mastery.probability("a")) == better
        assert at.session.world.mastery.probability("c") == plain.session.world.mastery.probability("c")
        assert at.session.changed == {}
        assert at.session.queue == plain.session.queue


def test_a_bet_on_an_experiment_that_is_gone_says_nothing() -> None:
    """Experiments come and go; their bets stay in the log."""
    gone = History(bets=(PastBet("a-1", "elsewhere", "outcome", 1, 2), PastBet("a-1", "proof", "other", 1, 2)))
    assert table(choice("a-1", "a"), history=gone).session.world.mastery.probability("a") == PRIOR
