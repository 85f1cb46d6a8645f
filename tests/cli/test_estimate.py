"""`tutor estimate`: lists, computes, shows its working, and says in one sentence what it cannot read."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from tutor.cli.main import main
from tutor.formulas.catalogue import formulas


def estimate(*arguments: str) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["estimate", *arguments], catch_exceptions=False)


def test_without_a_name_all_are_listed() -> None:
    """Each formula with its unit and its source."""
    shown = estimate().stdout
    entries = json.loads(estimate("--json").stdout)

    assert [entry["formula"] for entry in entries] == list(formulas())
    for formula in formulas().values():
        assert f"  {formula.name.partition('.')[2]} " in shown
        assert formula.source in shown
    assert {"formula", "what", "unit", "source", "parameters"} == set(entries[0])


def test_a_result_with_its_working() -> None:
    """The value in a readable unit, names and numbers, each parameter, the source."""
    shown = estimate("ring-all-reduce", "size=1GB", "ranks=8", "bandwidth=400Gbit/s").stdout

    assert shown.startswith("collectives.ring_all_reduce = 35 ms\n")
    assert "2 · (8 - 1) / 8 · 1GB / (400Gbit/s) + 2 · (8 - 1) · 0" in shown
    assert "of one hop [default]" in shown and "[example]" not in shown
    assert "Source: Patarasuk and Yuan 2009" in shown


@pytest.mark.parametrize(
    ("arguments", "value", "text"),
    [
        (("zero.state_bytes", "parameters=7.5e9", "ranks=64", "stage=1"), 31.40625e9, "31.41 GB (29.25 GiB)"),
        (("cache_bytes_per_token", "layers=32", "kv_heads=8", "head_width=128"), 131072, "131.1 kB (128 KiB)"),
        (("training_flops", "parameters=70B", "tokens=15T"), 6.3e24, "6.3 YFLOP"),
        (("bubble", "stages=4", "micro_batches=12"), 0.2, "0.2 (20 %)"),
        (("gated_parameters",), 8030261248, "8.03B params"),
        (("failure_interval", "devices=10000", "mean_life=50000h"), 18000, "5 h"),
        (("amdahl", "share=0,7", "speedup=2"), 1 / 0.65, "1.538 x"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_values_with_units(arguments: tuple[str, ...], value: float, text: str) -> None:
    """Units of the same dimension convert; JSON has the base unit, people the readable one."""
    document = json.loads(estimate(*arguments, "--json").stdout)

    assert document["value"] == pytest.approx(value)
    assert document["text"] == text
    assert document["source"] and document["working"][-1]["value"] == pytest.approx(value)
    given = {argument.partition("=")[0] for argument in arguments[1:]}
    assert {name for name, parameter in document["parameters"].items() if parameter["given"]} == given


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ring",), "did you mean collectives.ring_all_gather, collectives.ring_all_reduce,"),
        (("xyz",), "`tutor estimate` lists them"),
        (("state_bytes",), "'state_bytes' is ambiguous: say "),
        (("bubble", "8"), "'8' is not NAME=VALUE; write stages=8"),
        (("bubble", "depth=8"), "parallel.bubble has no parameter 'depth'; it has stages, micro_batches."),
        (("bubble", "stages=8", "stages=4"), "stages is given twice"),
        (("bubble", "stages=many"), "stages: 'many' is not a number"),
        (("bubble", "stages=8GB"), "stages: 'GB' does not measure what is asked; answer in plain numbers."),
        (("bubble", "stages=0"), "stages = 0 is out of range; it goes from 1."),
        (("bubble", "stages=2.5"), "stages = 2.5 is not whole"),
        (("amdahl", "share=120%"), "share = 120% is out of range; it goes from 0 to 1."),
        (("zero.state_bytes", "stage=4"), "stage = '4' is not one of 0, 1, 2, 3."),
        (("ring_all_gather", "size=3 s"), "size: 's' does not measure what is asked; answer in B."),
        (("spacing", "exponent=1000", "number_format=fp64"), "number_format = 'fp64' is not one of fp32, "),
        (("training_bytes", "parameters=1e308", "bytes_per_parameter=1e9"), "has no result for these values"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_mistakes_get_one_sentence(arguments: tuple[str, ...], words: str) -> None:
    """Exit 2, nothing on stdout, one line that says what to do."""
    result = estimate(*arguments)

    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_every_formula_computes_its_example() -> None:
    """A name alone is enough to see what a formula does."""
    for name in formulas():
        result = estimate(name)
        assert result.exit_code == 0, result.stderr
        assert result.stdout.startswith(f"{name} = ")
