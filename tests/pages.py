"""Writes the pages of `docs/` that list what the product holds: `python -m tests.pages docs`. A test compares them."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path

from tutor.content.experiments import Experiment
from tutor.content.facts import rests_on
from tutor.content.guesser import Guessed, guess
from tutor.content.load import load_library
from tutor.content.model import BASE, Concept, Deck, Item, Library
from tutor.i18n import LANGUAGES
from tutor.lab.catalogue import load_catalogue
from tutor.paths import resources

HEAD = """# The experiments

Each runs from the lab (`l`), after a miss, as `tutor lab run ID`, or alone from a clone with `python -m`. Bytes, FLOPs, counts and phases are claimed
and repeat to the last digit; wall time is shown and never claimed. Measured on CPU builds of torch 2.13; untested on CUDA, macOS and Windows.
A run whose claims do not hold says *not shown on this machine*. This page is written by `make docs`.
"""


def experiments_page(catalogue: Mapping[str, Experiment]) -> str:
    """Return the page that lists every experiment by family, with its bets."""
    parts = [HEAD]
    for family, members in groupby(catalogue.values(), key=lambda experiment: experiment.family):
        parts.append(f"## {family.replace('_', ' ').capitalize()}\n")
        parts += [_entry(experiment) for experiment in members]
    return "\n".join(parts)


def _entry(experiment: Experiment) -> str:
    bets = "\n".join(f"- {bet.question}" for bet in experiment.bets.values())
    head = f"### `{experiment.id}`: {experiment.title}\n\n{experiment.shows} About {experiment.seconds:g} s warm; `python -m {experiment.module}`."
    return f"{head}\n\nBets:\n\n{bets}\n"


CURRICULUM_HEAD = """# The curriculum

What the decks teach, and what to know before each concept. Press `d` on the first screen for the same map with your own standing, and to learn one deck or one
concept. A question of a concept is new to you only once what the concept builds on is likely known, unless you choose the concept yourself.
Evidence: *experiment* is a question whose answer a run on your machine shows, *formula* one whose number a family draws anew or written arithmetic
comes to, *source* one that rests on its source alone; a question can have the first two. Sealed questions are kept for mock interviews. This page is written by `make docs`.
"""


def curriculum_page(library: Library) -> str:
    """Return the page that lists every deck with its questions by kind, level and evidence, and its concepts."""
    decks = [deck for deck in library.decks if not deck.quiz and deck.items]
    quizzes = [deck for deck in library.decks if deck.quiz]
    every = [item for deck in decks for item in deck.items]
    totals = f"{len(decks)} decks, {len(library.concepts)} concepts.\n\n{_counts(every)}\n"
    rows = [f"- [{deck.title}]({_guide(deck)}): {len(deck.items)} questions, {deck.level}" for deck in quizzes]
    parts = [CURRICULUM_HEAD, totals, *(_deck(deck, library) for deck in decks), "## Quizzes\n", "\n".join(rows), ""]
    return "\n".join([*parts, _by_form(library)])


FORM_HEAD = """## What form alone gives away

A model that sees lengths, absolute words, words shared with the stem, digits, code and places, and nothing of the meaning, is trained on the other decks and
picks options as often as it believes in them. Points are its share right less chance, in hundredths; five above are too many. The quizzes are served with their original options, whose
keys are longest in 14 of 16; a model trained on the other decks has not learnt that, and scores below chance. `tutor decks check --guesser` prints this.

| Deck | Language | Choices | Chance | By form alone | Points |
|---|---|--:|--:|--:|--:|
"""


def _by_form(library: Library) -> str:
    """Return the guesser's score on each deck in each of its languages."""
    found: list[Guessed] = []
    for lang in LANGUAGES:
        found += guess(library if lang == BASE else load_library([resources("decks")], lang, _catalogue()), lang)
    rows = [
        f"| {one.deck} | {one.lang} | {one.items} | {one.chance:.1%} | {one.score:.1%} | {one.above:+.1f} |"
        for one in sorted(found, key=lambda one: (one.deck, one.lang))
    ]
    return FORM_HEAD + "\n".join(rows) + "\n"


def _deck(deck: Deck, library: Library) -> str:
    head = f"## {deck.title}\n\n{deck.blurb}\n\n[Guide]({_guide(deck)}). {_counts(deck.items)}\n"
    asked = Counter(item.concept for item in deck.items)
    taught = [concept for concept in library.concepts.values() if concept.deck == deck.id]
    rows = [_concept(concept, asked[concept.id], library.concepts) for concept in taught]
    return "\n".join([head, "| Concept | Builds on | Questions | In a sentence |", "|---|---|--:|---|", *rows, ""])


def _concept(concept: Concept, asked: int, concepts: Mapping[str, Concept]) -> str:
    before = ", ".join(concepts[id].title for id in concept.requires if id in concepts)
    cells = (concept.title, before, str(asked), concept.text)
    literal = [re.sub(r"([|*<])", r"\\\1", cell) for cell in cells]
    return f"| {' | '.join(literal)} |"


def _counts(items: Iterable[Item]) -> str:
    """Return one sentence of counts; what stands by its source alone is what neither runs nor is computed."""
    items = list(items)
    evidence = Counter(name for item in items for name in rests_on(item))
    kinds, levels = (Counter(values) for values in ([i.kind for i in items], [i.level for i in items]))
    sealed = sum(item.sealed for item in items)
    return (
        f"{len(items)} questions, {sealed} of them sealed. Kinds: {_listed(kinds)}. "
        f"Levels: {_listed(levels)}. Evidence: {_listed(evidence)}."
    )


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{counts[name]} {name}" for name in sorted(counts))


def _guide(deck: Deck) -> str:
    return f"../decks/{deck.id}/{deck.guide.name}" if deck.guide else f"../decks/{deck.id}/"


def _catalogue() -> Mapping[str, Experiment]:
    return load_catalogue(resources("experiments"))[0]


PAGES = {
    "experiments.md": lambda: experiments_page(_catalogue()),
    "curriculum.md": lambda: curriculum_page(load_library([resources("decks")], "en", _catalogue())),
}


def main(folder: Path) -> None:
    """Write every page."""
    for name, page in PAGES.items():
        (folder / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
