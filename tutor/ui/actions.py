"""The one registry of actions: it feeds key bindings, the hint line, the palette and the help screen.

What is not here cannot be bound, remapped or found in the help.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual.binding import Binding


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
        """The key as it is printed."""
        return {"enter": "⏎", "question_mark": "?", "escape": "esc", "space": "space"}.get(self.key, self.key)


ACTIONS = (
    Action("start", "enter", "start", "Start today's sitting.", ("today",)),
    Action("place", "a", "place me", "Ask a dozen questions that tell where to start.", ("today",)),
    Action("quizzes", "t", "quiz", "Choose a quiz.", ("today",)),
    Action("decks", "d", "decks", "Open the map: decks and concepts, what is known and what comes next.", ("today",)),
    Action("open_deck", "enter", "open", "See the concepts of the deck under the cursor.", ("decks",)),
    Action(
        "learn",
        "enter",
        "learn",
        "Start a sitting on the concept under the cursor, or on the whole deck.",
        ("concepts",),
    ),
    Action("lab", "l", "lab", "Open the lab: every experiment, to bet on and to vary.", ("today",)),
    Action(
        "progress", "p", "progress", "See how you stand: days, retention, readiness, myths, bets, time.", ("today",)
    ),
    Action("settings", "c", "settings", "Change the settings; config.toml keeps its comments.", ("today",)),
    Action("report", "w", "write report", "Write your progress report beside your data.", ("progress",)),
    Action(
        "fit", "f", "fit", "Fit the memory model to your answers; only a better one is taken into use.", ("progress",)
    ),
    Action("save", "enter", "save", "Save the changes and obey them at once.", ("settings",)),
    Action(
        "go_on",
        "space",
        "go on",
        "Go on; show what is hidden; where several options are marked, mark the one under the cursor.",
        ("review", "explain"),
    ),
    Action("submit", "enter", "answer", "Answer, or run without a bet.", ("review",)),
    Action("unsure", "u,f2", "unsure", "Say before answering that you are not sure (F2 while typing).", ("review",)),
    Action("guess", "g,f3", "guess", "Say before answering that it is a guess (F3 while typing).", ("review",)),
    Action("dont_know", "i,f4", "I don't know", "Answer that you don't know (F4 while typing).", ("review",)),
    Action("not_now", "n", "not now", "Leave the experiment for another time.", ("review",)),
    Action(
        "undo",
        "z",
        "undo",
        "Take the last answer back, any number of times; the last step picked before that.",
        ("review",),
    ),
    Action(
        "experiment",
        "l",
        "experiment",
        "Run the experiment of this item, or open the lab at its concept.",
        ("review", "concepts"),
    ),
    Action("guide", "o", "guide", "Open the guide page of this deck.", ("review", "quiz", "concepts")),
    Action(
        "suspend", "x", "set aside", "Set this item aside; `tutor review --item ID` takes it up again.", ("review",)
    ),
    Action("flag", "f", "flag", "Flag this item with a note to its author.", ("review",)),
    Action(
        "source", "s", "source", "Read the experiment's source, the lines that matter marked.", ("review", "experiment")
    ),
    Action("open", "enter", "open", "Open the experiment under the cursor.", ("lab",)),
    Action("explain", "e", "explain a file", "Explain the memory of a training step of your own.", ("lab",)),
    Action("run", "enter", "run", "Run the experiment with the settings shown.", ("experiment",)),
    Action("bet", "b", "bet and run", "Lay a bet, then run.", ("experiment",)),
    Action("parameters", "p", "parameters", "Change the parameters of the next run.", ("experiment",)),
    Action("write", "w", "write", "Write the latest run as JSON and SVG beside your data.", ("experiment",)),
    Action("preview", "v", "preview", "All questions of the quiz with their options, without answers.", ("quiz",)),
    Action("take", "enter", "take it", "Take the quiz.", ("quiz",)),
    Action(
        "back",
        "escape",
        "back",
        "Go back, or skip the step at hand; nothing is lost.",
        ("review", "quiz", "page", "lab", "experiment", "explain", "progress", "settings", "decks", "concepts"),
    ),
    Action(
        "help",
        "question_mark",
        "help",
        "Show every key.",
        ("today", "review", "quiz", "lab", "experiment", "explain", "progress", "settings", "decks", "concepts"),
    ),
)


def bindings(screen: str) -> list[Binding | tuple[str, str] | tuple[str, str, str]]:
    """Return the bindings of a screen; the app's keymap lays the learner's own keys over them, by action name."""
    return [
        Binding(action.key, action.name, action.label, tooltip=action.help, show=False, id=action.name)
        for action in ACTIONS
        if screen in action.screens
    ]


def named(name: str) -> Action:
    """Return the action called `name`."""
    return next(action for action in ACTIONS if action.name == name)


def hints(names: Iterable[str]) -> str:
    """Return a hint line for the actions named, in that order."""
    return "   ".join(f"{named(name).shown_key.split(',')[0]} {named(name).label}" for name in names)


def help_lines() -> list[tuple[str, str, str]]:
    """Return (screen, key, sentence) of every action, for the help screen."""
    titles = {
        "today": "Today",
        "review": "Question",
        "quiz": "Quiz",
        "page": "Page",
        "lab": "Lab",
        "experiment": "Run",
        "progress": "Progress",
        "settings": "Settings",
        "decks": "Decks",
        "concepts": "Concepts",
    }
    return [
        (
            titles[action.screens[0]],
            action.shown_key.replace(",", " or ").replace("f2", "F2").replace("f3", "F3").replace("f4", "F4"),
            action.help,
        )
        for action in ACTIONS
    ]
