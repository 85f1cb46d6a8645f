"""The full-screen program: which screen is open, and what outlives a screen. It holds no learning of its own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingsMap
from textual.filter import LineFilter
from textual.reactive import Initialize, Reactive
from textual.screen import Screen
from textual.theme import Theme

from tutor.content.experiments import Experiment
from tutor.content.model import Deck
from tutor.i18n import _
from tutor.learning.world import Rules
from tutor.study.desk import Desk
from tutor.ui.actions import ACTIONS, bindings, hint, place_of, wear_keys
from tutor.ui.own_keys import usable
from tutor.ui.theme import DARK, THEMES
from tutor.ui.widgets.frame import FLOOR_CSS
from tutor.ui.widgets.visible_filter import VisibleFilter

if TYPE_CHECKING:
    from tutor.study.sitting import Sitting


def _wished_theme(app: TutorApp) -> str:
    """Return the theme that the settings in force name, else the environment, else the tutor's own."""
    wished = app.desk.config.theme or os.environ.get("TEXTUAL_THEME", "")
    return wished if wished in app.available_themes else DARK.name


class TutorApp(App[None], inherit_bindings=False):
    """Opens at Today, or straight in a sitting or a quiz."""

    TITLE = "Tutor"
    theme: Reactive[str] = Reactive(Initialize(_wished_theme))  # put on later, it would have all styles read again
    BINDINGS = [Binding("ctrl+c", "help_quit", show=False, system=True)]
    ENABLE_COMMAND_PALETTE = False  # ours is bound, named and worded as every other action
    CSS = (
        "Screen { background: $background; color: $foreground; } ModalScreen { background: $background 60%; }"
        + FLOOR_CSS
    )

    def __init__(self, desk: Desk, review: Rules | None = None, quiz: Deck | None = None) -> None:
        self.desk = desk  # and with it the theme, before Textual takes its first colours from it
        super().__init__()
        self._review, self._quiz = review, quiz
        self.problem_line = ""
        self._usual = self._bindings.copy()
        self._key_faults: list[str] = []
        self.wear_settings()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Make control characters visible in whatever a widget draws, as the last line of defence."""
        return [*super().get_line_filters(), VisibleFilter()]

    @property
    def available_themes(self) -> dict[str, Theme]:
        """Textual's themes and the tutor's own, by name."""
        return {**super().available_themes, **{theme.name: theme for theme in THEMES}}

    def wear_settings(self) -> None:
        """Take the theme and the keys of the settings in force."""
        self.theme = _wished_theme(self)
        own, self._key_faults = usable(self.desk.config.keys)
        wear_keys(own)
        self._bindings = BindingsMap.merge([self._usual, BindingsMap(bindings("app"))])

    def get_default_screen(self) -> Screen[Any]:
        """Return the screen the program opens at, in the place of Textual's own, empty one, which would be painted before it."""
        self.call_after_refresh(self.desk.keep)
        self.problem_line = self._problem_line()
        if self._quiz is not None:
            from tutor.ui.screens.quiz import QuizScreen

            return QuizScreen(self._quiz)
        if self._review is not None:
            return self._sitting(self._review)
        from tutor.ui.screens.today import TodayScreen

        return TodayScreen()

    def start_review(self, rules: Rules) -> None:
        """Open a sitting."""
        self.push_screen(self._sitting(rules))

    def start_quiz(self, deck: Deck) -> None:
        """Open a quiz's sitting."""
        self.push_screen(self._sitting(self.desk.rules(), deck))

    def leave_sitting(self) -> None:
        """Close the sitting's screen: back to Today, or out where there is none below."""
        self.leave_page()

    def leave_page(self) -> None:
        """Close the screen on top, and the program with the last one."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
        else:
            self.run_worker(self.action_leave(), exclusive=True)

    def show_quizzes(self) -> None:
        """Open the list of quizzes."""
        from tutor.ui.screens.quiz import QuizListScreen

        self.push_screen(QuizListScreen([deck for deck in self.desk.library.decks if deck.quiz]))

    def show_quiz(self, deck: Deck) -> None:
        """Open a quiz's front page."""
        from tutor.ui.screens.quiz import QuizScreen

        self.push_screen(QuizScreen(deck))

    def show_decks(self) -> None:
        """Open the map of decks and concepts."""
        from tutor.ui.screens.decks import DecksScreen

        self.push_screen(DecksScreen())

    def show_concepts(self, deck: Deck) -> None:
        """Open the concepts of one deck."""
        from tutor.ui.screens.concepts import ConceptsScreen

        self.push_screen(ConceptsScreen(deck))

    def show_lab(self, concept: str = "", item: str = "") -> None:
        """Open the lab, narrowed to a concept where one is named; torch is loaded meanwhile."""
        from tutor.ui.screens.lab import LabScreen

        self.push_screen(LabScreen(concept, item))
        self.call_after_refresh(self.warm_lab)

    def show_experiment(self, experiment: Experiment, item: str = "") -> None:
        """Open one experiment of the lab."""
        from tutor.study.exploring import Exploration
        from tutor.ui.screens.experiment import ExperimentScreen

        self.push_screen(ExperimentScreen(Exploration(self.desk, experiment, item)))

    def show_source(self, experiment: Experiment) -> None:
        """Open an experiment's source at the lines that matter."""
        from tutor.ui.screens.source import SourceScreen

        self.push_screen(SourceScreen(experiment))

    def show_progress(self) -> None:
        """Open how the learner stands."""
        from tutor.ui.screens.progress import ProgressScreen

        self.push_screen(ProgressScreen())

    def show_settings(self) -> None:
        """Open the settings."""
        from tutor.ui.screens.settings import SettingsScreen

        self.push_screen(SettingsScreen())

    def show_guide(self, deck: Deck) -> None:
        """Open a deck's guide, where it has one."""
        if deck.guide is not None:
            self.show_page(f"{_('guide')} › {deck.title}", deck.guide.read_text(encoding="utf-8"), markdown=True)

    def show_page(self, title: str, text: str, markdown: bool = False) -> None:
        """Open a page to read. Its widgets are loaded when the first page is, not before the first question."""
        from tutor.ui.screens.page import PageScreen

        self.push_screen(PageScreen(title, text, markdown))

    def write_report(self) -> str:
        """Write the report beside the data and return the sentence that says where."""
        from tutor.study.reporting import write_report

        path = self.desk.home.folder / f"report-{self.desk.day()}.html"
        write_report(self.desk, path)
        return _("Report written to {path}").format(path=path)

    def action_help(self) -> None:
        """Show every action with its key, those of the screen at hand first."""
        from tutor.ui.help import help_text

        self.show_page(_("keys"), help_text(place_of(self.screen)))

    def action_help_quit(self) -> None:
        """Ctrl+C, which ends other programs and copies in an input: say what leaves this one."""
        self.notify(hint("leave", _("quit; nothing is lost")))

    async def action_leave(self) -> None:
        """Stop what runs, then leave."""
        for screen in self.screen_stack:
            sitting: Sitting | None = getattr(screen, "sitting", None)
            if sitting is not None:
                await sitting.cancel()
        await self.desk.lab.close()  # and with it a run of the lab
        self.exit()

    def action_palette(self) -> None:
        """Open the palette, unless it is open."""
        from tutor.ui.screens.palette import PaletteScreen

        if not isinstance(self.screen, PaletteScreen):
            self.push_screen(PaletteScreen(placeholder=_("Search for an action")))

    def action_change_theme(self) -> None:
        """Try themes on; the settings keep one."""
        from textual.theme import ThemeProvider

        from tutor.ui.screens.palette import PaletteScreen

        self.push_screen(PaletteScreen(providers=[ThemeProvider], placeholder=_("Search for a theme")))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Offer every action of the screen below the palette, then those of every screen."""
        here = place_of(screen)
        for action in ACTIONS:
            owner = screen if here in action.screens else self if "app" in action.screens else None
            if owner is not None and action.name != "palette":
                yield SystemCommand(_(action.label), _(action.help), getattr(owner, f"action_{action.name}"))
        yield SystemCommand(_("theme"), _("Try a theme on; the settings keep it."), self.action_change_theme)

    def warm_lab(self) -> None:
        """Start the warm worker in the background, if something may need it."""
        if self.desk.available:
            self.run_worker(self.desk.lab.warm(), group="lab", exit_on_error=False)

    def _sitting(self, rules: Rules, quiz: Deck | None = None) -> Screen[None]:
        """Return the screen of a new sitting; the lab warms up once it is painted."""
        from tutor.study.sitting import Sitting
        from tutor.ui.screens.review import ReviewScreen

        self.call_after_refresh(self.warm_lab)
        if quiz is None:
            return ReviewScreen(Sitting(self.desk, rules))
        return ReviewScreen(Sitting(self.desk, rules, "quiz", tuple(item.id for item in quiz.items)), quiz.title)

    def _problem_line(self) -> str:
        if self._key_faults:
            return f"{self.desk.home.config.name}, keys: {'; '.join(self._key_faults)}"
        theme = self.desk.config.theme
        if theme and theme not in self.available_themes:
            said = _("{file}, theme: there is no theme {name!r}; the palette shows them all.")
            return said.format(file=self.desk.home.config.name, name=theme)
        errors = [problem for problem in self.desk.problems if problem.severity == "error"]
        if not errors:
            return ""
        first = errors[0]
        more = " " + _("and {count} more").format(count=len(errors) - 1) if len(errors) > 1 else ""
        where = (
            f"{Path(first.path).parent.name}/{Path(first.path).name}:{first.line}: {first.message.rstrip('.')}{more}"
        )
        return f"{where}; {_('`tutor decks check` lists them.')}"
