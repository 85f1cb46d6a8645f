"""What experiments say, in the language spoken: names of measures, titles of curves, heads and cells of tables, notes, refusals.

An experiment names what it measures in English, and those names are what the log and JSON keep. They are translated where they are
shown, as a whole or part by part; `experiments/words.txt` lists the wholes and the parts, with letters for the numbers in them. What is
not among them is an identifier or a term of the field, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from string import ascii_lowercase

from tutor.i18n import _, spoken_language

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w-])")
_BETWEEN = (
    "(; )",
    "(, |: )",
    "( raised | returned an object of type | needs a value | and fake tensors have only shapes| uses a tensor made .*)",
    "( / )",
    r"( \+ )",
)
"""What stands between the parts of a name; those that bind less come first."""


def said(text: str) -> str:
    """Return what an experiment says, in the language spoken."""
    if spoken_language() == "en":
        return text
    return "".join(_translated(piece) or piece for piece in pieces(text, lambda piece: bool(_translated(piece))))


def template(text: str) -> str:
    """Return a text with `{a}`, `{b}` ... for its numbers, and spaces for the underscores of a table's head."""
    letters = iter(ascii_lowercase)
    return _NUMBER.sub(lambda _match: f"{{{next(letters)}}}", text if " " in text else text.replace("_", " "))


def pieces(text: str, known: Callable[[str], bool], between: Sequence[str] = _BETWEEN) -> list[str]:
    """Return the text in pieces, what stands between them among them; what is known as a whole is not taken apart."""
    if known(text) or not between:
        return [text]
    split = re.split(between[0], text)
    return [
        one for place, part in enumerate(split) for one in ([part] if place % 2 else pieces(part, known, between[1:]))
    ]


def _translated(text: str) -> str:
    """Return the translation of a whole text with the spaces around it; empty where there is none."""
    core = text.strip()
    key = template(core)
    known = _(key)
    if not core or known == key:
        return ""
    return text.replace(core, known.format(**dict(zip(ascii_lowercase, _NUMBER.findall(core), strict=False))))
