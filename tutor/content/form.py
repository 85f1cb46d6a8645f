"""What the form of the options gives away, in whatever language they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from statistics import mean

from tutor.content.model import Item, Option
from tutor.content.text import folded

KEY_RATIO = 1.25
"""How many times as long as its rivals a key may be."""
ECHO_LETTERS = 5
"""Letters of a word that counts when key and stem share it."""
_WORD = re.compile(r"\w+")
_FORMS: dict[str, Callable[[Option], bool]] = {
    "sentence or phrase": lambda option: option.text.rstrip().endswith((".", "!")),
    "number or words": lambda option: bool(re.match(r"[\d.,]+\s*\S*$", option.text)),
    "code or words": lambda option: option.text.startswith("`") and option.text.endswith("`"),
    "capital or not": lambda option: option.text[:1].isupper(),
    "one word or several": lambda option: len(option.text.split()) == 1,
}
"""What of an option's form can be seen at a glance."""


def form_faults(item: Item) -> Iterator[tuple[str, str]]:
    """Yield the rule and the sentence for each way in which the key of a choice stands out among its rivals."""
    if item.kind != "choice":
        return
    key = item.option(item.answer[0])
    rivals = [option for option in item.options if option is not key]
    ratio = len(key.text) / mean(len(option.text) for option in rivals)
    if ratio > KEY_RATIO:
        yield "W1", f"the key of {item.id} is {ratio:.2f} times as long as its rivals; cut it or lengthen them."
    if _echoes(item, key) > max(_echoes(item, option) for option in rivals) + 1:
        yield "W4", f"the key of {item.id} repeats more words of the stem than any rival; reword one of them."
    if len(rivals) < 2:
        return
    for words, form in _FORMS.items():
        if len({form(option) for option in rivals}) == 1 and form(key) != form(rivals[0]):
            yield "W5", f"the key of {item.id} and its rivals differ in form ({words}); write them alike."


def _echoes(item: Item, option: Option) -> int:
    """Count the words of some length that an option shares with the stem."""
    stem, words = (
        {word for word in _WORD.findall(folded(text, item.lang)) if len(word) >= ECHO_LETTERS}
        for text in (item.stem, option.text)
    )
    return len(stem & words)
