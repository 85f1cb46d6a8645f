"""The lora experiment: bytes to the digit, the packing itself, its mutants, its refusals."""

from __future__ import annotations

import pytest
import torch

from experiments.emit import Refused
from experiments.optimizer_state import lora
from tests.experiments.support import Said, by_default, run

SMALL = {"layers": 2, "width": 64, "tokens": 32, "vocabulary": 64}


@pytest.fixture(scope="module")
def default() -> Said:
    """A run with the defaults."""
    return by_default(lora)


def test_what_shrinks_and_what_stays(default: Said) -> None:
    """Adapters leave 98.7 % of the saved bytes, 68.2 on qkv alone; trainable, gradients and state as counted by hand."""
    assert default.measured("saved ratio, all Linears") == pytest.approx(98.95 / 100.2, abs=5e-4)
    assert default.measured("saved ratio, qkv only") == pytest.approx(68.4 / 100.2, abs=5e-4)
    assert default.measured("trainable, all Linears") == 196_608
    assert default.measured("gradients, qkv only") == 4 * 49_152
    assert default.measured("what shrinks") == "state"


def test_the_base_is_really_packed(default: Said) -> None:
    """0.53125 bytes a weight, and not a byte more is saved than with the fp32 base."""
    packed, fp32 = (default.measured(f"Linear weights, all Linears{end}") for end in (", 4-bit", ""))

    assert packed == fp32 / 4 * 0.53125
    assert default.measured("saved, all Linears, 4-bit") == default.measured("saved, all Linears")


def test_packing_by_hand() -> None:
    """Two codes a byte, the largest of a block hit exactly, each weight within half a step, and gradients that fit."""
    weight = torch.randn(8, 16, generator=torch.Generator().manual_seed(0))
    codes, scales = lora.pack(weight, 16)
    back = lora.unpack(codes, scales, weight.shape)

    assert (codes.dtype, codes.nbytes, scales.nbytes) == (torch.uint8, 64, 16)
    assert bool(((back - weight).abs() <= 0.51 * scales.float()).all())
    x = torch.randn(3, 16, requires_grad=True)
    lora.multiply(x, codes, scales, weight.shape).sum().backward()
    assert x.grad is not None
    assert torch.allclose(x.grad, back.sum(0).expand(3, 16), atol=1e-6)


def test_mutant_that_trains_the_base(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is frozen, trainable parameters, gradients and state grow instead, and the claims on them fail."""
    monkeypatch.setattr(lora, "freeze", lambda model: None)
    said = run(lora, **SMALL)

    assert {"trainable, all Linears", "gradients, all Linears", "optimizer state, qkv only"} <= set(said.failed)
    assert said.measured("what shrinks") == "nothing"


def test_mutant_that_keeps_unpacked_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain matmul with the unpacked weight saves that weight in fp32 for backward, and the claim on it fails."""
    monkeypatch.setattr(lora, "multiply", lambda x, codes, scales, shape: x @ lora.unpack(codes, scales, shape).T)

    assert run(lora, **SMALL).failed == ["saved, all Linears, 4-bit"]


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"width": 100, "heads": 4}, "100 × 100 weights do not fill blocks of 64; choose a multiple of 16"),
        ({"width": 100, "heads": 8}, "width 100 does not split into 8 heads"),
        ({"block": 48}, "256 × 256 weights do not fill blocks of 48; .* a power of two as block"),
    ],
)
def test_what_cannot_run_is_refused(params: dict[str, int], sentence: str) -> None:
    """Sizes that do not fit together are refused in one sentence."""
    with pytest.raises(Refused, match=sentence):
        run(lora, **params)


def test_the_smallest_model_holds() -> None:
    """All that is claimed holds on a small model with a rank of one, too."""
    assert run(lora, **SMALL, rank=1, batch=1, block=16).failed == []
