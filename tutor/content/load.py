"""Reads the decks of a learner in one language into a `Library`. Only the files that language needs are opened."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tutor.content import rows
from tutor.content.experiments import Catalogue
from tutor.content.kept import Kept, stamp_of
from tutor.content.model import UNREAD, Concept, Deck, Item, Library, Myth, Problem

MAX_DECKS = 500

Found = tuple[Deck | None, list[Problem]]
"""What a deck file gave, and what is wrong with it."""
Graph = tuple[Mapping[str, Concept], Mapping[str, Myth], list[Problem]]
_problems = rows.listed(rows.read_problem)
_read_found: Callable[[Any], Found] = rows.together(rows.maybe(rows.read_deck), _problems)
_read_graph: Callable[[Any], Graph] = rows.together(
    rows.named(rows.read_concept), rows.named(rows.read_myth), _problems
)


def load_library(roots: Sequence[Path], lang: str, catalogue: Catalogue, kept: Kept | None = None) -> Library:
    """Return every deck below `roots` in `lang`; texts without a fresh translation stay in English.

    What is wrong is in `problems`, with file, line and remedy; all that is sound is there to be asked. Files that are as they
    were are taken from `kept`, whose reader need not load what reads a deck; what is read anew is there for the caller to save.
    """
    with _nothing_collected():
        return _load(roots, lang, catalogue, kept or Kept())


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Hold the collector: a library is many thousand values, all of which stay."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _load(roots: Sequence[Path], lang: str, catalogue: Catalogue, kept: Kept) -> Library:
    problems: list[Problem] = []
    decks: dict[str, Deck] = {}
    items: dict[str, Item] = {}
    concepts: dict[str, Concept] = {}
    myths: dict[str, Myth] = {}
    links = _links(catalogue)
    for root in roots:
        more_concepts, more_myths, found = _graph(root, lang, catalogue, concepts, myths, kept, links)
        concepts |= more_concepts
        myths |= more_myths
        problems += found
        for path in _deck_files(root, problems):
            deck, found = _deck(path, lang, catalogue, kept, links)
            problems += found
            if deck is None:
                continue
            if deck.id in decks:
                told = f"a deck {deck.id!r} is already at {decks[deck.id].path}; give this folder another name."
                problems.append(Problem(str(path), 1, told, "id"))
                continue
            decks[deck.id] = _first_of_their_name(deck, items, problems)
    return Library(tuple(decks.values()), concepts, myths, tuple(problems), items)


def _first_of_their_name(deck: Deck, items: dict[str, Item], problems: list[Problem]) -> Deck:
    """Add a deck's items to those before; return the deck without the items whose id is taken, each reported."""
    twins = [item for item in deck.items if items.setdefault(item.id, item) is not item]
    for item in twins:
        first = items[item.id]
        told = f"id {item.id!r} is already used at {first.path}:{first.line}; give this item a fresh id."
        problems.append(Problem(item.path, item.line, told, "id"))
    return replace(deck, items=tuple(item for item in deck.items if items[item.id] is item)) if twins else deck


def _deck(path: Path, lang: str, catalogue: Catalogue, kept: Kept, links: str) -> Found:
    def make() -> Found:
        from tutor.content.deckfile import (
            load_deck,
        )  # the parser and all numeric families, needed only where a file changed

        return load_deck(path, lang, catalogue)

    return kept.get(str(path), stamp_of([path.parent], (".toml", ".md"), links), _read_found, make, _lasting)


def _graph(
    root: Path,
    lang: str,
    catalogue: Catalogue,
    concepts: Mapping[str, Concept],
    myths: Mapping[str, Myth],
    kept: Kept,
    links: str,
) -> Graph:
    def make() -> Graph:
        from tutor.content.graph import load_graph

        return load_graph(root, lang, catalogue, concepts, myths)

    if not any((root / name).exists() for name in ("concepts.toml", "myths.toml")):
        return {}, {}, []
    known = concepts or myths  # what a later folder adds hangs on the earlier
    stamp = None if known else stamp_of([root], (".toml",), links)
    return kept.get(str(root), stamp, _read_graph, make, _lasting)


def _lasting(found: Found | Graph) -> bool:
    """Whether reading the same files again would give the same."""
    return all(problem.rule != UNREAD for problem in found[-1])


def _links(catalogue: Catalogue) -> str:
    """Return a hash of what decks are checked against: the parameters and bets of each experiment."""
    named = [
        (e.id, rows.to_row(e.parameters), {b.id: [*b.choices] for b in e.bets.values()}) for e in catalogue.values()
    ]
    return hashlib.sha256(repr(named).encode()).hexdigest()


def _deck_files(root: Path, problems: list[Problem]) -> list[Path]:
    """Return the deck files of a folder; one that may not be read is reported."""
    try:
        folders = sorted(folder for folder in root.iterdir() if folder.is_dir()) if root.is_dir() else []
    except OSError as error:
        problems.append(Problem(str(root), 1, f"cannot be read: {error.strerror}; check its permissions."))
        return []
    if len(folders) > MAX_DECKS:
        problems.append(Problem(str(root), 1, f"more than {MAX_DECKS} decks in one folder; the rest is left out."))
    files = []
    for folder in folders[:MAX_DECKS]:
        try:
            (folder / "deck.toml").lstat()
        except FileNotFoundError:
            continue
        except OSError as error:
            told = f"cannot be read: {error.strerror}; check its permissions."
            problems.append(Problem(str(folder / "deck.toml"), 1, told))
            continue
        files.append(folder / "deck.toml")
    return files
