"""The experiment on the modes of a forward pass: mutants, values, refusals."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from torch import nn

from experiments.emit import Refused
from experiments.saved_tensors import eval_vs_no_grad
from tests.experiments.support import by_default, run

SMALL = {"layers": 2, "width": 32, "tokens": 16, "batch": 2, "vocabulary": 32}


def test_measures_by_hand() -> None:
    """Six blocks of 20 + 4/128 units, two inputs and the log-probabilities; no_grad peaks at 17 units of 256 KiB."""
    said = by_default(eval_vs_no_grad)

    assert said.measured("saved, train") / 2**18 == pytest.approx(6 * (20 + 4 / 128) + 2 + 4, rel=1e-3)
    assert said.measured("saved, eval") == said.measured("saved, train")
    assert said.measured("held, train") == pytest.approx(said.measured("saved, train"), rel=0.001)
    assert said.measured("peak, no_grad") == 17 * 2**18
    assert (said.measured("held, no_grad"), said.measured("held, inference_mode")) == (4, 4)


def test_eval_frees_what_dropout_kept_and_no_more() -> None:
    """With dropout a block keeps 17 + 3hT/d units in training, and 16 + hT/d in eval, norms' statistics aside."""
    said = run(eval_vs_no_grad, **SMALL, dropout=0.5)

    assert said.failed == []
    assert said.measured("what eval keeps") == "less"
    dropped = said.measured("saved, train") - said.measured("saved, eval")
    assert dropped == 2 * (1 + 2 * 4 * 16 / 32) * (4 * 2 * 16 * 32)


def test_curves_stay_up_with_a_graph_and_come_down_without() -> None:
    """The curve of train ends near its top, that of no_grad where it began."""
    said = by_default(eval_vs_no_grad)

    assert said.points("train")[-1]["y"] > 0.9 * max(p["y"] for p in said.points("train"))
    assert said.points("no_grad")[-1]["y"] < 0.5 * max(p["y"] for p in said.points("no_grad"))


def test_mutant_that_records_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no_grad does nothing, the claims on it fail."""
    monkeypatch.setattr(eval_vs_no_grad, "without_graph", nullcontext)
    said = run(eval_vs_no_grad, **SMALL)

    assert said.failed == ["saved, no_grad", "held, no_grad", "peak, no_grad"]
    assert said.measured("what no_grad keeps") == "same"


def test_mutant_whose_eval_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where dropout goes on in eval, the closed form without it does not hold."""
    monkeypatch.setattr(nn.Module, "train", lambda self, mode=True: self)

    assert "saved, eval" in run(eval_vs_no_grad, **SMALL, dropout=0.5).failed


def test_refusals() -> None:
    """Too much to keep, or heads that do not fit, are refused in one sentence."""
    with pytest.raises(Refused, match="width 100 does not split into 8 heads"):
        run(eval_vs_no_grad, width=100, heads=8)
    with pytest.raises(Refused, match=r"keep .* MiB of activations and a run stops at 256; choose fewer"):
        run(eval_vs_no_grad, layers=24, width=64, tokens=512)
