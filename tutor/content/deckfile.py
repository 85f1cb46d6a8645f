"""Reads one deck file, with the overlay and the guide of a language, into a `Deck`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tutor.content.experiments import Catalogue
from tutor.content.gaps import blanked, named_gaps
from tutor.content.model import BASE, UNREAD, Deck, Gap, Item, Option, Problem
from tutor.content.parse import parse_items
from tutor.content.shape import DECK, is_entry, misshapen, tables
from tutor.content.source import Source, read_toml, text_of, unknown_keys
from tutor.content.text import normal

MAX_GUIDE = 200_000
"""Bytes of a guide page."""
DECK_KEYS = ["schema", "deck", "lang", "title", "level", "quiz", "as_served", "guide", "blurb", "item"]


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
    written = overlay_of(path.parent, lang) if lang != BASE else None
    if written is not None:
        overlay = read_toml(written)
        source.problems += overlay.problems
        deck = translate_deck(deck, overlay, lang)
    return deck, source.told()


def overlay_of(folder: Path, lang: str) -> Path | None:
    """Return the overlay of a deck in `lang`, else that of its head alone, else None."""
    whole, head = folder / f"{lang}.toml", folder / f"head.{lang}.toml"
    return whole if whole.exists() else head if head.exists() else None


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
    at = ("guide", 1)
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
        source.complain(at, f"the guide {guide.name} cannot be read: {error.strerror}; check its permissions.", UNREAD)
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
