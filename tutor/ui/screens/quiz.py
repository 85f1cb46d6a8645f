"""Quizzes: the list of them, and a quiz's front page with its guide and preview."""

from __future__ import annotations

from textual.content import Content
from textual.events import Key

from tutor.content.model import Deck
from tutor.i18n import _, ngettext
from tutor.study.values import level_words
from tutor.ui.actions import hints
from tutor.ui.theme import KEY, STRONG
from tutor.ui.widgets.frame import FrameScreen
from tutor.ui.wrapping import APART, hung


class QuizListScreen(FrameScreen):
    """All quizzes; a digit opens one."""

    def __init__(self, decks: list[Deck]) -> None:
        super().__init__()
        self._decks = decks

    def on_mount(self) -> None:
        """Paint the list."""
        self.refresh_frame()

    def refresh_frame(self) -> None:
        """Paint the list."""
        if not self.is_mounted:
            return
        rows = [
            Content.assemble((f" {n}  ", KEY), hung(f"{deck.title} · {about(deck)}", self.room, 4))
            for n, deck in enumerate(self._decks, start=1)
        ]
        self.show(
            _("Quizzes"),
            Content("\n\n").join(rows),
            _("1-{last} open").format(last=len(rows)) + APART + hints(("back",)),
        )

    def take_key(self, event: Key) -> None:
        """Open the quiz at the digit pressed."""
        if event.key.isdecimal() and 0 < int(event.key) <= len(self._decks):
            event.stop()
            self.app.show_quiz(self._decks[int(event.key) - 1])


class QuizScreen(FrameScreen):
    """A quiz before it is taken: title, level, what it is about, its first question."""

    def __init__(self, deck: Deck) -> None:
        super().__init__()
        self._deck = deck

    def on_mount(self) -> None:
        """Paint the front page."""
        self.refresh_frame()

    def refresh_frame(self) -> None:
        """Paint the front page."""
        if not self.is_mounted:
            return
        deck = self._deck
        parts = [
            Content.styled(deck.title, STRONG),
            Content(about(deck) + (" · " + _("with a guide") if deck.guide else "")),
        ]
        if deck.blurb:
            parts.append(Content(deck.blurb))
        if deck.items:
            parts.append(Content(_("Question 1 of {all}: {stem}").format(all=len(deck.items), stem=deck.items[0].stem)))
        parts.append(Content(_("Answers and explanations appear as you take it; your answers are practice.")))
        self.show(_("Quiz"), Content("\n\n").join(parts), hints(("take", "preview", "guide", "back")))

    def action_take(self) -> None:
        """Take the quiz."""
        self.app.start_quiz(self._deck)

    def action_preview(self) -> None:
        """Show all stems and options, without answers."""
        self.app.show_page(f"{_('preview')} › {self._deck.title}", preview(self._deck))

    def action_guide(self) -> None:
        """Open the quiz's guide."""
        self.app.show_guide(self._deck)

    def action_back(self) -> None:
        """Return to where the quiz was chosen, or leave."""
        self.app.leave_page()


def about(deck: Deck) -> str:
    """Return a quiz's level and how many questions it has."""
    count = len(deck.items)
    return f"{level_words(deck.level)} · {ngettext('{count} question', '{count} questions', count).format(count=count)}"


def preview(deck: Deck) -> str:
    """Return every question with its options, as the page shows them before the quiz is taken."""
    blocks = []
    for place, item in enumerate(deck.items, start=1):
        options = "\n".join(f"   • {option.text}" for option in item.unspoilt)
        blocks.append(f"{place}. {item.stem}\n{options}")
    return "\n\n".join(blocks)
