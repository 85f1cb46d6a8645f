"""The letters of line mode: the usual ones, or the learner's own where the settings name such."""

from __future__ import annotations

from collections.abc import Mapping

Letters = Mapping[str, str]
"""The letter of each action that line mode has, by the name under which the settings know it."""

USUAL: Letters = {"undo": "z", "dont_know": "i", "unsure": "u", "guess": "g", "not_now": "n"}
END = "q"


def letters_of(keys: Mapping[str, str]) -> Letters:
    """Return the letters under the learner's own `keys`; the usual ones where two actions would have the same."""
    own = {name: letter for name in USUAL if (letter := _letter(keys.get(name, "")))}
    letters = {**USUAL, **own}
    return letters if len({END, *letters.values()}) == len(letters) + 1 else USUAL


def _letter(keys: str) -> str:
    """Return the first of the keys that can be typed into a line, or nothing."""
    return next((key for key in (key.strip() for key in keys.split(",")) if len(key) == 1 and key.isalpha()), "")
