"""Decks read again in the middle of a sitting: the new words are shown and asked, answers and counts stay."""

from __future__ import annotations

from dataclasses import replace

from tests.learning.making import card
from tests.support import FakeClock, Table, choice, library, world
from tutor.content.model import Item, Library, Option
from tutor.learning import moves
from tutor.learning.cards import Card
from tutor.learning.present import card_of
from tutor.learning.session import begin
from tutor.learning.state import Asking, Betting, Shown
from tutor.store.lazy import ByKey


def table(*items: Item) -> Table:
    """Return a table at the first question of those items."""
    return Table(begin(world(*items), FakeClock().now()))


def reworded(item: Item, **changes: object) -> Item:
    """Return the item with another explanation."""
    return replace(item, why="mended", **changes)  # type: ignore[arg-type]


def read(sat: Table, *items: Item) -> Library:
    """Let the session meet another library."""
    new = library(*items)
    sat.move(moves.Reread, library=new)
    return new


def answer(sat: Table, key: str) -> Item:
    """Answer the question at hand and return its item as it was put."""
    assert isinstance(sat.session.phase, Asking)
    item = sat.session.phase.question.item
    sat.move(moves.Answer, choice=(key,))
    return item


ITEMS = tuple(choice(f"i{n}", concept) for n, concept in enumerate("abc"))


def test_the_verdict_shows_the_new_words_and_the_answer_stays() -> None:
    """The explanation is mended in place; what was recorded is as it was."""
    sat = table(*ITEMS)
    item = answer(sat, "good")
    recorded = list(sat.effects)
    read(sat, *(reworded(one) if one.id == item.id else one for one in ITEMS))
    assert isinstance(sat.session.phase, Shown)
    assert sat.session.phase.judged.question.item.why == "mended"
    assert (sat.session.answers, sat.session.right, sat.effects) == (1, 1, recorded)


def test_a_bet_stays_open_below_the_mended_text() -> None:
    """An experiment offered after a miss is still offered."""
    sat = table(*ITEMS)
    item = answer(sat, "bad")
    assert isinstance(sat.session.phase, Betting)
    read(sat, *(reworded(one) for one in ITEMS))
    assert isinstance(sat.session.phase, Betting) and sat.session.phase.judged is not None
    assert sat.session.phase.judged.question.item == reworded(item)


def test_an_answer_that_no_longer_fits_is_shown_as_it_was_given() -> None:
    """Other options: the verdict keeps the old text, the next question is asked from the new one."""
    sat = table(*ITEMS)
    item = answer(sat, "bad")
    other = (Option("good", "right"), Option("else", "another"))
    read(sat, *(reworded(one, options=other) for one in ITEMS))
    assert isinstance(sat.session.phase, Betting) and sat.session.phase.judged is not None
    assert sat.session.phase.judged.question.item == item
    sat.move(moves.Skip)
    assert isinstance(sat.session.phase, Asking)
    assert sat.session.phase.question.item.options == other


def test_items_that_are_gone_are_not_asked() -> None:
    """Whatever still waited for them is dropped, and the sitting goes on to its end."""
    sat = table(*ITEMS)
    first = answer(sat, "good")
    read(sat, ITEMS[2])
    sat.move(moves.Continue)
    assert isinstance(sat.session.phase, Asking)
    last = answer(sat, "good")
    assert (first, last) == (ITEMS[0], ITEMS[2])
    sat.move(moves.Continue)
    assert not isinstance(sat.session.phase, Asking)


def test_undo_after_an_edit_asks_from_the_new_text() -> None:
    """The answer is taken back, and its question stands with the mended words, its options where they were."""
    sat = table(*ITEMS)
    assert isinstance(sat.session.phase, Asking)
    order = sat.session.phase.question.order
    answer(sat, "good")
    new = read(sat, *(reworded(one) for one in ITEMS))
    sat.clock.pass_seconds(30)
    sat.move(moves.Undo)
    assert isinstance(sat.session.phase, Asking)
    assert sat.session.phase.question.item.why == "mended"
    assert sat.session.phase.question.order == order
    assert sat.session.phase.since_ms == sat.clock.now().mono_ms
    assert (sat.session.answers, sat.session.world.library) == (0, new)


def test_undo_puts_a_question_anew_whose_options_changed() -> None:
    """The keys that can be answered are those of the new text."""
    sat = table(*ITEMS)
    answer(sat, "good")
    read(sat, *(reworded(one, options=(*one.options, Option("new", "more"))) for one in ITEMS))
    sat.move(moves.Undo)
    assert isinstance(sat.session.phase, Asking)
    assert sorted(sat.session.phase.question.order) == ["bad", "good", "new", "odd"]


def test_a_decision_over_the_history_holds_at_once() -> None:
    """The card left is the one the sitting goes on with; none makes the item new."""
    sat = table(*ITEMS)
    item = answer(sat, "good")
    card = sat.session.changed[item.id]
    sat.move(moves.Revised, item=item.id, card=replace(card, rev=2))
    assert sat.session.changed[item.id].rev == 2
    sat.move(moves.Revised, item=item.id, card=None)
    assert card_of(sat.session, item.id) is None


def test_a_history_begun_anew_makes_an_earlier_card_new() -> None:
    """A card of an earlier day is looked up no more, and the others are read when they are asked for, as before."""
    held = {item.id: card(item=item.id) for item in ITEMS}
    asked: list[str] = []

    def read_one(id: str) -> Card | None:
        asked.append(id)
        return held.get(id)

    place = world(*ITEMS, cards=ByKey(read_one, lambda: held))
    sat = Table(begin(replace(place, rules=replace(place.rules, first="i0")), FakeClock().now()))
    answer(sat, "good")
    asked.clear()
    sat.move(moves.Revised, item="i0", card=replace(held["i0"], rev=2))
    assert (card_of(sat.session, "i0"), sat.session.world.unseen) == (replace(held["i0"], rev=2), ())
    sat.move(moves.Revised, item="i0", card=None)
    assert asked == []
    assert (card_of(sat.session, "i0"), card_of(sat.session, "i1")) == (None, held["i1"])
    assert sat.session.world.unseen == ("i0",)
    assert len(sat.session.world.cards) == 2
