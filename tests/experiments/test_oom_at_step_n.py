"""Four deaths at a later step: when and where, mutants that cure or break one, refusals."""

from __future__ import annotations

import pytest
import torch

from experiments.emit import Refused
from experiments.models import call
from experiments.optimizer_state import oom_at_step_n as lesson
from tests.experiments.support import Said, by_default, run

DEATHS = {"state": "forward-2", "long batch": "forward-3", "kept losses": "validation-6", "evaluation": "evaluation-3"}


@pytest.fixture(scope="module")
def default() -> Said:
    """A run with the defaults."""
    return by_default(lesson)


def test_each_job_dies_when_and_where_it_should(default: Said) -> None:
    """None dies in step 1, each in a phase of its own, and none once it is cured."""
    for cause, death in DEATHS.items():
        assert default.measured(f"{cause}: dies") == death
        assert default.measured(f"{cause}, cured: dies") == "never"


def test_kept_losses_climb_by_what_a_forward_saves(default: Said) -> None:
    """Weights are 3.34 MiB and each sequence leaves 2.38 more: the highest point of the fifth is near 15.2."""
    highest = max(point["y"] for point in default.points("kept losses"))

    assert 3.34 + 5 * 2.38 < highest < 17.1
    assert max(point["y"] for point in default.points("kept losses, cured")) < 3.34 + 2 * 2.38 + 0.5


@pytest.mark.parametrize(
    ("technique", "mutant", "claim"),
    [
        ("keep_loss", lesson.keep_number, "kept losses: dies"),
        ("evaluate", torch.no_grad()(lesson.evaluate), "evaluation: dies"),
        ("full_checkpoint", call, "state, cured: dies"),
    ],
)
def test_mutants(monkeypatch: pytest.MonkeyPatch, technique: str, mutant: object, claim: str) -> None:
    """A leak that is none, an evaluation that saves nothing, and a cure that is none: that one claim does not hold."""
    monkeypatch.setattr(lesson, technique, mutant)

    assert run(lesson).failed == [claim]


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"budget_mb": 10}, "A first step needs 13 MiB; choose a larger budget"),
        ({"width": 100, "heads": 8}, "width 100 does not split"),
    ],
)
def test_what_cannot_run_is_refused(params: dict[str, int], sentence: str) -> None:
    """A budget that fails at once, and heads that do not fit, are refused in one sentence."""
    with pytest.raises(Refused, match=sentence):
        run(lesson, **params)
