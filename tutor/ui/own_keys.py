"""What of the learner's own keys can be obeyed, and a sentence about what cannot or what it costs."""

from __future__ import annotations

from collections.abc import Mapping

from tutor.i18n import _
from tutor.ui.actions import ACTIONS, named
from tutor.ui.keys import is_key, listed, printed, types

Own = dict[str, tuple[str, ...]]


def usable(wished: Mapping[str, str]) -> tuple[Own, list[str]]:
    """Return the keys of each action that can be obeyed, and a sentence for each wish that cannot or that takes another's last key."""
    names = [action.name for action in ACTIONS]
    own: Own = {}
    faults = [_unknown(name, names) for name in wished if name not in names]
    for name in names:
        keys = listed(wished.get(name, ""))
        wrong = [key for key in keys if not is_key(key) or key.isdecimal()]
        twice = next((other for other in own if named(name).meets(named(other)) and {*keys} & {*own[other]}), "")
        letters = [key for key in keys if types(key) and named(name).screens == ("app",)]
        if letters and not wrong:
            said = _("{action}: {key} writes a character; join it with ctrl")
            faults.append(said.format(action=name, key=printed(letters[0])))
        elif wrong:
            faults.append(
                _("{action}: {key} is no key, or a digit, and digits answer").format(action=name, key=wrong[0])
            )
        elif twice:
            said = _("{action}: the key is {other} already")
            faults.append(said.format(action=name, other=twice))
        elif keys:
            own[name] = keys
    return own, [*faults, *_robbed(own)]


def _robbed(own: Own) -> list[str]:
    """Say which actions have no key left, because another has taken it."""
    said = _("{key} is {action} now; give {other} another key")
    return [
        said.format(key=printed(key), action=name, other=other.name)
        for other in ACTIONS
        if other.name not in own
        for name, keys in own.items()
        if other.meets(named(name)) and {*listed(other.key)} <= {*keys}
        for key in keys[:1]
    ]


def _unknown(name: str, names: list[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, names, n=1)
    hint = _("did you mean {near!r}?").format(near=near[0]) if near else _("the help names them all.")
    return _("there is no action {name!r}; {hint}").format(name=name, hint=hint)
