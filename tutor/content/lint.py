"""What an author should mend: the loader's errors, and what makes a question test its form rather than its subject."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tutor.content.experiments import Catalogue
from tutor.content.families import FAMILIES, NothingToDraw, draw
from tutor.content.languages import check_overlays
from tutor.content.load import load_library
from tutor.content.model import Deck, Item, Library, Problem
from tutor.content.phrases import check_numbers
from tutor.content.rules import check_library
from tutor.content.translated import check_translation
from tutor.content.vocabulary import check_heads, check_vocabulary
from tutor.content.wording import ALL_OF, BY_PLACE, MAX_OPTION, MAX_STEM_WORDS, absolute

LONGEST_KEY_SHARE = 0.40
"""Share of a deck's items whose key may be the strictly longest option."""
GUIDE_WORDS = (300, 800)
_NEGATIVE = re.compile(r"\b(which [^.?]* (is|does|do|are) not|all [^.?]* except)\b[^.?]*\?", re.IGNORECASE)
_SHOUTED = re.compile(r"\b(NOT|EXCEPT)\b")


def check(roots: Sequence[Path], catalogue: Catalogue, languages: Sequence[str]) -> list[Problem]:
    """Return every problem of the decks below `roots`, in all languages, errors and warnings, in the order of the files."""
    roots = folders_of(roots)
    library = load_library(roots, languages[0], catalogue)
    problems = list(library.problems)
    for deck in library.decks:
        problems += _check_deck(deck, library)
        problems += check_overlays(deck, languages[1:])
        problems += check_heads(deck, languages[1:])
    problems += check_library(library)
    problems += check_vocabulary(roots, library, languages[1:])
    problems += check_numbers(library, languages[1:])
    for lang in languages[1:]:
        translated = load_library(roots, lang, catalogue)
        problems += check_translation(translated, lang)
        for deck in translated.decks:
            if lang in deck.languages and not deck.as_served:
                problems += _longest_keys(deck, lang)
    return sorted(set(problems))


def folders_of(paths: Sequence[Path]) -> list[Path]:
    """Return the folders of decks that hold what is named, each once: a deck's own folder stands for the one it lies in."""
    folders = [path.absolute().parent if (path / "deck.toml").exists() else path for path in paths]
    return list({folder.resolve(): folder for folder in reversed(folders)}.values())[::-1]


def _check_deck(deck: Deck, library: Library) -> Iterator[Problem]:
    yield from _guide(deck)
    if not deck.as_served:
        yield from _longest_keys(deck, "en")
    for item in deck.items:
        yield from _links(item, library)
        yield from _sources(item)
        yield from _wording(item)
        if not deck.as_served:
            yield from _options(item, library)
        if item.family:
            yield from _drawable(item)
        if item.transfer_of:
            yield from _transfer(item, library)


def _links(item: Item, library: Library) -> Iterator[Problem]:
    if item.concept not in library.concepts and library.concepts:
        yield _problem(
            item, f"concept {item.concept!r} of {item.id} is not in concepts.toml; add it there or correct the name."
        )
    for myth in item.myths:
        if myth not in library.myths and library.myths:
            yield _problem(
                item, f"myth {myth!r} of {item.id} is not in myths.toml; add it there or correct the name.", "E4"
            )
    if item.transfer_of and item.transfer_of not in library.items:
        yield _problem(item, f"{item.id} is a transfer of {item.transfer_of!r}, which does not exist; correct the id.")


def _sources(item: Item) -> Iterator[Problem]:
    if not any(source.strip() for source in item.sources):
        yield _problem(item, f"{item.id} names no source; add one.", "E8")


def _wording(item: Item) -> Iterator[Problem]:
    for text in (item.stem, item.why, *(option.text for option in item.options)):
        if BY_PLACE["en"].search(text):
            yield _problem(
                item,
                f"a text of {item.id} speaks of an option by its place; options are shuffled, so name what it says.",
                "E3",
            )
        if ALL_OF["en"].search(text):
            yield _problem(
                item, f"{item.id} uses all or none of the above; ask for several answers with kind multi.", "E2"
            )
    if len(item.stem.split()) > MAX_STEM_WORDS:
        yield _problem(
            item,
            f"the stem of {item.id} has {len(item.stem.split())} words; keep it to {MAX_STEM_WORDS}.",
            "W7",
            "warning",
        )
    if any(len(option.text) > MAX_OPTION for option in item.options):
        yield _problem(
            item, f"an option of {item.id} is longer than {MAX_OPTION} characters; shorten it.", "W7", "warning"
        )


def _options(item: Item, library: Library) -> Iterator[Problem]:
    if item.kind not in ("choice", "multi", "predict"):
        return
    wrong = [option for option in item.options if option.key not in item.answer]
    for option in wrong:
        if option.myth is None and item.kind != "predict":
            yield _problem(
                item, f"option {option.key!r} of {item.id} names no myth; say which belief makes it attractive.", "E4"
            )
        found = absolute(option.text, "en")
        if found and item.kind == "choice":
            yield _problem(
                item,
                f"option {option.key!r} of {item.id} says {found!r}; absolute words give a wrong option away.",
                "W2",
                "warning",
            )
    if _NEGATIVE.search(item.stem) and not _SHOUTED.search(item.stem):
        yield _problem(
            item, f"the stem of {item.id} asks for what is not so; ask the other way round.", "W3", "warning"
        )


def _longest_keys(deck: Deck, lang: str) -> Iterator[Problem]:
    choices = [item for item in deck.items if item.kind == "choice" and item.lang == lang]
    longest = [item for item in choices if _key_longest(item)]
    if len(choices) >= 5 and len(longest) > LONGEST_KEY_SHARE * len(choices):
        share = len(longest) / len(choices)
        names = ", ".join(item.id for item in longest[:5])
        yield Problem(
            str(deck.path),
            1,
            f"in {lang} the key is the longest option in {share:.0%} of the items ({names} ...); chance is a quarter: shorten keys.",
            "W1",
        )


def _key_longest(item: Item) -> bool:
    key = len(item.option(item.answer[0]).text)
    return all(len(option.text) < key for option in item.options if option.key != item.answer[0])


def _drawable(item: Item) -> Iterator[Problem]:
    family = FAMILIES[item.family]
    if item.unit != family.unit:
        yield _problem(
            item,
            f"unit of {item.id} is {item.unit!r} but {family.id} answers in {family.unit!r}; make them equal.",
            "E5",
        )
    if item.tolerance > family.tolerance:
        yield _problem(
            item,
            f"tolerance of {item.id} is {item.tolerance}; {family.id} keeps its slips apart up to {family.tolerance}.",
            "E5",
        )
    named = set(re.findall(r"\{(\w+)\}", item.stem + item.why)) - set(family.ranges) - {"answer", "working"}
    if named:
        yield _problem(
            item,
            f"{item.id} writes {{{sorted(named)[0]}}}, which {family.id} does not have; it has {', '.join(family.ranges)}.",
            "E5",
        )
    try:
        draw(item.family, item.params, 0)
    except NothingToDraw as error:
        yield _problem(item, str(error), "E5")


def _transfer(item: Item, library: Library) -> Iterator[Problem]:
    origin = library.items.get(item.transfer_of)
    if origin is None:
        return
    same = {o.text.casefold() for o in item.options} & {o.text.casefold() for o in origin.options}
    if same:
        yield _problem(
            item,
            f"{item.id} shares the option {sorted(same)[0]!r} with {origin.id}; a transfer shares none.",
            "transfer",
        )
    if item.concept != origin.concept:
        yield _problem(
            item,
            f"{item.id} is about {item.concept} but its origin {origin.id} about {origin.concept}; a transfer keeps the concept.",
            "transfer",
            "warning",
        )


def _guide(deck: Deck) -> Iterator[Problem]:
    if deck.guide is None:
        yield Problem(
            str(deck.path), 1, f"deck {deck.id} has no guide page; write guide.md and name it.", "guide", "warning"
        )
        return
    words = len(deck.guide.read_text(encoding="utf-8").split())
    if not GUIDE_WORDS[0] <= words <= GUIDE_WORDS[1]:
        yield Problem(
            str(deck.guide),
            1,
            f"the guide has {words} words; keep it between {GUIDE_WORDS[0]} and {GUIDE_WORDS[1]}.",
            "guide",
            "warning",
        )


def _problem(item: Item, message: str, rule: str = "", severity: str = "error") -> Problem:
    return Problem(item.path, item.line, message, rule, severity)
