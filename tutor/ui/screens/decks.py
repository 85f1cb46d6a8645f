"""The decks: what waits in each, how well it would be remembered, how much of it is known, and what comes next."""

from __future__ import annotations

import textwrap

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tutor.i18n import _
from tutor.study.curriculum import Curriculum, DeckStanding, curriculum
from tutor.study.values import short_day
from tutor.ui.actions import hints
from tutor.ui.progress import bar
from tutor.ui.screens.today import BAR
from tutor.ui.theme import QUIET, STRONG
from tutor.ui.widgets.choices import Choices
from tutor.ui.widgets.frame import FrameScreen
from tutor.ui.wrapping import APART

TITLE = 28
"""Columns of a title where a bar stands beside it."""
ROOMY = 70
"""Columns from which a row has room for a bar and for what comes next."""


class DecksScreen(FrameScreen):
    """A list to choose a deck from."""

    def compose_body(self) -> ComposeResult:
        """Add the list."""
        yield Choices(id="decks", markup=False)

    def on_mount(self) -> None:
        """Put the cursor into the list."""
        self.query_one(Choices).focus()

    def on_screen_resume(self) -> None:
        """Read the figures when the screen is shown, and again coming back from a sitting."""
        self.refresh_frame()

    def refresh_frame(self) -> None:
        """Read and paint the figures at the present width."""
        if self.is_mounted:
            found = curriculum(self.app.desk)
            self.show(_("decks"), Content(head(found)), _("↑ ↓ choose") + APART + hints(("open_deck", "back", "help")))
            self.query_one(Choices).fill(Option(row(one, self.size.width), id=one.deck.id) for one in found.decks)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the deck chosen by a key or the mouse."""
        self._open(event.option_id)

    def action_open_deck(self) -> None:
        """Open the deck under the cursor."""
        chosen = self.query_one(Choices).highlighted_option
        self._open(chosen.id if chosen else None)

    def _open(self, id: str | None) -> None:
        deck = self.app.desk.library.deck(id) if id else None
        if deck is not None:
            self.app.show_concepts(deck)


def head(found: Curriculum) -> str:
    """Return what the shares are of, and how much that is new the day still takes."""
    when = _("Readiness on {day}").format(day=short_day(found.interview)) if found.interview else _("Ready now")
    return f"{when} · {_('{count} new left today').format(count=found.new_left)}"


def row(one: DeckStanding, width: int) -> Content:
    """Return a deck in two lines."""
    known = sum(concept.is_known for concept in one.concepts)
    share = f"{one.waiting.readiness:>4.0%}"
    counts = _("{due} due · {new} new · {known} of {all} known").format(
        due=one.waiting.due, new=one.waiting.new, known=known, all=len(one.concepts)
    )
    if width < ROOMY:
        narrow = width - 13
        head = f" {shortened(one.deck.title, narrow):<{narrow}} "
        return Content.assemble((head, STRONG), share, ("\n" + under(counts, width - 7), QUIET))
    coming = " · " + _("next: {concept}").format(concept=one.next.concept.title) if one.next else ""
    if one.waits_for:
        coming = " · " + _("after {concept}").format(concept=one.waits_for.title)
    title = (f" {shortened(one.deck.title, TITLE):<{TITLE}} ", STRONG)
    figures = (
        f"{bar(one.waiting.readiness, BAR)} {_('{share} of {items}').format(share=share, items=one.waiting.items)}"
    )
    return Content.assemble(title, figures, ("\n" + under(counts + coming, width - 7), QUIET))


def shortened(title: str, room: int) -> str:
    """Return the title, with a sign where it had to be cut: only a deck of one's own can be so long."""
    return title if len(title) <= room else title[: room - 1] + "…"


def under(text: str, width: int) -> str:
    """Return text wrapped to stand under a title."""
    return textwrap.fill(text, width, initial_indent="   ", subsequent_indent="   ")
