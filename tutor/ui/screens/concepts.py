"""The concepts of a deck: what each builds on, how well it is known, what is next; from here one is chosen to be learnt."""

from __future__ import annotations

import textwrap

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tutor.content.model import Deck
from tutor.i18n import _
from tutor.study.curriculum import DeckStanding, Standing, Waiting, curriculum, narrowed
from tutor.ui.actions import hints, keyed
from tutor.ui.screens.decks import head, under
from tutor.ui.theme import QUIET, STRONG
from tutor.ui.widgets.choices import Choices
from tutor.ui.widgets.frame import FrameScreen
from tutor.ui.wrapping import APART

WHOLE = "whole deck"
TITLE = 44
"""Columns of a title where there is room, so that the states stand in one column."""
TALL = 20
"""Rows from which there is room for what a concept says."""


class ConceptsScreen(FrameScreen):
    """The whole deck first, then its concepts in the order in which they build on each other; enter starts a sitting."""

    DEFAULT_CSS = """
    ConceptsScreen #about { height: 3; padding: 1 1 0 1; color: $secondary; }
    """

    def __init__(self, deck: Deck) -> None:
        super().__init__()
        self._deck = deck
        self._standing: DeckStanding | None = None
        self._new_left = 0
        self._said = ""

    def compose_body(self) -> ComposeResult:
        """Add the list, and below it what the concept under the cursor says."""
        yield Choices(id="concepts", markup=False)
        yield Static(id="about", markup=False)

    def on_mount(self) -> None:
        """Put the cursor into the list."""
        self.query_one(Choices).focus()

    def on_screen_resume(self) -> None:
        """Read the figures when the screen is shown, and again coming back from a sitting."""
        self._said = ""
        self.refresh_frame()

    def refresh_frame(self) -> None:
        """Read and paint the figures at the present width."""
        if not self.is_mounted:
            return
        found = curriculum(self.app.desk)
        self._new_left = found.new_left
        self._standing = one = next((each for each in found.decks if each.deck.id == self._deck.id), None)
        if one is None:  # edited meanwhile into something that cannot be read
            self.query_one(Choices).clear_options()
            self.show(
                self._deck.title,
                Content(_("Nothing of this deck can be read; `tutor decks check` says why.")),
                hints(("back",)),
            )
            return
        keys = _("↑ ↓ choose") + APART + hints(("learn", "guide", "experiment", "back", "help"))
        self.show(
            f"{_('decks')} › {one.deck.title}",
            Content(head(found)),
            "\n".join(line for line in (self._said, keys) if line),
        )
        self.query_one("#about").display = self.size.height >= TALL
        self.query_one(Choices).fill(rows(one, max(30, self.size.width - 7)))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Say what the concept under the cursor says; of the whole deck, what it is about."""
        concept = self.app.desk.library.concepts.get(event.option_id or "")
        self.query_one("#about", Static).update(concept.text if concept else self._deck.blurb)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Learn what was chosen by a key or the mouse."""
        self.action_learn()

    def action_learn(self) -> None:
        """Start a sitting on the concept under the cursor, or on the whole deck; say so where nothing can be asked."""
        one = self._standing
        if one is None:
            return
        concept = next((each for each in one.concepts if each.concept.id == self._chosen), None)
        self._said = why_nothing(concept.waiting if concept else one.waiting, self._new_left)
        if self._said:
            self.refresh_frame()
            return
        rules = self.app.desk.rules()
        chosen = narrowed(rules, concept=concept.concept.id) if concept else narrowed(rules, deck=self._deck.id)
        self.app.start_review(chosen)

    def action_guide(self) -> None:
        """Open the deck's guide."""
        self.app.show_guide(self._deck)

    def action_experiment(self) -> None:
        """Open the lab at the concept under the cursor."""
        self.app.show_lab("" if self._chosen == WHOLE else self._chosen)

    @property
    def _chosen(self) -> str:
        chosen = self.query_one(Choices).highlighted_option
        return (chosen.id if chosen else None) or WHOLE


def why_nothing(waiting: Waiting, new_left: int) -> str:
    """Return why a sitting on this would ask nothing, or nothing where it would ask."""
    if waiting.due or min(waiting.new, new_left):
        return ""
    if not waiting.items:
        return _("No question asks for this yet.")
    if waiting.new:
        said = _(
            "Nothing is due here, and today's new items are used up; the settings ({settings} on Today) say how many a day."
        )
        return keyed(said)
    return _("Nothing is due here, and nothing is new.")


def rows(one: DeckStanding, width: int) -> list[Option]:
    """Return the whole deck and its concepts as options."""
    whole = Content.assemble(("  " + _("the whole deck"), STRONG), ("\n" + under(_figures(one.waiting), width), QUIET))
    upcoming = one.next
    return [
        Option(whole, id=WHOLE),
        *(Option(row(each, each is upcoming, width), id=each.concept.id) for each in one.concepts),
    ]


def row(one: Standing, upcoming: bool, width: int) -> Content:
    """Return a concept: sign, title and state, then its figures and what it builds on, the known marked."""
    sign, state = state_of(one, upcoming)
    room = width - len(state) - 6
    title = textwrap.shorten(one.concept.title, room, placeholder="…")
    before = ", ".join(f"{concept.title}{' ✓' if known else ''}" for concept, known in one.builds_on)
    about = _figures(one.waiting) + (" · " + _("builds on {concepts}").format(concepts=before) if before else "")
    return Content.assemble(
        (f" {sign} {title:<{min(room, TITLE)}} ", STRONG), state, ("\n" + under(about, width), QUIET)
    )


def state_of(one: Standing, upcoming: bool) -> tuple[str, str]:
    """Return a concept's sign and word. A share is the probability that it is known."""
    if one.is_known:
        return "✓", _("known {share:.0%}").format(share=one.known)
    if one.met:
        return "~", _("learning {share:.0%}").format(share=one.known)
    if upcoming:
        return "→", _("next")
    if not one.waiting.items:
        return "-", _("no questions")
    return ("·", _("waits")) if one.waits else ("○", _("can begin"))


def _figures(waiting: Waiting) -> str:
    if not waiting.items:
        return _("0 questions")
    return _("ready {share:.0%} of {items} · {due} due · {new} new").format(
        share=waiting.readiness, items=waiting.items, due=waiting.due, new=waiting.new
    )
