"""What a translator has to write: the passages of a deck or an experiment that an overlay lacks, or has of another wording."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tutor.content.experiments import Experiment
from tutor.content.gaps import accepted_text, named
from tutor.content.model import Deck, Item, Library
from tutor.content.passages import Passage, passages, written
from tutor.content.phrases import SAID, lacking, numbers_path
from tutor.content.source import read_toml
from tutor.content.spoken import overlay_path
from tutor.content.text import hash_text

WIDTH = 110
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_UNREAD = "# Not yet reviewed by a native speaker."


@dataclass(frozen=True)
class Draft:
    """A passage to be translated."""

    path: Path
    """The overlay it belongs into."""
    passage: Passage
    before: Mapping[str, str] | None
    """The texts that stand there, translated from another wording or not all of them; None where there are none."""
    hint: str = ""
    """What else a translator may write, as a line."""


def deck_drafts(deck: Deck, library: Library, lang: str) -> list[Draft]:
    """Return what a deck lacks in `lang`, then its concepts, their myths and those its options name, and its numbers. `library` is in English."""
    root = deck.path.parent.parent
    items = [(item_passage(item), _gaps_hint(item)) for item in deck.items]
    own = [concept for concept in library.concepts.values() if concept.deck == deck.id]
    concepts = [
        Passage(("concept", one.id), hash_text(one.title, one.text), {"title": one.title, "text": one.text})
        for one in own
    ]
    ids = {concept.id for concept in own}
    picked = {myth for item in deck.items for myth in item.myths}
    beliefs = [myth for myth in library.myths.values() if myth.concept in ids or myth.id in picked]
    myths = [
        Passage(("myth", one.id), hash_text(one.text, one.why), {"text": one.text, "why": one.why}) for one in beliefs
    ]
    unsaid = lacking(deck.items, root, lang)
    return [
        *_lacking(deck.path.parent / f"{lang}.toml", items),
        *_lacking(root / f"concepts.{lang}.toml", _written_in(root / "concepts.toml", "concept", concepts)),
        *_lacking(root / f"myths.{lang}.toml", _written_in(root / "myths.toml", "myth", myths)),
        *(
            [Draft(numbers_path(root, lang), Passage((SAID,), "", {text: text for text in unsaid}), None)]
            if unsaid
            else []
        ),
    ]


def experiment_drafts(experiment: Experiment, lang: str) -> list[Draft]:
    """Return what an experiment, given in English, lacks in `lang`."""
    return list(_lacking(overlay_path(experiment, lang), ((passage, "") for passage in passages(experiment))))


def item_passage(item: Item) -> Passage:
    """Return an English item's texts as an overlay writes them."""
    table = "rubric" if item.kind == "explain" else "option"
    options = {f"{table}.{option.key}": option.text for option in item.options}
    texts = {"stem": named(item.stem, item.gaps), "why": item.why} | options
    return Passage(("item", item.id), item.text_hash, texts)


def deck_head(deck: Deck, lang: str) -> list[str]:
    """Return the lines an overlay of a deck begins with."""
    texts = {"title": deck.title, "level_label": deck.level} | ({"blurb": deck.blurb} if deck.blurb else {})
    head = [_UNREAD, "schema = 1", f'deck = "{deck.id}"', f'lang = "{lang}"']
    return [*head, *(line for key, text in texts.items() for line in _to_fill(key, text, ""))]


def experiment_head(experiment: Experiment, lang: str) -> list[str]:
    """Return the lines an overlay of an experiment begins with."""
    return [_UNREAD, "schema = 1", f'experiment = "{experiment.id}"', f'lang = "{lang}"']


def shared_head(lang: str) -> list[str]:
    """Return the lines an overlay of the concepts or the myths begins with."""
    return [_UNREAD, "schema = 1", f'lang = "{lang}"']


def as_toml(draft: Draft) -> list[str]:
    """Return a draft as lines of TOML: the English as comments, and a text to fill in or to renew below each."""
    if draft.passage.table == (SAID,):
        return [
            "",
            f"[{SAID}]",
            *(f'{json.dumps(english, ensure_ascii=False)} = ""' for english in draft.passage.texts),
        ]
    name = ".".join(part if _BARE.fullmatch(part) else f'"{part}"' for part in draft.passage.table)
    header = f"[[{name}]]" if len(draft.passage.table) == 1 and name == "flips" else f"[{name}]"
    lines = ["", header, f'of = "{draft.passage.of}"']
    for key, english in draft.passage.texts.items():
        lines += _to_fill(key, english, (draft.before or {}).get(key, ""))
    return [*lines, draft.hint] if draft.hint else lines


def _to_fill(key: str, english: str, before: str) -> Iterator[str]:
    for paragraph in english.split("\n"):
        yield from (f"# {line}" for line in textwrap.wrap(paragraph, WIDTH))
    yield f"{key} = {json.dumps(before, ensure_ascii=False)}"


def _gaps_hint(item: Item) -> str:
    return "\n".join(f"# gap.{gap.key} = [] words beside {accepted_text(gap)!r}, if any" for gap in item.gaps)


def _lacking(path: Path, wanted: Iterable[tuple[Passage, str]]) -> Iterator[Draft]:
    values = read_toml(path).values if path.exists() else {}
    for passage, hint in wanted:
        entry = passage.entry(values)
        if entry is None:
            yield Draft(path, passage, None, hint)
        elif not passage.fresh(entry):
            yield Draft(path, passage, {key: written(entry, key) for key in passage.texts}, hint)


def _written_in(path: Path, table: str, found: Sequence[Passage]) -> Iterator[tuple[Passage, str]]:
    """Yield the passages whose English stands in that file: a deck of one's own may teach the program's concepts."""
    names = read_toml(path).values.get(table, {}) if path.exists() else {}
    yield from ((passage, "") for passage in found if passage.table[1] in names)
