"""The one registry of actions: it feeds key bindings, the hint line, the palette and the help screen.

What is not here cannot be bound, remapped or found in the help.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from textual.binding import Binding

from tutor.frozen import dataclass
from tutor.i18n import _, marked
from tutor.ui.keys import listed, printed, types
from tutor.ui.wrapping import APART


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
    def keys(self) -> tuple[str, ...]:
        """The keys that do it, the one to name first: the learner's own, else the usual ones that no wish took away.

        A usual key that writes nothing stays beside letters of one's own: where a text is typed these do nothing.
        """
        taken = {key for other in _worn if other != self.name and self.meets(named(other)) for key in _worn[other]}
        usual = tuple(key for key in listed(self.key) if key not in taken)
        own = _worn.get(self.name)
        if own is None:
            return usual
        return own + tuple(key for key in usual if all(map(types, own)) and not types(key))

    @property
    def typing_keys(self) -> tuple[str, ...]:
        """Those of its keys that do it while a text is typed."""
        return tuple(key for key in self.keys if not types(key))

    def meets(self, other: Action) -> bool:
        """Whether some screen has both."""
        shared = {*self.screens} & {*other.screens}
        return bool(shared) or "app" in (*self.screens, *other.screens)


_worn: dict[str, tuple[str, ...]] = {}
"""The learner's own keys by action."""


def wear_keys(keys: Mapping[str, tuple[str, ...]]) -> None:
    """Obey and show these keys from now on in place of the usual ones; those not named are as usual."""
    _worn.clear()
    _worn.update(keys)


ACTIONS = (
    Action("start", "enter", marked("start"), marked("Start today's sitting."), ("today",)),
    Action("place", "a", marked("place me"), marked("Ask a dozen questions that tell where to start."), ("today",)),
    Action(
        "mock",
        "m",
        marked("mock"),
        marked("Ask ten sealed questions as an interview would; each is asked this once."),
        ("today",),
    ),
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
        marked("Say before answering that you are not sure."),
        ("review",),
    ),
    Action(
        "guess",
        "g,f3",
        marked("guess"),
        marked("Say before answering that it is a guess."),
        ("review",),
    ),
    Action(
        "dont_know",
        "i,f4",
        marked("I don't know"),
        marked("Answer that you don't know."),
        ("review",),
    ),
    Action("not_now", "n", marked("not now"), marked("Leave the experiment for another time."), ("review",)),
    Action(
        "undo",
        "z,ctrl+z",
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
        (
            *("review", "quizlist", "quiz", "page", "source", "lab", "experiment", "explain", "progress", "settings"),
            *("decks", "concepts", "form", "note", "wager", "samefact"),
        ),
    ),
    Action(
        "page_down",
        "space,q",
        marked("page down"),
        marked("Scroll a page down; Page Up and Down, Home and End scroll everywhere."),
        ("page", "source", "progress"),
    ),
    Action("marks", "m", marked("marked lines"), marked("Go to the lines that matter."), ("source",)),
    Action(
        "help",
        "question_mark",
        marked("help"),
        marked("Show every key."),
        (
            *("today", "review", "quizlist", "quiz", "lab", "experiment", "explain", "progress", "settings", "decks"),
            *("concepts", "source"),
        ),
    ),
    Action("palette", "ctrl+p", marked("palette"), marked("Find any action by its name, and do it."), ("app",)),
    Action("leave", "ctrl+q", marked("quit"), marked("Leave the program; nothing is lost."), ("app",)),
)
TYPED = ("settings", "form", "note", "wager")
"""Screens where letters are typed, whatever the settings make of them elsewhere."""


def bindings(screen: str) -> list[Binding]:
    """Return the bindings of a screen, with the learner's own keys."""
    return [
        Binding(key, action.name, action.label, tooltip=_(action.help), show=False, priority=screen == "app")
        for action in ACTIONS
        if screen in action.screens
        for key in action.keys
        if screen not in TYPED or not types(key) or key == "question_mark"
    ]


def place_of(screen: object) -> str:
    """Return the name under which the registry knows a screen."""
    return type(screen).__name__.removesuffix("Screen").lower()


def named(name: str) -> Action:
    """Return the action called `name`."""
    return next(action for action in ACTIONS if action.name == name)


def hints(names: Iterable[str], typing: bool = False) -> str:
    """Return a hint line for the actions named, in that order, without those that have no key; `typing` keeps letters free."""
    return APART.join(f"{key} {_(named(name).label)}" for name in names if (key := _short(name, typing)))


def hint(name: str, does: str, typing: bool = False) -> str:
    """Return a hint for an action that does something of its own here, or nothing where it has no key."""
    key = _short(name, typing)
    return f"{key} {does}" if key else ""


def keyed(sentence: str, typing: bool = False, **values: object) -> str:
    """Return a sentence with the key of each action that it names in braces; an action without a key is in the palette."""
    return sentence.format_map(_Keys(values, typing))


class _Keys(dict[str, object]):
    def __init__(self, values: Mapping[str, object], typing: bool) -> None:
        super().__init__(values)
        self._typing = typing

    def __missing__(self, name: str) -> str:
        return _short(name, self._typing) or _short("palette", typing=False)


def _short(name: str, typing: bool) -> str:
    action = named(name)
    keys = action.typing_keys if typing else action.keys
    return printed(keys[0]).replace("ctrl+", "^") if keys else ""
