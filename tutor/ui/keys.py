"""Keys as the settings write them, as Textual names them, and as they are printed."""

from __future__ import annotations

import re

from textual.binding import Binding
from textual.keys import Keys, format_key, key_to_character

from tutor.i18n import _

_NAMED = frozenset(key.value for key in Keys)
_FUNCTION = re.compile(r"\bf(?=\d)")


def listed(written: str) -> tuple[str, ...]:
    """Return the keys of a list with commas, each under Textual's name for it; a comma itself is written as `comma`."""
    names = [name if len(name) == 1 else name.lower() for name in map(str.strip, written.split(",")) if name]
    return tuple(key.key for key in Binding.make_bindings([(name, "", "") for name in names]))


def is_key(key: str) -> bool:
    """Whether a terminal can send such a key: a character, or a key with a name, with ctrl, alt or shift before it."""
    last = key.rpartition("+")[2]
    sign = key_to_character(last)
    return key in _NAMED or last in _NAMED or len(last) == 1 or (sign is not None and sign.isascii())


def types(key: str) -> bool:
    """Whether the key writes a character where something is typed."""
    character = key_to_character(key)
    return character is not None and character.isprintable()


def printed(key: str) -> str:
    """Return the key as it stands in a sentence."""
    return _("space") if key == "space" else _FUNCTION.sub("F", format_key(key))
