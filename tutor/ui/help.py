"""The help screen's page: every action with its keys, those of the screen at hand first, and the names that the settings use."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from tutor.i18n import _
from tutor.ui.actions import ACTIONS, Action
from tutor.ui.keys import printed

Line = tuple[str, str, str]
"""A screen's title, the keys, what they do."""


def help_lines(here: str = "") -> list[Line]:
    """Return a line for every action, those of the screen `here` first, and those of every screen before all."""
    titles = {
        "app": _("everywhere"),
        "today": _("Today"),
        "review": _("Question"),
        "quizlist": _("Quizzes"),
        "quiz": _("Quiz"),
        "page": _("Page"),
        "source": _("source"),
        "lab": _("Lab"),
        "experiment": _("Run"),
        "progress": _("Progress"),
        "settings": _("Settings"),
        "decks": _("Decks"),
        "concepts": _("Concepts"),
        "explain": _("Lab"),
    }
    places = {action.name: _place(action, here) for action in ACTIONS}
    order = ["app", here, *titles]
    by_place = sorted(ACTIONS, key=lambda action: order.index(places[action.name]))
    return [(titles[places[action.name]], _keys(action), _(action.help)) for action in by_place]


def help_text(here: str) -> str:
    """Return the page."""
    rows = help_lines(here)
    wide = max(len(keys) for _screen, keys, _sentence in rows)
    lines = [f"{'1-9':<{wide + 2}}  {_('answer, bet or choose')}"]
    for screen, actions in groupby(rows, key=itemgetter(0)):
        lines += ["", screen, *(f"  {keys:<{wide}}  {sentence}" for _screen, keys, sentence in actions)]
    names = ", ".join(action.name for action in ACTIONS)
    return "\n".join([*lines, "", _("Names for `keys` in config.toml: {names}").format(names=f"`{names}`")])


def _place(action: Action, here: str) -> str:
    return here if here in action.screens else action.screens[0]


def _keys(action: Action) -> str:
    return _(" or ").join(printed(key) for key in action.keys) or "-"
