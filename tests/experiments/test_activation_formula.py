"""One layer's saved bytes against the closed form: every mode, mutants, refusals."""

from __future__ import annotations

from typing import Any

import pytest

from experiments.emit import Refused
from experiments.instruments.graph import Kept
from experiments.saved_tensors import activation_formula
from tests.experiments.support import run


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
@pytest.mark.parametrize("mode", [{}, {"dropout": True}, {"attention": "sdpa"}], ids=str)
def test_every_term_in_every_mode(mode: dict[str, Any], precision: str) -> None:
    """Each term is exact to the byte, with dropout, fused, and in pure bfloat16."""
    assert run(activation_formula, tokens=64, batch=3, heads=8, precision=precision, **mode).failed == []


@pytest.mark.parametrize(("tokens", "units"), [(64, 18.09), (128, 20.16), (256, 24.28), (512, 32.53), (1024, 49.03)])
def test_units_against_those_measured_before(tokens: int, units: float) -> None:
    """The units of an earlier measurement counted the causal mask in; here it is a buffer, T/(4Bd) units less."""
    said = run(activation_formula, tokens=tokens // 2, batch=2)

    assert said.measured("saved at twice the tokens") / (4 * 2 * tokens * 128) == pytest.approx(
        units - tokens / (4 * 2 * 128), abs=0.01
    )


def test_pure_bfloat16_is_one_half() -> None:
    """Half the bytes an element, half the bytes of every term."""
    assert run(activation_formula, tokens=64).measured("saved") == 2 * run(
        activation_formula, tokens=64, precision="bfloat16"
    ).measured("saved")


def test_mutant_that_counts_a_storage_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the scores count for softmax and for the matmul behind it, the claims on the sum fail."""
    monkeypatch.setattr(Kept, "counted", property(lambda row: row.bytes))

    assert {"saved, by hooks", "saved at 64 tokens"} <= set(run(activation_formula, tokens=64).failed)


def test_mutant_with_fused_attention(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the scores are not materialised after all, the claims on them and on the sum fail."""
    scores = activation_formula.measure
    monkeypatch.setattr(
        activation_formula,
        "measure",
        lambda shape, params: scores(activation_formula.replace(shape, attention="sdpa"), params),
    )

    assert {"scores", "saved at 64 tokens"} <= set(run(activation_formula, tokens=64).failed)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"dropout": True, "attention": "sdpa"}, "materialises its scores on the CPU; choose scores, or no dropout"),
        ({"tokens": 1024, "heads": 16, "batch": 4}, r"keeps .* MiB and a run stops at 256; choose fewer"),
        ({"width": 100, "heads": 8}, "does not split into 8 heads"),
    ],
)
def test_refusals(params: dict[str, Any], sentence: str) -> None:
    """What is pointless or too large is refused in one sentence."""
    with pytest.raises(Refused, match=sentence):
        run(activation_formula, **params)
