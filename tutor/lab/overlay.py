"""An experiment in another language: NAME.<lang>.toml holds the same texts, bets by id, choices by key.

What an overlay lacks keeps the base text; what it names and the base does not have is reported. Keys, numbers and code
never change with the language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from tutor.content.experiments import Bet, Experiment, Flip, Observation
from tutor.content.source import Source, text_of, unknown_keys
from tutor.content.text import normal
from tutor.lab.description import SCHEMA, choices_of, tables_of

Asked = TypeVar("Asked", Bet, Observation, Flip)
_KEYS = ("schema", "lang", "title", "question", "shows", "explanation", "parameters", "bets", "observation", "flips")
_TEXTS = ("title", "question", "shows", "explanation")


def translate(experiment: Experiment, source: Source) -> Experiment:
    """Return the experiment with the texts of an overlay laid over its own."""
    table = source.values
    unknown_keys(source, table, _KEYS, 1, "the overlay")
    if table.get("schema", SCHEMA) != SCHEMA:
        source.complain(source.key("schema", 1), f"schema is {table['schema']!r}; write schema = {SCHEMA}.")
        return experiment
    texts: dict[str, Any] = {
        key: normal(text_of(source, table, key, 1, "the overlay")) for key in _TEXTS if key in table
    }
    parameters = dict(experiment.parameters)
    for name, one in _by_id(source, "parameters", parameters).items():
        title = text_of(source, one, "title", source.table(f"parameters.{name}"), f"parameter {name}", required=False)
        parameters[name] = replace(parameters[name], title=normal(title) or parameters[name].title)
    bets = dict(experiment.bets)
    for id, one in _by_id(source, "bets", bets).items():
        bets[id] = _asked(source, bets[id], one, source.table(f"bets.{id}"), f"bet {id}")
    observation, flips = experiment.observation, list(experiment.flips)
    if observation and isinstance(table.get("observation"), dict):
        observation = _asked(source, observation, table["observation"], source.table("observation"), "the observation")
    for number, (one, line) in enumerate(tables_of(source, "flips")[: len(flips)]):
        flip = _asked(source, flips[number], one, line, f"flip {number + 1}")
        why = normal(text_of(source, one, "why", line, f"flip {number + 1}", required=False))
        flips[number] = replace(flip, why=why or flip.why)
    return replace(experiment, **texts, parameters=parameters, bets=bets, observation=observation, flips=tuple(flips))


def _by_id(source: Source, key: str, known: Mapping[str, object]) -> dict[str, Mapping[str, Any]]:
    """Return the tables of `[key.ID]` whose id the experiment has; the others are reported."""
    tables = source.values.get(key, {})
    if not isinstance(tables, dict) or not all(isinstance(one, dict) for one in tables.values()):
        source.complain(source.key(key, 1), f"{key} of an overlay are written as [{key}.ID] tables.")
        return {}
    for id in tables:
        if id not in known:
            source.complain(
                source.table(f"{key}.{id}"), f"{key} has no {id!r}; known are {', '.join(known) or 'none'}."
            )
    return {id: one for id, one in tables.items() if id in known}


def _asked(source: Source, asked: Asked, table: Mapping[str, Any], line: int, where: str) -> Asked:
    """Return a question with the overlay's wording; choices it does not word keep their own."""
    question = normal(text_of(source, table, "question", line, where, required=False))
    choices = choices_of(source, table, line, where)
    for key in choices:
        if key not in asked.choices:
            source.complain(source.key(key, line), f"{where} has no choice {key!r}; it has {', '.join(asked.choices)}.")
    worded = {key: choices.get(key) or text for key, text in asked.choices.items()}
    return replace(asked, question=question or asked.question, choices=worded)
