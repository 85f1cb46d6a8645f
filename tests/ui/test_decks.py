"""The map on the screen: decks, concepts with what they build on, and a sitting on what was chosen."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from tests.support import FakeClock
from tests.ui.conftest import Opener, screen_text
from tutor.learning.moves import Answer
from tutor.study.curriculum import Waiting
from tutor.study.desk import Desk
from tutor.study.sitting import Sitting
from tutor.ui.screens.concepts import why_nothing
from tutor.ui.screens.review import ReviewScreen
from tutor.ui.widgets.choices import Choices


async def open_deck(pilot: Any, id: str) -> str:
    """From Today to the concepts of one deck; returns the screen."""
    await pilot.press("d")
    await pilot.pause()
    choose(pilot, id)
    await pilot.press("enter")
    await pilot.pause()
    return screen_text(pilot.app)


def choose(pilot: Any, id: str) -> None:
    """Put the cursor on a deck or a concept."""
    choices = pilot.app.screen.query_one(Choices)
    choices.highlighted = choices.get_option_index(id)


async def test_the_decks_say_what_waits_and_what_comes_next(opened: Opener, desk: Desk) -> None:
    """Each deck that is no quiz has its row; one sign stands at the cursor; esc goes back."""
    async with opened(size=(80, 30)) as pilot:
        await pilot.press("d")
        await pilot.pause()
        text = screen_text(pilot.app)
        for deck in desk.library.decks:
            assert (deck.title[:28] in text) != deck.quiz
        assert (
            "0 due · " in text
            and "next: Bytes of a tensor" in text
            and "after Bytes of a tensor" in text
            and "6 new left today" in text
        )
        assert text.count("›") == 1 and "Ready now" in text
        await pilot.press("escape")
        assert "d decks" in screen_text(pilot.app)


async def test_the_concepts_say_what_they_build_on_and_are_learnt_one_by_one(opened: Opener) -> None:
    """Signs and words for next and waits, what the concept says, and a sitting that asks of it alone."""
    async with opened(size=(80, 40)) as pilot:
        text = await open_deck(pilot, "activation-memory")
        assert "› the whole deck" in text
        assert "→ Bytes of a tensor" in text and re.search(r"→ Bytes of a tensor +next\n +ready 0% of \d", text)
        assert re.search(r"· GB and GiB +waits\n.* · builds on Bytes of a tensor$", text, re.MULTILINE)
        choose(pilot, "mem.logits")
        await pilot.pause()
        assert "fp32 logits cost 4*s*b*V" in screen_text(pilot.app)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ReviewScreen)
        assert pilot.app.screen.sitting.session.phase.question.item.concept == "mem.logits"
        await pilot.press("escape")
        await pilot.pause()
        assert "activation-memory › mem.logits" not in screen_text(pilot.app)
        assert "decks › Activation memory" in screen_text(pilot.app)


async def test_the_whole_deck_is_learnt(opened: Opener) -> None:
    """The first row narrows the sitting to the deck."""
    async with opened() as pilot:
        await open_deck(pilot, "randomness")
        await pilot.press("enter")
        await pilot.pause()
        assert pilot.app.screen.sitting.rules.decks == frozenset({"randomness"})


async def test_a_known_concept_has_its_sign(opened: Opener, desk: Desk, clock: FakeClock) -> None:
    """One right answer of four options makes it likely known, and its row says so in a sign, a word and a share."""
    sitting = Sitting(desk, replace(desk.rules(), first="rng-7f3k", confidence=False))
    sitting.send(Answer(clock.now(), choice=("mask",)))
    async with opened(size=(100, 40)) as pilot:
        text = await open_deck(pilot, "randomness")
        assert "✓ " in text and "known 7" in text


async def test_where_nothing_can_be_asked_it_is_said(opened: Opener, desk: Desk) -> None:
    """The sentence names the reason; no sitting opens."""
    object.__setattr__(desk.config, "new_per_day", 0)
    async with opened(size=(80, 24)) as pilot:
        await open_deck(pilot, "randomness")
        await pilot.press("enter")
        await pilot.pause()
        assert "today's new items are used up" in screen_text(pilot.app)
    assert why_nothing(Waiting(0, 0, 0, 0.0), 6) == "No question asks for this yet."
    assert why_nothing(Waiting(4, 0, 0, 0.9), 6) == "Nothing is due here, and nothing is new."
    assert why_nothing(Waiting(4, 1, 0, 0.9), 0) == ""


async def test_guide_and_lab_are_a_key_away(opened: Opener) -> None:
    """o opens the deck's guide, l the lab at the concept; esc comes back to the concepts."""
    async with opened() as pilot:
        await open_deck(pilot, "randomness")
        await pilot.press("o")
        await pilot.pause()
        assert "guide › " in screen_text(pilot.app)
        await pilot.press("escape")
        choose(pilot, "rng.replay")
        await pilot.press("l")
        await pilot.pause()
        assert "lab › " in screen_text(pilot.app) and "rng-replay" in screen_text(pilot.app)
        await pilot.press("escape")
        await pilot.pause()
        assert "decks › " in screen_text(pilot.app)


async def test_a_link_in_a_page_is_shown_and_opens_nothing(opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger's guide may name an address; a click on it goes nowhere."""
    asked: list[str] = []
    async with opened() as pilot:
        monkeypatch.setattr(pilot.app, "open_url", lambda url, **_: asked.append(url))
        pilot.app.show_page("guide", "[a link](https://example.org)\n", markdown=True)
        await pilot.pause()
        paragraph = pilot.app.screen.query_one("MarkdownParagraph")
        assert "a link" in screen_text(pilot.app)
        await paragraph.action_link("https://example.org")
        await pilot.click(paragraph, offset=(2, 0))
        await pilot.pause()
    assert asked == []


async def test_a_deck_that_cannot_be_read_any_more_is_said(opened: Opener, desk: Desk) -> None:
    """After an edit that broke it: one sentence, enter does nothing, esc goes back to the others."""
    async with opened() as pilot:
        await open_deck(pilot, "randomness")
        await pilot.press("o")
        decks = tuple(deck for deck in desk.library.decks if deck.id != "randomness")
        items = {id: item for id, item in desk.library.items.items() if item.deck != "randomness"}
        desk.__dict__["library"] = replace(desk.library, decks=decks, items=items)
        await pilot.press("escape", "enter")
        await pilot.pause()
        assert "Nothing of this deck can be read" in screen_text(pilot.app)
        await pilot.press("escape")
        await pilot.pause()
        assert "⏎ open" in screen_text(pilot.app)


@pytest.mark.parametrize("size", [(40, 12), (80, 24)])
async def test_both_screens_fit(opened: Opener, size: tuple[int, int]) -> None:
    """Keys, counts and the sign at the cursor are there at the least size, and no line is wider than the window."""
    async with opened(size=size) as pilot:
        await pilot.press("d")
        await pilot.pause()
        decks = screen_text(pilot.app)
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("down")
        await pilot.pause()
        concepts = screen_text(pilot.app)
        for text in (decks, concepts):
            assert "esc back" in text and "›" in text and "due" in text
        assert "⏎ open" in decks and "⏎ learn" in concepts
