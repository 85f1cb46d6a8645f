"""Experiments in the learner's language: an overlay `NAME.LANG.toml` beside `NAME.toml`, read when an experiment is first looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tutor.content.experiments import Bet, Catalogue, Experiment, Flip, Observation, Parameter, Translated
from tutor.content.model import BASE, Problem
from tutor.content.passages import FLIPS, Passage, passages
from tutor.content.source import Source, read_toml, unknown_keys

_KEYS = ("schema", "experiment", "lang", "about", "parameters", "bets", "observation", FLIPS)


def overlay_path(experiment: Experiment, lang: str) -> Path:
    """Return where an experiment's texts in `lang` lie, whether or not they are there."""
    return Path(experiment.source).with_suffix(f".{lang}.toml")


def spoken(catalogue: Catalogue, lang: str) -> Catalogue:
    """Return the catalogue in `lang`. An overlay is opened when its experiment is looked at first, so a start opens none."""
    return (
        catalogue if lang == BASE else Translated(catalogue, lambda experiment: translate_experiment(experiment, lang))
    )


def translate_experiment(experiment: Experiment, lang: str) -> Experiment:
    """Return the experiment with each passage in `lang` where its translation is whole and fresh. Keys and numbers stay."""
    path = overlay_path(experiment, lang)
    if not path.exists():
        return experiment
    values = read_toml(path).values
    said = [(passage, passage.said(values)) for passage in passages(experiment)]
    by_table = {passage.table: texts for passage, texts in said}
    flips = [texts for passage, texts in said if passage.table == (FLIPS,)]
    about, observed = by_table["about",], experiment.observation
    return replace(
        experiment,
        title=about["title"],
        question=about["question"],
        shows=about["shows"],
        explanation=about["explanation"],
        parameters={
            name: _parameter(parameter, by_table.get(("parameters", name), {}))
            for name, parameter in experiment.parameters.items()
        },
        bets={id: _bet(bet, by_table["bets", id]) for id, bet in experiment.bets.items()},
        observation=_observation(observed, by_table["observation",]) if observed else None,
        flips=tuple(_flip(flip, texts) for flip, texts in zip(experiment.flips, flips, strict=True)),
    )


def check_experiments(catalogue: Catalogue, languages: Sequence[str]) -> list[Problem]:
    """Return the problems of the experiments' overlays in `languages`; an experiment without an overlay is no problem."""
    problems: list[Problem] = []
    for experiment in catalogue.values():
        for lang in languages:
            path = overlay_path(experiment, lang)
            if path.exists():
                source = read_toml(path)
                if not source.problems:
                    _check(experiment, lang, source)
                problems += source.problems
    return problems


def _check(experiment: Experiment, lang: str, source: Source) -> None:
    unknown_keys(source, source.values, _KEYS, 1, f"the {lang} overlay of {experiment.id}")
    for key, right in (("experiment", experiment.id), ("lang", lang)):
        if source.values.get(key) != right:
            source.complain(source.key(key, 1), f"{key} is {source.values.get(key)!r}; write {right!r}.")
    translated = list(passages(experiment))
    for passage in translated:
        entry, name = passage.entry(source.values), ".".join(passage.table)
        if entry is None:
            told = f"{name} of {experiment.id} ({passage.of}) has no {lang} text; the English one is shown."
            source.complain(source.table(name), told, "W9", "warning")
            continue
        for rule, fault in passage.faults(entry):
            source.complain(_line(source, passage), f"the {lang} text of {name} of {experiment.id} {fault}", rule)
    for name, of in _orphans(source.values, translated):
        told = f"{name} {of} translates nothing of {experiment.id}; correct it, renew it or drop it."
        source.complain(source.table(name), told, "W9")


def _orphans(values: Mapping[str, Any], translated: Sequence[Passage]) -> Iterator[tuple[str, str]]:
    """Yield the tables of an overlay that no passage has: the name, and of a flip the hash it names."""
    known = {passage.table for passage in translated}
    for outer in ("parameters", "bets"):
        table = values.get(outer, {})
        names = table if isinstance(table, dict) else {"": table}
        yield from ((f"{outer}.{inner}", "") for inner in names if (outer, inner) not in known)
    hashes = {passage.of for passage in translated if passage.table == (FLIPS,)}
    flips = values.get(FLIPS, [])
    for flip in flips if isinstance(flips, list) else [flips]:
        of = flip.get("of") if isinstance(flip, dict) else flip
        if of not in hashes:
            yield FLIPS, repr(of)


def _line(source: Source, passage: Passage) -> int:
    """Return the line of a passage's table; of a flip, the line that names its hash."""
    if passage.table != (FLIPS,):
        return source.table(".".join(passage.table))
    return next((number for number, line in enumerate(source.lines, start=1) if f'"{passage.of}"' in line), 1)


def _parameter(parameter: Parameter, texts: Mapping[str, str]) -> Parameter:
    return replace(parameter, title=texts.get("title", parameter.title))


def _bet(bet: Bet, texts: Mapping[str, str]) -> Bet:
    return replace(bet, question=texts["question"], choices=_choices(bet.choices, texts))


def _observation(observation: Observation, texts: Mapping[str, str]) -> Observation:
    return replace(observation, question=texts["question"], choices=_choices(observation.choices, texts))


def _flip(flip: Flip, texts: Mapping[str, str]) -> Flip:
    return replace(
        flip, question=texts["question"], choices=_choices(flip.choices, texts), why=texts.get("why", flip.why)
    )


def _choices(choices: Mapping[str, str], texts: Mapping[str, str]) -> dict[str, str]:
    return {key: texts[f"choices.{key}"] for key in choices}
