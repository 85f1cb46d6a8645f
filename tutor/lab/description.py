"""From the tables of a NAME.toml to an `Experiment`: every complaint names its line and the remedy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tutor.content.experiments import Bet, Experiment, Flip, Observation, Parameter
from tutor.content.model import Scalar
from tutor.content.source import Source, text_of, unknown_keys
from tutor.content.text import normal

SCHEMA = 1
_TOLERANCE = 0.1
TYPES = ("int", "float", "bool", "choice")
_TEXTS = ("id", "title", "question", "shows", "family", "explanation")
_TABLES = ("parameters", "bets", "observation", "flips", "variations")
_KEYS = ("schema", "version", *_TEXTS, "concepts", "myths", "seconds", *_TABLES)
_PARAMETER_KEYS = ("type", "default", "min", "max", "choices", "unit", "title")
_BET_KEYS = ("id", "kind", "metric", "question", "choices", "unit", "tolerance")
_FLIP_KEYS = ("for", "set", "question", "choices", "answer", "why", "metric", "values", "against")
"""`metric` with `values` or `against` says what a run must measure for each choice; the experiments' tests read it."""


def parse_experiment(source: Source, module: str, script: str) -> Experiment | None:
    """Return the experiment a file describes, or None after complaining to the source."""
    table, before = source.values, len(source.problems)
    if table.get("schema") != SCHEMA:
        source.complain(source.key("schema", 1), f"schema is {table.get('schema')!r}; write schema = {SCHEMA}.")
        return None
    unknown_keys(source, table, _KEYS, 1, "the experiment")
    texts = {key: normal(text_of(source, table, key, 1, "the experiment")) for key in _TEXTS}
    parameters = _parameters(source)
    bets = _bets(source)
    experiment = Experiment(
        id=texts["id"],
        version=_positive(source, "version", whole=True),
        title=texts["title"],
        question=texts["question"],
        shows=texts["shows"],
        family=texts["family"],
        module=module,
        concepts=_words(source, "concepts"),
        myths=_words(source, "myths"),
        seconds=_positive(source, "seconds", whole=False),
        explanation=texts["explanation"],
        parameters=parameters,
        bets=bets,
        observation=_observation(source),
        flips=_flips(source, bets),
        variations=_variations(source),
        source=script,
    )
    _check_sets(source, experiment)
    return experiment if len(source.problems) == before else None


def choices_of(source: Source, table: Mapping[str, Any], line: int, where: str) -> dict[str, str]:
    """Return the choices of a question, key to text, complaining where a text is none."""
    choices = table.get("choices", {})
    if not isinstance(choices, dict):
        source.complain(source.key("choices", line), f'choices of {where} are a table of key = "text".')
        return {}
    return {str(key): normal(text_of(source, choices, key, line, f"the choices of {where}")) for key in choices}


def tables_of(source: Source, key: str) -> list[tuple[Mapping[str, Any], int]]:
    """Return the `[[key]]` tables of a file, each with its line."""
    tables = source.values.get(key, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        source.complain(source.key(key, 1), f"{key} are written as [[{key}]] tables; use double brackets.")
        return []
    lines = source.tables(key)
    return [(table, lines[number] if number < len(lines) else 1) for number, table in enumerate(tables)]


def _parameters(source: Source) -> dict[str, Parameter]:
    tables = source.values.get("parameters", {})
    if not isinstance(tables, dict):
        source.complain(source.key("parameters", 1), "parameters are written as [parameters.NAME] tables.")
        return {}
    found = {}
    for name, table in tables.items():
        line, where = source.table(f"parameters.{name}"), f"parameter {name}"
        if not isinstance(table, dict) or table.get("type") not in TYPES or "default" not in table:
            source.complain(line, f"{where} needs a type (one of {', '.join(TYPES)}) and a default.")
            continue
        unknown_keys(source, table, _PARAMETER_KEYS, line, where)
        found[name] = _parameter(source, name, table, line)
    return found


def _parameter(source: Source, name: str, table: Mapping[str, Any], line: int) -> Parameter:
    kind, where = table["type"], f"parameter {name}"
    low: Any = table.get("min")
    high: Any = table.get("max")
    choices = table.get("choices", [])
    if kind in ("int", "float") and not (_is_number(low) and _is_number(high) and low < high):
        source.complain(line, f"{where} is a number and needs min and max, the smaller first.")
        low = high = None
    if kind == "choice" and not (isinstance(choices, list) and choices and all(isinstance(c, str) for c in choices)):
        source.complain(line, f"{where} is a choice and needs choices, a list of texts.")
        choices = []
    parameter = Parameter(
        name=name,
        type=kind,
        default=table["default"],
        title=normal(text_of(source, table, "title", line, where, required=False)),
        min=low,
        max=high,
        choices=tuple(choices),
        unit=text_of(source, table, "unit", line, where, required=False),
    )
    fault = parameter.fault(parameter.default)
    if fault:
        source.complain(source.key("default", line), f"the default cannot be used: {fault}")
    return parameter


def _bets(source: Source) -> dict[str, Bet]:
    found: dict[str, Bet] = {}
    for table, line in tables_of(source, "bets"):
        id, kind, tolerance = table.get("id"), table.get("kind"), table.get("tolerance", _TOLERANCE)
        where = f"bet {id}"
        unknown_keys(source, table, _BET_KEYS, line, where)
        if not isinstance(id, str) or not id or id in found:
            source.complain(source.key("id", line), f"{where} needs an id of its own.")
            continue
        if kind not in ("choice", "ratio"):
            source.complain(source.key("kind", line), f"kind of {where} is {kind!r}; write choice or ratio.")
        if not _is_number(tolerance) or not 0 < tolerance < 1:
            source.complain(
                source.key("tolerance", line), f"tolerance of {where} is {tolerance!r}; write a share between 0 and 1."
            )
            tolerance = _TOLERANCE
        choices = choices_of(source, table, line, where)
        if kind == "choice" and len(choices) < 2:
            source.complain(line, f"{where} is a choice and needs at least two choices.")
        found[id] = Bet(
            id=id,
            kind=str(kind),
            question=normal(text_of(source, table, "question", line, where)),
            metric=text_of(source, table, "metric", line, where),
            choices=choices,
            unit=text_of(source, table, "unit", line, where, required=False),
            tolerance=float(tolerance),
        )
    return found


def _observation(source: Source) -> Observation | None:
    table = source.values.get("observation")
    if table is None:
        return None
    line, where = source.table("observation"), "the observation"
    if not isinstance(table, dict):
        source.complain(source.key("observation", 1), "the observation is written as one [observation] table.")
        return None
    unknown_keys(source, table, ("question", "metric", "choices"), line, where)
    choices = choices_of(source, table, line, where)
    if len(choices) < 2:
        source.complain(line, f"{where} needs at least two choices.")
    question = normal(text_of(source, table, "question", line, where))
    return Observation(question, text_of(source, table, "metric", line, where), choices)


def _flips(source: Source, bets: Mapping[str, Bet]) -> tuple[Flip, ...]:
    found = []
    for number, (table, line) in enumerate(tables_of(source, "flips"), start=1):
        where = f"flip {number}"
        unknown_keys(source, table, _FLIP_KEYS, line, where)
        texts = {key: text_of(source, table, key, line, where) for key in ("for", "question", "answer", "why")}
        choices = choices_of(source, table, line, where)
        if texts["for"] and texts["for"] not in bets:
            known = ", ".join(bets) or "none"
            source.complain(
                source.key("for", line), f"{where} is for an unknown bet {texts['for']!r}; known are {known}."
            )
        if len(choices) < 2 or texts["answer"] not in choices:
            source.complain(
                source.key("answer", line),
                f"answer of {where} must be one of its choices ({', '.join(choices)}), at least two.",
            )
        settings = _set(source, table, line, where)
        found.append(
            Flip(texts["for"], settings, normal(texts["question"]), choices, texts["answer"], normal(texts["why"]))
        )
    return tuple(found)


def _variations(source: Source) -> tuple[Mapping[str, Scalar], ...]:
    found = []
    for number, (table, line) in enumerate(tables_of(source, "variations"), start=1):
        unknown_keys(source, table, ("set",), line, f"variation {number}")
        found.append(_set(source, table, line, f"variation {number}"))
    return tuple(found)


def _set(source: Source, table: Mapping[str, Any], line: int, where: str) -> dict[str, Scalar]:
    settings = table.get("set")
    if not isinstance(settings, dict):
        source.complain(line, f"{where} needs the parameters it changes: set = {{ name = value }}.")
        return {}
    return settings


def _check_sets(source: Source, experiment: Experiment) -> None:
    """Complain where a flip or a variation sets what no run could use."""
    for key, sets in (("flips", [flip.set for flip in experiment.flips]), ("variations", experiment.variations)):
        for settings, line in zip(sets, source.tables(key), strict=False):
            for fault in experiment.faults(settings):
                source.complain(source.key("set", line), fault)


def _words(source: Source, key: str) -> tuple[str, ...]:
    value = source.values.get(key, [])
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        source.complain(source.key(key, 1), f"{key} must be a list of ids in quotes.")
        return ()
    return tuple(value)


def _positive(source: Source, key: str, *, whole: bool) -> Any:
    value: Any = source.values.get(key)
    if not _is_number(value) or value <= 0 or (whole and not isinstance(value, int)):
        source.complain(source.key(key, 1), f"{key} is {value!r}; write a {'whole ' if whole else ''}number above 0.")
        return 1
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
