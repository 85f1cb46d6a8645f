"""The one registry of actions: it feeds key bindings, the hint line, the palette and the help screen.

What is not here cannot be bound, remapped or found in the help.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from textual.binding import Binding

from tutor.frozen import dataclass
from tutor.i18n import _, marked


@dataclass(frozen=True, slots=True)
class Action:
    """Something a learner can do, with its key, on the screens named."""

    name: str
    key: str
    label: str
    """One or two words for the hint line."""
    help: str
    """One sentence for the help screen and the palette."""
    screens: tuple[str, ...]

    @property
    def shown_key(self) -> str:
        """The key as it is printed: the learner's own where the settings name one."""
        key = _worn.get(self.name, self.key)
        return {"enter": "⏎", "question_mark": "?", "escape": "esc", "space": _("space")}.get(key, key)


_worn: dict[str, str] = {}
"""The learner's own keys by action, as Textual's keymap has them too."""


def wear_keys(keys: Mapping[str, str]) -> None:
    """Show these keys from now on in place of the usual ones; those not named are as usual."""
    _worn.clear()
    _worn.update(keys)


ACTIONS = (
    Action("start", "enter", marked("start"), marked("Start today's sitting."), ("today",)),
    Action("place", "a", marked("place me"), marked("Ask a dozen questions that tell where to start."), ("today",)),
    Action("quizzes", "t", marked("quiz"), marked("Choose a quiz."), ("today",)),
    Action(
        "decks",
        "d",
        marked("decks"),
        marked("Open the map: decks and concepts, what is known and what comes next."),
        ("today",),
    ),
    Action("open_deck", "enter", marked("open"), marked("See the concepts of the deck under the cursor."), ("decks",)),
    Action(
        "learn",
        "enter",
        marked("learn"),
        marked("Start a sitting on the concept under the cursor, or on the whole deck."),
        ("concepts",),
    ),
    Action("lab", "l", marked("lab"), marked("Open the lab: every experiment, to bet on and to vary."), ("today",)),
    Action(
        "progress",
        "p",
        marked("progress"),
        marked("See how you stand: days, retention, readiness, myths, bets, time."),
        ("today",),
    ),
    Action(
        "settings", "c", marked("settings"), marked("Change the settings; config.toml keeps its comments."), ("today",)
    ),
    Action(
        "report", "w", marked("write report"), marked("Write your progress report beside your data."), ("progress",)
    ),
    Action(
        "calibration",
        "c",
        marked("calibration"),
        marked("Hold what the memory model predicted against your answers, beside the defaults and a constant."),
        ("progress",),
    ),
    Action(
        "fit",
        "f",
        marked("fit"),
        marked("Fit the memory model to your answers; only a better one is taken into use."),
        ("progress",),
    ),
    Action("save", "enter", marked("save"), marked("Save the changes and obey them at once."), ("settings",)),
    Action(
        "go_on",
        "space",
        marked("go on"),
        marked("Go on; show what is hidden; where several options are marked, mark the one under the cursor."),
        ("review", "explain"),
    ),
    Action("submit", "enter", marked("answer"), marked("Answer, or run without a bet."), ("review",)),
    Action(
        "unsure",
        "u,f2",
        marked("unsure"),
        marked("Say before answering that you are not sure (F2 while typing)."),
        ("review",),
    ),
    Action(
        "guess",
        "g,f3",
        marked("guess"),
        marked("Say before answering that it is a guess (F3 while typing)."),
        ("review",),
    ),
    Action(
        "dont_know",
        "i,f4",
        marked("I don't know"),
        marked("Answer that you don't know (F4 while typing)."),
        ("review",),
    ),
    Action("not_now", "n", marked("not now"), marked("Leave the experiment for another time."), ("review",)),
    Action(
        "undo",
        "z",
        marked("undo"),
        marked("Take the last answer back, any number of times; the last step picked before that."),
        ("review",),
    ),
    Action(
        "experiment",
        "l",
        marked("experiment"),
        marked("Run the experiment of this item, or open the lab at its concept."),
        ("review", "concepts"),
    ),
    Action("guide", "o", marked("guide"), marked("Open the guide page of this deck."), ("review", "quiz", "concepts")),
    Action(
        "suspend",
        "x",
        marked("set aside"),
        marked("Set this item aside; `tutor review --item ID` takes it up again."),
        ("review",),
    ),
    Action(
        "edit",
        "e",
        marked("edit"),
        marked("After the answer: open this item in your editor (VISUAL or EDITOR), and read it again."),
        ("review",),
    ),
    Action("flag", "f", marked("flag"), marked("Flag this item with a note to its author."), ("review",)),
    Action(
        "source",
        "s",
        marked("source"),
        marked("Read the experiment's source, the lines that matter marked."),
        ("review", "experiment"),
    ),
    Action("open", "enter", marked("open"), marked("Open the experiment under the cursor."), ("lab",)),
    Action(
        "explain", "e", marked("explain a file"), marked("Explain the memory of a training step of your own."), ("lab",)
    ),
    Action("run", "enter", marked("run"), marked("Run the experiment with the settings shown."), ("experiment",)),
    Action("bet", "b", marked("bet and run"), marked("Lay a bet, then run."), ("experiment",)),
    Action("parameters", "p", marked("parameters"), marked("Change the parameters of the next run."), ("experiment",)),
    Action(
        "write", "w", marked("write"), marked("Write the latest run as JSON and SVG beside your data."), ("experiment",)
    ),
    Action(
        "preview",
        "v",
        marked("preview"),
        marked("All questions of the quiz with their options, without answers."),
        ("quiz",),
    ),
    Action("take", "enter", marked("take it"), marked("Take the quiz."), ("quiz",)),
    Action(
        "back",
        "escape",
        marked("back"),
        marked("Go back, or skip the step at hand; nothing is lost."),
        ("review", "quiz", "page", "lab", "experiment", "explain", "progress", "settings", "decks", "concepts"),
    ),
    Action(
        "help",
        "question_mark",
        marked("help"),
        marked("Show every key."),
        ("today", "review", "quiz", "lab", "experiment", "explain", "progress", "settings", "decks", "concepts"),
    ),
)


def bindings(screen: str) -> list[Binding | tuple[str, str] | tuple[str, str, str]]:
    """Return the bindings of a screen; the app's keymap lays the learner's own keys over them, by action name."""
    return [
        Binding(action.key, action.name, action.label, tooltip=_(action.help), show=False, id=action.name)
        for action in ACTIONS
        if screen in action.screens
    ]


def named(name: str) -> Action:
    """Return the action called `name`."""
    return next(action for action in ACTIONS if action.name == name)


def hints(names: Iterable[str]) -> str:
    """Return a hint line for the actions named, in that order."""
    return "   ".join(f"{named(name).shown_key.split(',')[0]} {_(named(name).label)}" for name in names)


def help_lines(here: str = "") -> list[tuple[str, str, str]]:
    """Return (screen, key, sentence) of every action, those of the screen `here` first."""
    titles = {
        "today": _("Today"),
        "review": _("Question"),
        "quiz": _("Quiz"),
        "page": _("Page"),
        "lab": _("Lab"),
        "experiment": _("Run"),
        "progress": _("Progress"),
        "settings": _("Settings"),
        "decks": _("Decks"),
        "concepts": _("Concepts"),
        "explain": _("Lab"),
    }
    return [
        (
            titles[here if here in action.screens else action.screens[0]],
            action.shown_key.replace(",", _(" or ")).replace("f2", "F2").replace("f3", "F3").replace("f4", "F4"),
            _(action.help),
        )
        for action in sorted(ACTIONS, key=lambda action: here not in action.screens)
    ]
