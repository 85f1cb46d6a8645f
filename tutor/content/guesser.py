"""A guesser that knows nothing of the subject: it sees the form of the options and learns from other decks what keys look like.

What it scores above chance on a deck is what the deck gives away. The model is a conditional logit over the options of one
question, fitted by Newton's method with a ridge, leaving the deck it is asked about out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean

from tutor.content.model import Deck, Item, Library
from tutor.content.wording import absolute

FEATURES = (
    "length beside the mean", "longest", "shortest", "absolute word", "words of the stem", "words of the rivals",
    "digits", "code", "several clauses", "written first", "written last",
)  # fmt: skip
RIDGE = 4.0
"""Strength of the ridge, in squared units of a feature: a weight needs several items behind it."""
STEPS = 6
_WORD = re.compile(r"\w+")
_CLAUSE = re.compile(r"[,;:]| and | or | but | và | hoặc | ve | veya ")

Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Guessed:
    """How the guesser did on one deck in one language."""

    deck: str
    lang: str
    items: int
    score: float
    """Share it gets right when it picks each option as often as it believes in it, 0 to 1."""
    picks: float
    """Share it gets right when it always picks the option it believes in most; with few items far noisier than `score`."""
    chance: float
    """Share that blind picking gets right."""

    @property
    def above(self) -> float:
        """Score above chance, in points of a hundred."""
        return 100 * (self.score - self.chance)


@dataclass(frozen=True, slots=True)
class _Question:
    rows: tuple[Row, ...]
    key: int


def guess(library: Library, lang: str) -> Iterator[Guessed]:
    """Yield the guesser's score on each deck that has choices in `lang`, trained on the other decks that are scheduled."""
    asked = {deck.id: [question(item) for item in _choices(deck, lang)] for deck in library.decks}
    trained_on = [deck.id for deck in library.decks if not deck.as_served]
    for deck, questions in asked.items():
        others = [one for id in trained_on if id != deck for one in asked[id]]
        if not questions or not others:
            continue
        weights = fit(others)
        beliefs = [believe(weights, one.rows) for one in questions]
        yield Guessed(
            deck,
            lang,
            len(questions),
            mean(belief[one.key] for belief, one in zip(beliefs, questions, strict=True)),
            mean(_pick(belief, one.key) for belief, one in zip(beliefs, questions, strict=True)),
            mean(1 / len(one.rows) for one in questions),
        )


def question(item: Item) -> _Question:
    """Return what can be seen of a choice without understanding it."""
    lengths = [len(option.text) for option in item.options]
    words = [_words(option.text) for option in item.options]
    stem = _words(item.stem)
    rows = []
    for place, option in enumerate(item.options):
        rivals = set().union(*(words[other] for other in range(len(words)) if other != place))
        text, own = option.text, words[place]
        rows.append(
            (
                math.log(lengths[place] / mean(lengths)),
                float(lengths[place] == max(lengths) and lengths.count(max(lengths)) == 1),
                float(lengths[place] == min(lengths) and lengths.count(min(lengths)) == 1),
                float(absolute(option.text, item.lang) is not None),
                len(own & stem) / max(len(own), 1),
                len(own & rivals) / max(len(own), 1),
                float(any(sign.isdigit() for sign in text)),
                float("`" in text),
                float(bool(_CLAUSE.search(text))),
                float(place == 0),
                float(place == len(lengths) - 1),
            )
        )
    key = next(place for place, option in enumerate(item.options) if option.key in item.answer)
    return _Question(tuple(rows), key)


def fit(questions: Sequence[_Question]) -> Row:
    """Return the weights under which the keys are most likely."""
    size = len(FEATURES)
    weights: Row = (0.0,) * size
    for _ in range(STEPS):
        slope = [-RIDGE * weight for weight in weights]
        curve = [[RIDGE * (i == j) for j in range(size)] for i in range(size)]
        for one in questions:
            belief = believe(weights, one.rows)
            centre = [sum(p * row[i] for p, row in zip(belief, one.rows, strict=True)) for i in range(size)]
            for i in range(size):
                slope[i] += one.rows[one.key][i] - centre[i]
            for p, row in zip(belief, one.rows, strict=True):
                away = [value - middle for value, middle in zip(row, centre, strict=True)]
                for i, left in enumerate(away):
                    if left:
                        line, weight = curve[i], p * left
                        for j in range(i + 1):
                            line[j] += weight * away[j]
        for i in range(size):
            for j in range(i):
                curve[j][i] = curve[i][j]
        step = _solve(curve, slope)
        weights = tuple(weight + change for weight, change in zip(weights, step, strict=True))
    return weights


def believe(weights: Row, rows: Sequence[Row]) -> list[float]:
    """Return how likely each option is the key, by its form."""
    scores = [sum(w * value for w, value in zip(weights, row, strict=True)) for row in rows]
    powers = [math.exp(score - max(scores)) for score in scores]
    return [power / sum(powers) for power in powers]


def _pick(belief: Sequence[float], key: int) -> float:
    """Return the chance that the most believed option is the key; a tie is broken blindly."""
    best = [place for place, value in enumerate(belief) if math.isclose(value, max(belief))]
    return (key in best) / len(best)


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return x of matrix · x = right for a symmetric positive matrix, by elimination."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for i, pivot in enumerate(rows):
        for below in rows[i + 1 :]:
            factor = below[i] / pivot[i]
            for j in range(i, len(pivot)):
                below[j] -= factor * pivot[j]
    found = [0.0] * len(rows)
    for i in reversed(range(len(rows))):
        found[i] = (rows[i][-1] - sum(rows[i][j] * found[j] for j in range(i + 1, len(rows)))) / rows[i][i]
    return found


def _choices(deck: Deck, lang: str) -> list[Item]:
    return [item for item in deck.items if item.kind == "choice" and item.lang == lang]


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text) if len(word) > 3}
