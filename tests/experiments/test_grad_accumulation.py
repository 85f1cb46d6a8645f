"""Gradient accumulation: measured digits, mutants, refusals."""

from __future__ import annotations

import pytest
from torch import Tensor, nn

from experiments.emit import Refused
from experiments.saved_tensors import grad_accumulation
from tests.experiments.support import run

SMALL = {"layers": 2, "width": 64, "tokens": 32, "vocabulary": 128}
MIB = 2**20


@pytest.mark.parametrize(("micro_batches", "peak"), [(2, 10.776), (4, 5.392), (8, 2.731)])
def test_peaks(micro_batches: int, peak: float) -> None:
    """The whole batch needs 21.543 MiB above the ground; k micro-batches about a k-th, and the gradients are the same."""
    said = run(grad_accumulation, micro_batches=micro_batches)

    assert said.failed == []
    assert said.measured("peak, whole batch") / MIB == pytest.approx(21.543, abs=0.01)
    assert said.measured("peak, micro-batches") / MIB == pytest.approx(peak, abs=0.01)
    assert said.measured("relative difference of gradients, fp32") < 1e-6
    assert said.measured("relative difference of gradients, fp64, loss divided") < 1e-14


def test_without_the_division_gradients_are_k_times_as_large() -> None:
    """The sum of four means is four times the mean of all, and what is claimed says so."""
    said = run(grad_accumulation, divide=False, **SMALL)

    assert said.failed == []
    assert said.measured("gradients") == "times-k"
    assert said.measured("scale of gradients") == pytest.approx(4, rel=1e-5)


def test_mutant_one_backward_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Micro-batches whose losses are summed before one backward keep all activations: the claim on the peak fails alone."""

    def at_the_end(model: nn.Module, ids: Tensor, targets: Tensor, micro_batches: int, divide: bool = True) -> None:
        parts = zip(ids.chunk(micro_batches), targets.chunk(micro_batches), strict=True)
        losses = [model(*part) for part in parts]
        (sum(losses[1:], losses[0]) / micro_batches).backward()

    monkeypatch.setattr(grad_accumulation, "accumulate", at_the_end)
    said = run(grad_accumulation, **SMALL)

    assert said.failed == ["peak, micro-batches"]
    assert said.measured("what shrinks") == "nothing"


def test_mutant_gradients_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where each micro-batch starts from zero, the last one's gradients are left and the claims on them fail."""
    whole = grad_accumulation.accumulate

    def from_zero(model: nn.Module, ids: Tensor, targets: Tensor, micro_batches: int, divide: bool = True) -> None:
        for part in zip(ids.chunk(micro_batches), targets.chunk(micro_batches), strict=True):
            model.zero_grad(set_to_none=False)
            whole(model, *part, 1)

    monkeypatch.setattr(grad_accumulation, "accumulate", from_zero)
    said = run(grad_accumulation, **SMALL)

    assert {"gradients", "gradients in fp64, loss divided"} == set(said.failed)
    assert said.measured("gradients") == "other"


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"micro_batches": 3}, "8 sequences do not split into 3 equal micro-batches; choose a batch that 3 divides"),
        (
            {"layers": 12, "tokens": 256, "batch": 16, "width": 64, "heads": 8},
            "The whole batch asks for .* MiB of activations .* choose fewer layers",
        ),
    ],
)
def test_what_cannot_run_is_refused(params: dict[str, int], sentence: str) -> None:
    """Unequal micro-batches and peaks that are too large are refused before anything runs."""
    with pytest.raises(Refused, match=sentence):
        run(grad_accumulation, **params)
