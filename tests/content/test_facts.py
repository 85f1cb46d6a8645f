"""Executable facts: every number of the shipped decks computes, and what does not is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support import choice
from tutor.content.experiments import Bet
from tutor.content.facts import by_formula, not_shown, wrong_numbers
from tutor.content.load import load_library
from tutor.content.model import ExperimentLink, Item
from tutor.content.runs import Claim, Measure, Prediction, RunResult
from tutor.lab.catalogue import load_catalogue
from tutor.paths import resources

CATALOGUE, _ = load_catalogue(resources("experiments"))
ITEMS = load_library([resources("decks")], "en", CATALOGUE).items.values()


def written(answer: str = "512", *, why: str = "", source: str = "arithmetic: 8·16·1024²·4 / 2^20") -> Item:
    """Return a numeric item without a family."""
    return choice(
        "n-1", "mem.units", kind="numeric", options=(), answer=(answer,), tolerance=0.01, why=why, sources=(source,)
    )


def test_no_number_of_the_shipped_decks_is_wrong() -> None:
    """Each equation holds, and each numeric answer is computed."""
    assert [fault for item in ITEMS for fault in wrong_numbers(item)] == []


def test_every_numeric_item_is_confirmed_by_a_formula() -> None:
    """A family, or arithmetic that comes to the answer."""
    assert [item.id for item in ITEMS if item.kind == "numeric" and not by_formula(item)] == []


def test_arithmetic_that_comes_to_the_answer_confirms_it() -> None:
    """In a source or in the explanation, under another prefix of the unit too."""
    assert by_formula(written())
    assert by_formula(written("8.39", why="2 · 4096 · 1024 = 8,388,608", source="a book"))
    assert not by_formula(written("513.9", source="a book"))


def test_an_answer_that_nothing_computes_is_named() -> None:
    """With the remedy."""
    (fault,) = wrong_numbers(written("600"))
    assert "n-1" in fault and "600" in fault and "arithmetic:" in fault


def test_an_equation_that_does_not_hold_is_named() -> None:
    """With what it comes to."""
    (fault,) = wrong_numbers(written(why="Half of it: 512 / 2 = 265."))
    assert "512 / 2 = 265" in fault and "256" in fault


def test_a_key_with_the_number_computed_is_confirmed() -> None:
    """A choice whose explanation computes another number than its key is not."""
    item = choice("c-1", "mem.units")
    key = item.answer[0]
    options = tuple(replace(o, text="256 MiB") if o.key == key else o for o in item.options)
    assert by_formula(replace(item, options=options, why="512 / 2 = 256"))
    assert not by_formula(replace(item, options=options, why="512 / 4 = 128"))


EXPERIMENT = replace(
    next(iter(CATALOGUE.values())),
    id="e",
    bets={"b": Bet("b", "choice", "?", "what", {"x": "", "y": ""}), "r": Bet("r", "ratio", "?", "ratio", tolerance=0.1)},
)  # fmt: skip


def linked(bet: str) -> Item:
    """Return an item that leads to the experiment."""
    return replace(choice("c-1", "mem.units"), experiment=ExperimentLink("e", {}, bet))


def ended(value: float | str = "x", *, ending: str = "passed", held: bool = True, theory: float = 2.0) -> RunResult:
    """Return what a run showed."""
    return RunResult(
        ending, "" if ending == "passed" else "It did not.", 1.0,
        predictions=(Prediction("ratio", "~", theory),),
        measures=(Measure("what" if isinstance(value, str) else "ratio", value),),
        claims=(Claim("less", 1, "<", 2, held),),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("bet", "result", "words"),
    [
        ("b", ended(), ""),
        ("b", ended(held=False, ending="failed"), "did not show less"),
        ("b", ended("z"), "no choice of its bet b"),
        ("b", ended(2.0), "measured no what"),
        ("b", ended(ending="crashed"), "did not end (crashed)"),
        ("r", ended(2.1), ""),
        ("r", ended(2.6), "measured 2.6, but its formula says 2"),
    ],
)
def test_what_a_run_did_not_show_is_named(bet: str, result: RunResult, words: str) -> None:
    """Claims, the measure a bet is decided on, and theory beside it."""
    faults = list(not_shown(linked(bet), EXPERIMENT, result))
    assert len(faults) == bool(words)
    assert words in "".join(faults)
