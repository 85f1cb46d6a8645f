"""Reads the decks of a learner in one language into a `Library`. Only the files that language needs are opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tutor.content.experiments import Catalogue
from tutor.content.gaps import blanked, named_gaps
from tutor.content.model import Concept, Deck, Gap, Item, Library, Myth, Option, Problem
from tutor.content.parse import experiment_link, parse_items
from tutor.content.shape import CONCEPT, DECK, MYTH, is_entry, misshapen, tables
from tutor.content.source import Source, read_toml, text_of, unknown_keys
from tutor.content.text import hash_text, normal

BASE = "en"
MAX_DECKS = 500
MAX_GUIDE = 200_000
"""Bytes of a guide page."""
DECK_KEYS = ["schema", "deck", "lang", "title", "level", "quiz", "as_served", "guide", "blurb", "item"]


def load_library(roots: Sequence[Path], lang: str, catalogue: Catalogue) -> Library:
    """Return every deck below `roots` in `lang`; texts without a fresh translation stay in English.

    What is wrong is in `problems`, with file, line and remedy; all that is sound is there to be asked.
    """
    problems: list[Problem] = []
    decks: list[Deck] = []
    items: dict[str, Item] = {}
    concepts: dict[str, Concept] = {}
    myths: dict[str, Myth] = {}
    for root in roots:
        concepts |= load_concepts(root, lang, problems, concepts)
        myths |= load_myths(root, lang, catalogue, problems, myths)
        for path in _deck_files(root, problems):
            deck, found = load_deck(path, lang, catalogue)
            problems += found
            if deck is None:
                continue
            twin = next((other for other in decks if other.id == deck.id), None)
            if twin is not None:
                told = f"a deck {deck.id!r} is already at {twin.path}; give this folder another name."
                problems.append(Problem(str(path), 1, told, "id"))
                continue
            kept = []
            for item in deck.items:
                if item.id in items:
                    first = items[item.id]
                    problems.append(
                        Problem(
                            item.path,
                            item.line,
                            f"id {item.id!r} is already used at {first.path}:{first.line}; give this item a fresh id.",
                            "id",
                        )
                    )
                else:
                    items[item.id] = item
                    kept.append(item)
            decks.append(replace(deck, items=tuple(kept)))
    return Library(tuple(decks), concepts, myths, tuple(problems), items)


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


def load_deck(path: Path, lang: str, catalogue: Catalogue) -> tuple[Deck | None, list[Problem]]:
    """Return one deck with its overlay for `lang` laid over, and what is wrong with it."""
    source = read_toml(path)
    if not source.values:
        return None, source.problems
    values = source.values
    where = f"deck {path.parent.name}"
    unknown_keys(source, values, DECK_KEYS, 1, where)
    if misshapen(source, values, DECK, 1, where):
        return None, source.problems
    title = normal(text_of(source, values, "title", 1, where))
    if values.get("deck", path.parent.name) != path.parent.name:
        source.complain(
            source.key("deck", 1),
            f"deck is {values['deck']!r} but its folder is {path.parent.name!r}; make them equal.",
        )
    quiz, served = values.get("quiz", False), values.get("as_served", False)
    items = parse_items(source, path.parent.name, not quiz, catalogue)
    deck = Deck(
        id=path.parent.name,
        title=title,
        level=values.get("level", "medium"),
        quiz=quiz,
        as_served=served,
        items=tuple(items),
        blurb=normal(values.get("blurb", "")),
        guide=_readable(source, guide_path(path.parent, values.get("guide", ""), lang)),
        languages=(BASE, *sorted(p.stem for p in path.parent.glob("??.toml"))),
        path=path,
    )
    if lang != BASE and (path.parent / f"{lang}.toml").exists():
        overlay = read_toml(path.parent / f"{lang}.toml")
        source.problems += overlay.problems
        deck = translate_deck(deck, overlay, lang)
    return deck, source.problems


def guide_path(folder: Path, name: str, lang: str) -> Path | None:
    """Return the guide page in `lang`, else the base one, else None. A name that leads out of the folder is none."""
    if not name or Path(name).name != name:
        return None
    translated = folder / f"{Path(name).stem}.{lang}.md"
    base = folder / name
    return translated if translated.exists() else base if base.exists() else None


def _readable(source: Source, guide: Path | None) -> Path | None:
    """Return the guide if it can be shown; complain where it lies elsewhere, is too large or is not UTF-8."""
    if guide is None:
        return None
    at = source.key("guide", 1)
    try:
        if guide.resolve().parent != source.path.parent.resolve():
            source.complain(at, f"the guide {guide.name} leads out of the deck's folder; put the page itself there.")
        elif guide.stat().st_size > MAX_GUIDE:
            source.complain(at, f"the guide {guide.name} is larger than {MAX_GUIDE // 1000} kB; shorten it.")
        else:
            guide.read_text(encoding="utf-8")
            return guide
    except UnicodeDecodeError as error:
        source.complain(at, f"byte {error.start} of the guide {guide.name} is not UTF-8; save it as UTF-8.")
    except OSError as error:
        source.complain(at, f"the guide {guide.name} cannot be read: {error.strerror}; check its permissions.")
    return None


def translate_deck(deck: Deck, overlay: Source, lang: str) -> Deck:
    """Return the deck with each item's texts from the overlay, where the translation is of the present text."""
    entries = tables(overlay, "item", "[item.ID]")
    items = tuple(translate_item(item, entries.get(item.id, {}), lang) for item in deck.items)
    title = normal(str(overlay.values.get("title", deck.title)))
    blurb = normal(str(overlay.values.get("blurb", deck.blurb)))
    level = normal(str(overlay.values.get("level_label", deck.level)))
    return replace(deck, items=items, title=title, blurb=blurb, level=level)


def translate_item(item: Item, entry: Mapping[str, Any], lang: str) -> Item:
    """Return the item in `lang`, or unchanged where the entry is missing, stale or lacks a text."""
    if not is_entry(entry):
        return item
    texts = entry.get("rubric" if item.kind == "explain" else "option", {})
    wanted = [entry.get("stem", ""), entry.get("why", ""), *(texts.get(option.key, "") for option in item.options)]
    if entry.get("of") != item.text_hash or not all(text.strip() for text in wanted):
        return item
    stem = normal(entry["stem"])
    keys = [gap.key for gap in item.gaps]
    if sorted(named_gaps(stem, keys)) != sorted(keys):
        return item
    options = tuple(Option(o.key, normal(texts[o.key]), o.myth) for o in item.options)
    gaps = tuple(_translated(gap, entry.get("gap", {})) for gap in item.gaps)
    answer = tuple(gap.accept[0] for gap in gaps) if gaps else item.answer
    stem, why = blanked(stem, gaps), normal(entry["why"])
    return replace(item, stem=stem, why=why, options=options, gaps=gaps, answer=answer, lang=lang)


def _translated(gap: Gap, texts: Mapping[str, Any]) -> Gap:
    """Return the gap taking the words of the language first; the English ones and code are taken in every language."""
    words = tuple(normal(text) for text in texts.get(gap.key, ()))
    return replace(gap, accept=(*words, *(text for text in gap.accept if text not in words)))


def load_concepts(
    root: Path, lang: str, problems: list[Problem], known: Mapping[str, Concept] | None = None
) -> dict[str, Concept]:
    """Return the concepts below `root` that are not `known`; those that require what does not exist, or each other, are reported."""
    known = known or {}
    if not (root / "concepts.toml").exists():
        return {}
    source = read_toml(root / "concepts.toml")
    over = _overlay(root, "concepts", lang, "concept")
    found = {}
    for id, table in tables(source, "concept", '[concept."ID"]').items():
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
    problems += source.problems
    return found


def load_myths(
    root: Path, lang: str, catalogue: Catalogue, problems: list[Problem], known: Mapping[str, Myth] | None = None
) -> dict[str, Myth]:
    """Return the myths below `root` that are not `known`, in `lang` where the translation is fresh."""
    if not (root / "myths.toml").exists():
        return {}
    source = read_toml(root / "myths.toml")
    over = _overlay(root, "myths", lang, "myth")
    found = {}
    for id, table in tables(source, "myth", "[myth.ID]").items():
        line = source.table(f"myth.{id}")
        if _taken(source, id in (known or {}), line, f"myth {id}") or misshapen(
            source, table, MYTH, line, f"myth {id}"
        ):
            continue
        unknown_keys(source, table, ("text", "why", "concept", "experiment"), line, f"myth {id}")
        text, why = normal(text_of(source, table, "text", line, id)), normal(text_of(source, table, "why", line, id))
        words = over.get(id, {})
        if words.get("of") == hash_text(text, why):
            text, why = normal(str(words.get("text", text))), normal(str(words.get("why", why)))
        link = experiment_link(source, table, line, f"myth {id}", catalogue)
        found[id] = Myth(id, text, why, table.get("concept", ""), link)
    problems += source.problems
    return found


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
