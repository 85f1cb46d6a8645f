"""The step inside backward: digits, the hook left out, gradients not freed, refusals."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from experiments.emit import Refused
from experiments.optimizer_state import step_in_backward as lesson
from tests.experiments.support import by_default, run

SMALL = {"layers": 4, "width": 64, "tokens": 16, "vocabulary": 64}


def test_four_bytes_a_parameter_are_gone() -> None:
    """All gradients are 4 bytes a parameter; in backward the largest is 4·(4d·d), and the peak falls from 16 to near 12."""
    said = by_default(lesson)
    parameters = said.measured("gradients, after backward") / 4

    assert said.measured("gradients, in backward") == 4 * 4 * 256 * 256
    assert said.measured("peak, after backward") / parameters == pytest.approx(16.4, abs=0.2)
    assert said.measured("peak, in backward") / parameters == pytest.approx(12.9, abs=0.2)


def test_mutant_without_the_hook(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the hooks nothing steps: gradients stay and the weights have not moved."""
    monkeypatch.setattr(lesson, "step_in_backward", lambda model: None)
    said = run(lesson, **SMALL)

    assert {"gradients, in backward", "weights"} <= set(said.failed)
    assert said.measured("weights") == "frozen"
    assert said.measured("gradients held") == "all"


def test_mutant_that_frees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the hook steps and keeps the gradient, nothing is saved though the weights are right."""

    def step_alone(model: nn.Module) -> None:
        for weight in model.parameters():
            engine = torch.optim.AdamW([weight], lr=1e-3, foreach=False)
            weight.register_post_accumulate_grad_hook(lambda _, engine=engine: engine.step())

    monkeypatch.setattr(lesson, "step_in_backward", step_alone)
    said = run(lesson, **SMALL)

    assert "gradients, in backward" in said.failed
    assert said.measured("gradients held") == "all"


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"batch": 3, "micro_batches": 2}, "A batch of 3 does not split into 2; choose a divisor"),
        ({"layers": 12, "width": 384, "batch": 1}, "ask for .* MiB .* choose fewer layers"),
    ],
)
def test_what_cannot_run_is_refused(params: dict[str, int], sentence: str) -> None:
    """Batches that do not split and models that are too large are refused in one sentence."""
    with pytest.raises(Refused, match=sentence):
        run(lesson, **params)
