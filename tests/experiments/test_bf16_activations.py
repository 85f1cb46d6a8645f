"""Saved bytes in three precisions: values measured before, mutants, refusals."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest
import torch

from experiments.emit import Refused
from experiments.precision import bf16_activations
from tests.experiments.support import run

SMALL = {"layers": 2, "width": 32, "tokens": 32, "batch": 4, "vocabulary": 64}


def test_values_measured_before() -> None:
    """d256 L6 T128 B8, fused: 100.2 MiB in fp32, 66.95 under autocast, 50.15 in pure bf16."""
    said = run(bf16_activations, width=256, layers=6, batch=8, attention="sdpa")

    assert said.failed == []
    for precision, measured in (("float32", 100.2), ("autocast", 66.95), ("bfloat16", 50.15)):
        assert said.measured(f"saved, {precision}") / 2**20 == pytest.approx(measured, abs=0.02)


@pytest.mark.parametrize("attention", ["scores", "sdpa"])
def test_rows_add_up_and_name_their_formats(attention: str) -> None:
    """The table's columns are the measured bytes; norms and loss are fp32 under autocast, Linears bf16."""
    said = run(bf16_activations, **SMALL, attention=attention)
    rows = {row["term"]: row for row in said.of("row")}

    for precision in bf16_activations.PRECISIONS:
        assert sum(row[precision] for row in rows.values()) == said.measured(f"saved, {precision}")
    assert rows["norm inputs"]["autocast_keeps"] == rows["log-probabilities"]["autocast_keeps"] == "float32"
    assert rows["Linear inputs"]["autocast_keeps"] == rows["copies of weights"]["autocast_keeps"] == "bfloat16"
    assert rows["copies of weights"]["float32"] == 0


def test_with_few_tokens_autocast_keeps_more() -> None:
    """A single sequence of 8 tokens: the copies of weights outweigh all else, and every term is still exact."""
    said = run(bf16_activations, **SMALL | {"batch": 1, "tokens": 8})

    assert said.failed == []
    assert said.measured("left under autocast") == "more"


def test_mutant_without_autocast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where autocast does nothing, nothing gets narrower, no weight is copied, and the claims fail."""
    monkeypatch.setattr(bf16_activations, "cast_for_matmuls", nullcontext)
    said = run(bf16_activations, **SMALL)

    assert {"saved, autocast", "Linear inputs, autocast", "weights under autocast"} <= set(said.failed)
    assert said.measured("left under autocast") == "same"
    assert said.measured("weights under autocast") == "untouched"


def test_the_cache_of_casts_adds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The copies of weights are one a weight with or without autocast's cache, since each weight is used once."""
    monkeypatch.setattr(
        bf16_activations, "cast_for_matmuls", lambda: torch.autocast("cpu", torch.bfloat16, cache_enabled=False)
    )

    assert run(bf16_activations, **SMALL).failed == []


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"width": 100, "heads": 8}, "does not split into 8 heads"),
        ({"layers": 16, "tokens": 512, "width": 64}, r"keep .* MiB in fp32 and a run stops at 128; choose fewer"),
    ],
)
def test_refusals(params: dict[str, Any], sentence: str) -> None:
    """What does not fit or is too large is refused in one sentence."""
    with pytest.raises(Refused, match=sentence):
        run(bf16_activations, **params)
