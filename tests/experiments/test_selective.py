"""Policies of selective checkpointing, run for real and small: the digits, the mutants, the refusal."""

from __future__ import annotations

from typing import Any

import pytest
from torch import Tensor, nn

from experiments.emit import Refused
from experiments.instruments.ledger import Ledger
from experiments.recomputation import selective
from tests.experiments.support import run

SMALL = {"layers": 2, "tokens": 128}


def test_digits_of_a_small_run() -> None:
    """128 tokens: 24 of 26 units are held with all matmuls, 7 with the linears, and only the latter compute again."""
    said = run(selective, **SMALL)

    assert said.failed == []
    assert said.measured("held, attention, matmuls") == pytest.approx(0.925, abs=1e-3)
    assert said.measured("held, attention, linears") == pytest.approx(0.309, abs=1e-3)
    assert said.measured("peak, attention, matmuls") == pytest.approx(1.147, abs=1e-3)
    assert said.measured("FLOPs ratio, attention, linears") == pytest.approx(1.127, abs=1e-3)
    assert said.measured("held, MLP, matmuls") == pytest.approx(0.669, abs=1e-3)
    assert said.measured("FLOPs ratio, MLP, matmuls") == 1
    assert len(said.of("row")) == 8


def test_mutant_whose_policy_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the policy is not asked all of a block is computed again, and the claims on the two policies fail."""

    def nothing_kept(kept: Any, block: nn.Module, x: Tensor) -> Tensor:
        return selective.full_checkpoint(block, x)

    monkeypatch.setattr(selective, "selective_checkpoint", nothing_kept)
    said = run(selective, **SMALL)

    assert {"bytes held, attention, matmuls", "FLOPs done again, MLP, linears"} <= set(said.failed)
    assert "peak, all matmuls kept, against plain" in said.failed
    assert said.measured("peak with all matmuls kept") == "lower"


def test_mutant_ledger_that_never_subtracts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where what is freed stays counted, nothing matches the closed forms."""
    monkeypatch.setattr(Ledger, "_freed", lambda self, key, size: self._category.pop(key))

    assert {"bytes held, attention, full", "bytes held, attention, linears"} <= set(run(selective, **SMALL).failed)


def test_too_many_scores_are_refused() -> None:
    """Eight blocks of 512 tokens hold more than a run is kept to."""
    with pytest.raises(Refused, match=r"MiB of activations .* choose fewer tokens or layers"):
        run(selective, layers=8, tokens=512)
