"""Materialised scores against the fused kernel: curves, values by hand, mutants, refusals."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
import torch

from experiments.attention import attention_memory
from experiments.emit import Refused
from experiments.models import Attention
from tests.experiments.support import by_default, run
from tutor.formulas.gpt import Shape


def test_values_by_hand() -> None:
    """1024 tokens, 4 heads, width 128: 37 units of 512 KiB materialised, 16 MiB of scores; 5.03125 units fused."""
    said = by_default(attention_memory)

    assert said.measured("saved, materialised") == 37 * 2**19
    assert said.measured("saved, fused") == 5.03125 * 2**19
    assert said.measured("scores kept") == 16 * 2**20
    assert said.measured("largest difference") < 1e-6


def test_a_parabola_and_a_line() -> None:
    """From point to point tokens double; the line doubles with them, the parabola's steps grow towards four."""
    said = run(attention_memory, tokens=512)
    lines, parabola = ([p["y"] for p in said.points(name)] for name in ("fused", "materialised"))

    assert [b / a for a, b in pairwise(lines)] == [2, 2, 2]
    growth = [b / a for a, b in pairwise(parabola)]
    assert growth == sorted(growth)
    assert 2 < growth[0] < growth[-1] < 4


def test_mutant_that_is_never_fused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the kernel is not fused after all, the claims on bytes, growth, rows and peak fail."""
    monkeypatch.setattr(attention_memory, "attention", lambda shape, fused: Attention(shape))
    said = run(attention_memory, tokens=256)

    assert {"saved at 256 tokens, fused", "fused at twice the tokens", "peak, fused"} <= set(said.failed)
    assert said.measured("what fused keeps of the scores") == "all"
    assert said.measured("materialised / fused") == 1


def test_mutant_that_computes_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the fused kernel sees the future, outputs are apart and the claim on the difference fails."""

    def careless(shape: Shape, fused: bool) -> Attention:
        made = original(shape, fused)
        if not fused:
            made.future = torch.zeros_like(made.future)
        return made

    original = attention_memory.attention
    monkeypatch.setattr(attention_memory, "attention", careless)

    assert run(attention_memory, tokens=128).failed == ["largest difference"]


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"tokens": 2048, "heads": 16, "batch": 2}, r"take .* MiB and a run stops at 128; choose fewer"),
        ({"tokens": 100}, "100 tokens cannot be halved three times; choose a multiple of 8"),
        ({"width": 100, "heads": 8}, "does not split into 8 heads"),
    ],
)
def test_refusals(params: dict[str, Any], sentence: str) -> None:
    """What does not fit or is too large is refused in one sentence."""
    with pytest.raises(Refused, match=sentence):
        run(attention_memory, **params)
