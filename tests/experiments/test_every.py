"""Every experiment of the catalogue, run for real: claims, predictions, reruns, variations and flips."""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.experiments.support import ROOT, Said, by_default, by_default_apart, chosen, description, run, run_apart
from tests.messages import gather
from tutor.content.facts import not_shown
from tutor.content.load import load_library
from tutor.lab.catalogue import load_catalogue
from tutor.lab.glossary import pieces, template
from tutor.paths import resources

CATALOGUE, _ = load_catalogue(resources("experiments"))
LIBRARY = load_library([resources("decks")], "en", CATALOGUE)
MODULES = sorted(
    f"experiments.{file.parent.name}.{file.stem}"
    for file in (ROOT / "experiments").glob("*/*.toml")
    if "." not in file.stem
)
APART = {"experiments.optimizer_state.optimizer_oom"}
"""Those that limit a process's memory need one of their own."""
SMALL: dict[str, dict[str, Any]] = {
    "checkpoint": {"layers": 2},
    "fits-on-gpu": {"layers": 2},
    "optimizer-oom": {"layers": 2, "width": 64, "tokens": 16, "batch": 2},
    "zero-shards": {"ranks": 2, "width": 64, "tokens": 32, "vocabulary": 128},
}
"""What is run twice to see that it repeats, where the defaults take seconds and are held to digits or to exact formulas anyway."""
PHRASES = {text for entry in gather() for text in entry}
CODE = re.compile(r"[,:/+ ]*|[\w.]+ [\dx]+|[\dx ]+|[A-Z]\w*|[\w-]*\d[\w-]*|\w*_\w+|\w+\.\w+|add|bool")
"""Nothing, an operation's argument with its shape, a shape, an operation of autograd, a format, an attribute."""
_TERMS = (
    "adafactor adagrad adam adamw amsgrad momentum rmsprop sgd attention autocast batch checkpointing dtype eval inference_mode k linears"
    " live matmuls no_grad q reentrant split train v views"
)
TERMS = {"8-bit Adam", *_TERMS.split()}
"""What is called the same in every language: optimizers, modes of torch, names of curves and policies."""
REPEATS = ("B", "FLOP", "calls", "choice", "B/param", "tensors", "count")
"""Units of what a rerun must measure again to the last digit."""


def described(name: str) -> dict[str, Any]:
    """Return an experiment's TOML."""
    return description(importlib.import_module(name))


def listed(text: str) -> bool:
    """Return whether a text is among the phrases that are translated."""
    return template(text) in PHRASES


@dataclass(frozen=True)
class Runs:
    """What an experiment said with its defaults, twice with the same parameters, with each variation and with each flip."""

    default: Said
    again: list[Said]
    varied: list[Said]
    flipped: list[Said]

    @property
    def all(self) -> list[Said]:
        """Every run."""
        return [self.default, *self.again, *self.varied, *self.flipped]


@cache
def all_runs(name: str) -> Runs:
    """Return the runs of an experiment, each made once."""
    words = described(name)
    variations, flips = ([entry["set"] for entry in words.get(kind, [])] for kind in ("variations", "flips"))
    small = SMALL.get(words["id"])
    again = [small, small] if small else [{}]
    sets = [*again, *variations, *flips]
    if name in APART:
        default, said = by_default_apart(name), run_apart(name, sets)
    else:
        module = importlib.import_module(name)
        default, said = by_default(module), [run(module, **params) for params in sets]
    rest = iter(said)
    twice = [next(rest) for _ in again]
    varied = [next(rest) for _ in variations]
    return Runs(default, twice if small else [default, *twice], varied, list(rest))


class Every:
    """What is asked of each experiment; one class each, so that the tests of one share its runs in one process."""

    name: str

    def test_every_claim_holds(self) -> None:
        """With the defaults all that is claimed is shown, something is claimed, and every predicted measure is measured."""
        said = all_runs(self.name).default

        assert said.failed == []
        assert said.of("claim")
        assert {p["name"] for p in said.of("prediction")} <= {m["name"] for m in said.of("measure")}

    def test_theory_says_what_is_measured(self) -> None:
        """A choice that theory predicts came true, so that a bet can be derived."""
        said = all_runs(self.name).default

        for prediction in said.of("prediction"):
            if prediction["unit"] == "choice":
                assert said.measured(prediction["name"]) == prediction["value"], prediction["name"]

    def test_a_rerun_measures_the_same(self) -> None:
        """Bytes, FLOPs and counts repeat to the last digit; the peaks of several processes do not, and say so by their unit."""
        first, second = all_runs(self.name).again
        exact = [m for m in first.of("measure") if m["unit"] in REPEATS]

        assert exact
        assert exact == [m for m in second.of("measure") if m["unit"] in REPEATS]

    def test_variations_hold(self) -> None:
        """A parameter set that transfers are made from shows all that is claimed."""
        assert described(self.name)["variations"]
        assert [said.failed for said in all_runs(self.name).varied] == [[] for _ in described(self.name)["variations"]]

    def test_flips_hold(self) -> None:
        """The answer of a bet without a run is what the run shows."""
        runs = all_runs(self.name)
        for flip, said in zip(described(self.name).get("flips", []), runs.flipped, strict=True):
            assert chosen(flip, runs.default, said) == flip["answer"], flip["question"]

    def test_the_items_that_name_it_are_confirmed(self) -> None:
        """What each question rests on is shown by a run with the defaults; `test_links.py` does the same for other parameters."""
        experiment = next(one for one in CATALOGUE.values() if one.module == self.name)
        result = all_runs(self.name).default.result(experiment, {})
        for item in LIBRARY.items.values():
            if item.experiment and item.experiment.id == experiment.id and not item.experiment.set:
                assert list(not_shown(item, experiment, result)) == []

    def test_what_it_says_can_be_translated(self) -> None:
        """Each name, title, note, head and cell is among the phrases of `words.txt`, part by part, or is code or a term of the field."""
        texts = {text for said in all_runs(self.name).all for text in said.texts()}
        found = {piece for text in texts for piece in pieces(text, listed)}
        assert {piece for piece in found if not listed(piece) and not CODE.fullmatch(piece)} - TERMS == set()

    def test_something_can_be_seen(self) -> None:
        """A run draws a curve or fills a table, and its observation is settled by a measure."""
        said = all_runs(self.name).default

        assert said.of("point") or said.of("row")
        assert (
            said.measured(described(self.name)["observation"]["metric"])
            in described(self.name)["observation"]["choices"]
        )


globals().update({f"Test_{name.rpartition('.')[2]}": type("Test", (Every,), {"name": name}) for name in MODULES})
