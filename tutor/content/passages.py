"""A passage: texts that are translated together, under one hash of their English wording.

An overlay holds them in a table of that name, with the hash as `of`. Where the hash is another, or a text is lacking, the English stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tutor.content.experiments import Experiment
from tutor.content.text import code_spans, hash_item, hash_text, normal

ABOUT = ("title", "question", "shows", "explanation")
"""The texts of an experiment as a whole, in the order they are hashed."""
FLIPS = "flips"
"""Flips have no ids: an overlay writes `[[flips]]`, and the hash says which one is meant."""


@dataclass(frozen=True)
class Passage:
    """English texts and the table of an overlay in which their translation stands."""

    table: tuple[str, ...]
    """The parts of the table's name: ("bets", "what-differs")."""
    of: str
    texts: Mapping[str, str]
    """By key, as an overlay writes them: `question`, `choices.loss`."""

    def entry(self, values: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return this passage's table in an overlay's values, fresh or stale; None where there is none."""
        if self.table == (FLIPS,):
            flips = values.get(FLIPS, [])
            written = [flip for flip in flips if isinstance(flip, dict)] if isinstance(flips, list) else []
            return next((flip for flip in written if flip.get("of") == self.of), None)
        found: Any = values
        for part in self.table:
            found = found.get(part) if isinstance(found, dict) else None
        return found if isinstance(found, dict) else None

    def said(self, values: Mapping[str, Any]) -> Mapping[str, str]:
        """Return the texts in the overlay's language where all are there and of the present wording, else the English ones."""
        entry = self.entry(values) or {}
        return {key: written(entry, key) for key in self.texts} if self.fresh(entry) else self.texts

    def fresh(self, entry: Mapping[str, Any]) -> bool:
        """Whether a translation is of the present wording and lacks no text."""
        return entry.get("of") == self.of and all(written(entry, key) for key in self.texts)

    def faults(self, entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with a translation, as a rule and the rest of a sentence about it."""
        if entry.get("of") != self.of:
            yield "W9", f"is stale: it translates {entry.get('of')!r}, the present text is {self.of!r}; renew it."
        for key, english in self.texts.items():
            text = written(entry, key)
            if not text:
                yield "W9", f"has no {key}; add it."
            elif code_spans(english) != code_spans(text):
                yield "E7", f"differs from the English one in the code spans of {key}; copy code, do not translate it."
        for key in _keys(entry):
            if key != "of" and key not in self.texts:
                yield "W9", f"has a {key} that the English one lacks; correct the key."


def written(entry: Mapping[str, Any], key: str) -> str:
    """Return a text of an overlay's table in its normal form, by its dotted key; empty where it is missing or no text."""
    outer, _dot, inner = key.partition(".")
    found = entry.get(outer)
    if inner:
        found = found.get(inner) if isinstance(found, dict) else None
    return normal(found) if isinstance(found, str) else ""


def passages(experiment: Experiment) -> Iterator[Passage]:
    """Yield all that is translated of an experiment, in the order of its file; no id, number or code is among it."""
    about = {key: normal(getattr(experiment, key)) for key in ABOUT}
    yield Passage(("about",), hash_text(*about.values()), about)
    for name, parameter in experiment.parameters.items():
        if parameter.title:
            title = normal(parameter.title)
            yield Passage(("parameters", name), hash_text(title), {"title": title})
    for id, bet in experiment.bets.items():
        yield _asked(("bets", id), bet.question, bet.choices)
    if experiment.observation:
        yield _asked(("observation",), experiment.observation.question, experiment.observation.choices)
    for flip in experiment.flips:
        yield _asked((FLIPS,), flip.question, flip.choices, flip.why)


def _asked(table: tuple[str, ...], question: str, choices: Mapping[str, str], why: str = "") -> Passage:
    question, why = normal(question), normal(why)
    options = {key: normal(text) for key, text in choices.items()}
    texts = {"question": question} | ({"why": why} if why else {})
    return Passage(
        table, hash_item(question, why, options), texts | {f"choices.{key}": text for key, text in options.items()}
    )


def _keys(entry: Mapping[str, Any]) -> Iterator[str]:
    for key, value in entry.items():
        yield from (f"{key}.{inner}" for inner in value) if isinstance(value, dict) else [key]
