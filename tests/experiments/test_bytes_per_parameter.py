"""Bytes a parameter: digits by hand, an 8-bit Adam that learns, mutants and refusals."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from experiments.emit import Refused
from experiments.optimizer_state import bytes_per_parameter as lesson
from experiments.optimizer_state.eight_bit import BLOCK, EightBitAdam, compress, expand
from tests.experiments.support import by_default, run

SMALL = {"layers": 1, "width": 64, "tokens": 16, "vocabulary": 64}


def test_digits_of_the_reference_model() -> None:
    """3.44 million parameters: whole copies 4, 8 and 12 bytes, Adafactor 0.037, blockwise 8 bits 2 + 8/256."""
    said = by_default(lesson)
    rows = {row["optimizer"]: row["state"] for row in said.of("row") if row["table"] == "state"}

    assert rows["sgd"] == 0
    assert rows["momentum"] == 4
    assert rows["adafactor"] == pytest.approx(0.037, abs=5e-4)
    assert rows["8-bit-adam"] == pytest.approx(2 + 8 / BLOCK, abs=1e-4)
    assert rows["amsgrad"] == pytest.approx(12, abs=1e-3)
    assert said.measured("AdamW, bf16 + fp32 master") == pytest.approx(16, abs=1e-3)


@pytest.mark.parametrize(
    ("optimizer", "before", "after"),
    [
        ("sgd", "zero", "zero"),
        ("adagrad", "four", "four"),
        ("amsgrad", "zero", "twelve"),
        ("8-bit-adam", "zero", "less"),
    ],
)
def test_each_choice_can_come_true(optimizer: str, before: str, after: str) -> None:
    """Another optimizer makes another answer right, as theory says: Adagrad has its sums before the first step."""
    said = run(lesson, optimizer=optimizer, **SMALL)

    for name, value in (("state before the first step", before), ("state of the optimizer", after)):
        assert said.measured(name) == said.theory(name) == value


def test_mutant_counter_blind_to_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """A count that misses the state fails every claim but those of optimizers without any."""
    monkeypatch.setattr(lesson, "state_bytes", lambda optimizer: 0)
    said = run(lesson, **SMALL)

    assert "state, adamw" in said.failed
    assert "state, sgd" not in said.failed


def test_mutant_without_a_master_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the master copy is left out the recipe is 8 bytes, not 16."""
    monkeypatch.setattr(lesson, "master_copy", lambda weights: weights)
    said = run(lesson, **SMALL)

    assert "AdamW, bf16 + fp32 master" in said.failed
    assert said.measured("mixed precision") == "smaller"


def test_eight_bits_stay_within_half_a_level() -> None:
    """Packed and unpacked, a number is off by less than a level of its block; a small root never becomes zero."""
    values = torch.randn(1000, generator=torch.Generator().manual_seed(0))
    back = expand(*compress(values, 127), values.shape)
    roots = expand(*compress(values.abs(), 255), values.shape)

    assert (back - values).abs().max() <= values.abs().max() / 127 / 2 + 1e-6
    assert (roots > 0).all()
    assert expand(*compress(torch.zeros(10), 255), torch.Size([10])).abs().max() == 0


def test_eight_bit_adam_learns_as_adamw_does() -> None:
    """On a small regression the loss after 40 steps is within a fifth of AdamW's, and far below the start."""

    def losses(make: type[torch.optim.Optimizer]) -> list[float]:
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(16, 64), nn.GELU(), nn.Linear(64, 4))
        x, y = torch.randn(128, 16), torch.randn(128, 4)
        engine = make(model.parameters(), lr=1e-2)  # type: ignore[call-arg]
        seen = []
        for _ in range(40):
            loss = (model(x) - y).square().mean()
            engine.zero_grad()
            loss.backward()
            engine.step()
            seen.append(loss.item())
        return seen

    packed, whole = losses(EightBitAdam), losses(torch.optim.Adam)
    assert packed[-1] < packed[0] / 2
    assert packed[-1] == pytest.approx(whole[-1], rel=0.2)


def test_what_cannot_run_is_refused() -> None:
    """Heads that do not split the width are refused in one sentence."""
    with pytest.raises(Refused, match="width 100 does not split"):
        run(lesson, width=100, heads=8)
