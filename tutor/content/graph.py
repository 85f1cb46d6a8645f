"""Reads the concepts and the myths of a folder of decks, in a language."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from tutor.content.experiments import Catalogue
from tutor.content.model import BASE, Concept, Myth, Problem
from tutor.content.parse import experiment_link
from tutor.content.shape import CONCEPT, MYTH, misshapen, tables
from tutor.content.source import Source, read_toml, text_of, unknown_keys
from tutor.content.text import hash_text, normal

MAX_CONCEPTS = 500
MAX_MYTHS = 5_000

Graph = tuple[dict[str, Concept], dict[str, Myth], list[Problem]]
"""Concepts and myths by id, and what is wrong with them."""


def load_graph(
    root: Path, lang: str, catalogue: Catalogue, concepts: Mapping[str, Concept], myths: Mapping[str, Myth]
) -> Graph:
    """Return the concepts and myths that the files of `root` add to those of earlier folders."""
    problems: list[Problem] = []
    added = load_concepts(root, lang, problems, concepts)
    return added, load_myths(root, lang, catalogue, problems, myths), problems


def load_concepts(root: Path, lang: str, problems: list[Problem], known: Mapping[str, Concept]) -> dict[str, Concept]:
    """Return the concepts below `root` that are not `known`; those that require what does not exist, or each other, are reported."""
    if not (root / "concepts.toml").exists():
        return {}
    source = read_toml(root / "concepts.toml")
    over = _overlay(root, "concepts", lang, "concept")
    found = {}
    for id, table in _bounded(source, tables(source, "concept", '[concept."ID"]'), MAX_CONCEPTS).items():
        line = source.table(f"concept.{id}")
        if _taken(source, id in known, line, f"concept {id}") or misshapen(
            source, table, CONCEPT, line, f"concept {id}"
        ):
            continue
        unknown_keys(source, table, ("deck", "title", "text", "requires"), line, f"concept {id}")
        title, text = (
            normal(text_of(source, table, "title", line, id)),
            normal(text_of(source, table, "text", line, id)),
        )
        words = over.get(id, {})
        if words.get("of") == hash_text(title, text):
            title, text = normal(str(words.get("title", title))), normal(str(words.get("text", text)))
        found[id] = Concept(id, table.get("deck", ""), title, text, tuple(table.get("requires", ())))
    _check_graph(source, found, {**known, **found})
    problems += source.told()
    return found


def load_myths(
    root: Path, lang: str, catalogue: Catalogue, problems: list[Problem], known: Mapping[str, Myth]
) -> dict[str, Myth]:
    """Return the myths below `root` that are not `known`, in `lang` where the translation is fresh."""
    if not (root / "myths.toml").exists():
        return {}
    source = read_toml(root / "myths.toml")
    over = _overlay(root, "myths", lang, "myth")
    found = {}
    for id, table in _bounded(source, tables(source, "myth", "[myth.ID]"), MAX_MYTHS).items():
        line = source.table(f"myth.{id}")
        if _taken(source, id in known, line, f"myth {id}") or misshapen(source, table, MYTH, line, f"myth {id}"):
            continue
        unknown_keys(source, table, ("text", "why", "concept", "experiment"), line, f"myth {id}")
        text, why = normal(text_of(source, table, "text", line, id)), normal(text_of(source, table, "why", line, id))
        words = over.get(id, {})
        if words.get("of") == hash_text(text, why):
            text, why = normal(str(words.get("text", text))), normal(str(words.get("why", why)))
        link = experiment_link(source, table, line, f"myth {id}", catalogue)
        found[id] = Myth(id, text, why, table.get("concept", ""), link)
    problems += source.told()
    return found


def _bounded(source: Source, named: Mapping[str, Any], most: int) -> Mapping[str, Any]:
    """Return the first names of a file, and complain where there are more than can be followed while somebody waits."""
    if len(named) > most:
        source.complain(1, f"more than {most} names in {source.path.name}; the rest is left out.")
    return dict(islice(named.items(), most))


def _taken(source: Source, taken: bool, line: int, where: str) -> bool:
    """Complain about a name that an earlier folder has given; the first one stands."""
    if taken:
        source.complain(line, f"{where} is already there; give this one another name.", "id")
    return taken


def _overlay(root: Path, name: str, lang: str, key: str) -> Mapping[str, Any]:
    path = root / f"{name}.{lang}.toml"
    if lang == BASE or not path.exists():
        return {}
    return tables(read_toml(path), key, f"[{key}.ID]")


def _check_graph(source: Source, found: Mapping[str, Concept], concepts: Mapping[str, Concept]) -> None:
    for concept in found.values():
        line = source.table(f"concept.{concept.id}")
        for required in concept.requires:
            if required not in concepts:
                source.complain(
                    line, f"concept {concept.id} requires {required!r}, which does not exist; add it or drop the edge."
                )
        if _reaches(concepts, concept.id):
            source.complain(line, f"concept {concept.id} requires itself through others; break the circle.")


def _reaches(concepts: Mapping[str, Concept], start: str) -> bool:
    waiting, seen = list(concepts[start].requires), set()
    while waiting:
        id = waiting.pop()
        if id == start:
            return True
        if id in concepts and id not in seen:
            seen.add(id)
            waiting += concepts[id].requires
    return False
