"""Paints a question: before the answer as it is asked, after it with signs where things stood."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from tutor.content.gaps import BETWEEN
from tutor.content.model import Item
from tutor.i18n import _
from tutor.learning.state import Judged, Question
from tutor.ui.actions import keyed
from tutor.ui.entry import Entry
from tutor.ui.phases import TOGGLED
from tutor.ui.theme import KEY, QUIET, RIGHT, STRONG, WRONG
from tutor.ui.wrapping import hung

Part = tuple[str, str]


def paint_question(question: Question, width: int, entry: Entry, chosen: Sequence[str] | None = None) -> list[Content]:
    """Return the stem and what may be answered; `chosen` is an answer already given, `entry` one in the making."""
    item = question.item
    if question.hidden:
        return [Content(item.stem), Content.styled(_hidden(item), QUIET)]
    marked = entry.marked if chosen is None else tuple(chosen)
    parts: list[Part] = []
    for place, key in enumerate(question.order):
        under = item.kind in TOGGLED and chosen is None and place == entry.cursor
        text = _box(item.kind, key, marked) + item.option(key).text
        parts += [
            (f"{'›' if under else ' '}{place + 1}  ", KEY),
            (hung(text, width, 4) + "\n", STRONG if key in marked else ""),
        ]
    return [Content(item.stem), Content.assemble(*parts), Content.styled(_below(item), QUIET)]


def paint_marked(judged: Judged, width: int) -> list[Content]:
    """Return the question with its options where they stood; signs show what was chosen and what is right."""
    question, grade = judged.question, judged.grade
    keys = grade.key if isinstance(grade.key, tuple) else ()
    given = judged.given.choice or ()
    parts: list[Part] = []
    for place, key in enumerate(question.order):
        if question.item.kind == "order":
            sign, style, text = _step(key, given, keys)
        else:
            right, chosen = key in keys, key in given
            if grade.short is not None:
                right = chosen
            sign, style = ("✓", RIGHT) if right else ("✗", WRONG) if chosen else (" ", "")
            text = ""
        text += question.item.option(key).text
        parts += [(f"{sign}{place + 1}  ", style or KEY), (hung(text, width, 4) + "\n", style)]
    return [Content(question.item.stem), Content.assemble(*parts)]


def _hidden(item: Item) -> str:
    if item.kind == "explain":
        return keyed(_("Say it aloud, as to an interviewer; {go_on} shows the points of a full answer."))
    return keyed(_("Say the answer to yourself first; {go_on} shows the options."))


def _box(kind: str, key: str, marked: Sequence[str]) -> str:
    """What stands before an option: its place in the order picked, a tick, or a pointer."""
    if kind == "order":
        return f"[{marked.index(key) + 1}] " if key in marked else "[ ] "
    if kind in TOGGLED:
        return "[x] " if key in marked else "[ ] "
    return "▸ " if key in marked else ""


def _below(item: Item) -> str:
    match item.kind:
        case "numeric":
            return _("answer in {unit}").format(unit=item.unit) if item.unit else _("answer with a number")
        case "cloze":
            if len(item.gaps) == 1:
                return _("type what is missing")
            return _("type both, with {mark} between them").format(mark=BETWEEN)
        case "order":
            return _("press the digits in the right order")
        case "explain":
            return _("tick what you said")
    return ""


def _step(key: str, given: Sequence[str], keys: Sequence[str]) -> tuple[str, str, str]:
    """Return the sign, the style and the places of one step: where it was put, and by an arrow where it belongs."""
    right = keys.index(key) + 1
    if not given:
        return " ", "", f"[{right}] "
    put = given.index(key) + 1
    return ("✓", RIGHT, f"[{right}] ") if put == right else ("✗", WRONG, f"[{put}→{right}] ")
