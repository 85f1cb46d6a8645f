"""From the tables of a deck file to items. One bad item is reported and never drops another."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tutor.content.experiments import Catalogue
from tutor.content.families import FAMILIES
from tutor.content.gaps import accepted_text, blanked
from tutor.content.kinds import check_order, gaps, points
from tutor.content.model import KINDS, ExperimentLink, Gap, Item, Option, Scalar
from tutor.content.shape import ITEM, LINK, OPTION, misshapen
from tutor.content.source import Source, text_of, unknown_keys
from tutor.content.text import hash_item, normal

LEVELS = ("easy", "medium", "hard")
ITEM_KEYS = [
    "id",
    "kind",
    "concept",
    "level",
    "rev",
    "stem",
    "answer",
    "why",
    "sources",
    "option",
    "rubric",
    "gap",
    "family",
    "params",
    "unit",
    "tolerance",
    "slips",
    *("transfer_of", "experiment", "sealed"),
]
MAX_ITEMS = 20_000
MAX_TEXT = 20_000


def parse_items(source: Source, deck: str, scheduled: bool, catalogue: Catalogue) -> list[Item]:
    """Return the sound items of a deck file; the source collects what is wrong with the others."""
    tables = source.values.get("item", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        source.complain(source.key("item", 1), "items are written as [[item]] tables; use double brackets.")
        return []
    if len(tables) > MAX_ITEMS:
        source.complain(1, f"more than {MAX_ITEMS} items in one deck; split it.")
        tables = tables[:MAX_ITEMS]
    lines = source.tables("item")
    items = []
    for number, table in enumerate(tables):
        line = lines[number] if number < len(lines) else 1
        item = parse_item(source, table, line, deck, scheduled, catalogue)
        if item is not None:
            items.append(item)
    return items


def parse_item(
    source: Source, table: Mapping[str, Any], line: int, deck: str, scheduled: bool, catalogue: Catalogue
) -> Item | None:
    """Return one item, or None after complaining."""
    before = len(source.problems)
    id = table.get("id")
    where = f"item {id}" if isinstance(id, str) else f"the item at line {line}"
    unknown_keys(source, table, ITEM_KEYS, line, where)
    if misshapen(source, table, ITEM, line, where):
        return None
    texts = {
        key: normal(text_of(source, table, key, line, where))
        for key in ("id", "kind", "concept", "level", "stem", "why")
    }
    kind = texts["kind"]
    _check_words(source, texts, line, where)
    rev = table.get("rev", 1)
    if not isinstance(rev, int) or isinstance(rev, bool) or rev < 1:
        source.complain(("rev", line), f"rev of {where} is {rev!r}; write a whole number from 1.")
    blanks = gaps(source, table, line, where, kind, texts["stem"])
    options = _options(source, table, line, where) + points(source, table, line, where, kind)
    answer = _answer(source, table, line, where, kind, options, blanks)
    sources = _sources(source, table, line, where)
    params = _params(source, table, line, where)
    experiment = experiment_link(source, table, line, where, catalogue)
    if kind == "predict":
        _check_predict(source, line, where, experiment, options, catalogue)
    if len(source.problems) > before:
        return None
    return Item(
        id=texts["id"],
        deck=deck,
        kind=kind,
        concept=texts["concept"],
        level=texts["level"],
        rev=rev,
        stem=blanked(texts["stem"], blanks),
        why=texts["why"],
        answer=answer,
        options=options,
        gaps=blanks,
        sources=tuple(normal(s) for s in sources),
        family=table.get("family", ""),
        params=params,
        unit=table.get("unit", ""),
        tolerance=float(table.get("tolerance", 0)),
        slips={str(k): float(v) for k, v in table.get("slips", {}).items()},
        transfer_of=table.get("transfer_of", ""),
        experiment=experiment,
        text_hash=hash_item(
            texts["stem"],
            texts["why"],
            {o.key: o.text for o in options} | {gap.key: accepted_text(gap) for gap in blanks},
        ),
        scheduled=scheduled and not table.get("sealed", False),
        sealed=table.get("sealed", False),
        path=str(source.path),
        line=line,
    )


def _sources(source: Source, table: Mapping[str, Any], line: int, where: str) -> list[str]:
    sources = table.get("sources", [])
    if not isinstance(sources, list) or not all(isinstance(s, str) for s in sources):
        source.complain(("sources", line), f"sources of {where} must be a list of texts.")
        return []
    return sources


def _check_words(source: Source, texts: Mapping[str, str], line: int, where: str) -> None:
    """Complain about a kind or level that is unknown, and about a text that is too long to be one."""
    kind = texts["kind"]
    if kind and kind not in KINDS:
        source.complain(("kind", line), f"kind {kind!r} of {where} is unknown; write one of {', '.join(KINDS)}.")
    if texts["level"] and texts["level"] not in LEVELS:
        source.complain(("level", line), f"level of {where} is {texts['level']!r}; write one of {', '.join(LEVELS)}.")
    if any(len(text) > MAX_TEXT for text in texts.values()):
        source.complain(line, f"a text of {where} is longer than {MAX_TEXT} characters; shorten it.")


def experiment_link(
    source: Source, table: Mapping[str, Any], line: int, where: str, catalogue: Catalogue
) -> ExperimentLink | None:
    """Return the experiment an item or a myth names, checked against the catalogue."""
    value = table.get("experiment")
    if value is None:
        return None
    at = ("experiment", line)
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        source.complain(at, f'experiment of {where} must be a table such as {{ id = "rng-replay", bet = "..." }}.')
        return None
    unknown_keys(source, value, ("id", "set", "bet"), at, f"the experiment of {where}")
    if misshapen(source, value, LINK, at, f"the experiment of {where}"):
        return None
    experiment = catalogue.get(value["id"])
    if experiment is None:
        known = ", ".join(catalogue) or "none"
        source.complain(at, f"there is no experiment {value['id']!r} ({where}); known are {known}.")
        return None
    changed: dict[str, Scalar] = value.get("set", {})
    for fault in experiment.faults(changed):
        source.complain(at, f"{where}: {fault}")
    bet = value.get("bet", "")
    if bet and bet not in experiment.bets:
        source.complain(at, f"{experiment.id} has no bet {bet!r} ({where}); known are {', '.join(experiment.bets)}.")
    return ExperimentLink(value["id"], changed, bet)


def _options(source: Source, table: Mapping[str, Any], line: int, where: str) -> tuple[Option, ...]:
    tables = table.get("option", {})
    if not isinstance(tables, dict):
        source.complain(("option", line), f"options of {where} are written as [item.option.KEY] tables.")
        return ()
    found = []
    for key, value in tables.items():
        at = (key, line)
        if not isinstance(value, dict):
            source.complain(at, f"option {key!r} of {where} must be a table with a text.")
            continue
        unknown_keys(source, value, ("text", "myth"), at, f"option {key!r} of {where}")
        text = normal(text_of(source, value, "text", at, f"option {key!r} of {where}"))
        if not misshapen(source, value, OPTION, at, f"option {key!r} of {where}"):
            found.append(Option(key, text, value.get("myth")))
    texts = [option.text.casefold() for option in found]
    if len(set(texts)) < len(texts):
        source.complain(line, f"two options of {where} read the same; make them differ.", "E6")
    return tuple(found)


def _answer(
    source: Source,
    table: Mapping[str, Any],
    line: int,
    where: str,
    kind: str,
    options: tuple[Option, ...],
    blanks: tuple[Gap, ...],
) -> tuple[str, ...]:
    if kind == "cloze":
        return tuple(gap.accept[0] for gap in blanks)
    if kind == "explain":
        return tuple(option.key for option in options)
    value = table.get("answer", [])
    at = ("answer", line)
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        source.complain(at, f'answer of {where} must be a list of option keys in quotes, such as ["mask"].')
        return ()
    keys = {option.key for option in options}
    if kind in ("choice", "multi"):
        missing = [key for key in value if key not in keys]
        if missing:
            source.complain(
                at,
                f"answer {missing[0]!r} of {where} is not one of its options ({', '.join(sorted(keys)) or 'none'}).",
                "E1",
            )
        if kind == "choice" and len(value) != 1:
            source.complain(at, f"{where} is a choice and has {len(value)} answers; give exactly one.", "E1")
        if kind == "multi" and not 0 < len(value) < len(keys):
            source.complain(at, f"{where} needs at least one right and one wrong option.", "E1")
        if len(options) < 2:
            source.complain(line, f"{where} has {len(options)} options; give at least two.", "E1")
    if kind == "order":
        check_order(source, table, line, where, value, options)
    if kind == "numeric":
        _check_numeric(source, table, line, where, value)
    elif table.get("family"):
        source.complain(("family", line), f"{where} is no numeric item; drop its family.", "E5")
    return tuple(value)


def _check_numeric(source: Source, table: Mapping[str, Any], line: int, where: str, answer: list[str]) -> None:
    family = table.get("family", "")
    if family and family not in FAMILIES:
        source.complain(
            ("family", line),
            f"there is no family {family!r} ({where}); known are {', '.join(sorted(FAMILIES))}.",
            "E5",
        )
    if not family:
        try:
            sound = math.isfinite(float(answer[0]))
        except (IndexError, ValueError):
            sound = False
        if not sound:
            source.complain(line, f"{where} is numeric: give a family, or a number as its answer.", "E5")
    tolerance = table.get("tolerance", 0)
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not 0 <= tolerance < 0.5:
        source.complain(
            ("tolerance", line), f"tolerance of {where} is {tolerance!r}; write a share from 0 to 0.5.", "E5"
        )
    if not isinstance(table.get("unit", ""), str):
        source.complain(("unit", line), f"unit of {where} must be text.", "E5")


def _params(source: Source, table: Mapping[str, Any], line: int, where: str) -> dict[str, tuple[Scalar, ...]]:
    value = table.get("params", {})
    family = FAMILIES.get(table.get("family", ""))
    at = ("params", line) if value else line
    if not isinstance(value, dict):
        source.complain(at, f"params of {where} must be a table of lists.")
        return {}
    params = {}
    for name, values in value.items():
        given = tuple(values) if isinstance(values, list) else (values,)
        if family is not None and name not in family.ranges:
            source.complain(at, f"{name} is no parameter of {family.id} ({where}); it has {', '.join(family.ranges)}.")
        elif family is not None:
            for one in given:
                fault = family.fault(name, one)
                if fault:
                    source.complain(at, f"{where}: {fault}")
        params[name] = given
    return params


def _check_predict(
    source: Source,
    line: int,
    where: str,
    link: ExperimentLink | None,
    options: tuple[Option, ...],
    catalogue: Catalogue,
) -> None:
    if link is None or link.id not in catalogue or link.bet not in catalogue[link.id].bets:
        source.complain(line, f"{where} is a predict item: it needs an experiment with a bet that decides it.")
        return
    choices = set(catalogue[link.id].bets[link.bet].choices)
    keys = {option.key for option in options}
    if keys != choices:
        source.complain(
            line, f"options of {where} must be the keys of the bet {link.bet!r}: {', '.join(sorted(choices))}."
        )
