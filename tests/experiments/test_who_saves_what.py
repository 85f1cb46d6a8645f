"""The experiment that reads autograd's graph: closed forms, a mutant, refusals."""

from __future__ import annotations

import pytest
from torch import nn

from experiments.emit import Refused
from experiments.saved_tensors import who_saves_what
from tests.experiments.support import run


@pytest.mark.parametrize("block", ["transformer", "mlp", "attention", "conv"])
@pytest.mark.parametrize("activation", ["relu", "tanh", "gelu", "silu"])
def test_closed_forms_of_every_block(block: str, activation: str) -> None:
    """Every block with every activation keeps what its closed form says, to the byte."""
    said = run(who_saves_what, block=block, activation=activation, tokens=16)

    assert said.failed == []
    assert said.measured("saved, by hooks") == said.measured("saved")


def test_measures_by_hand() -> None:
    """The block of width 64 on 2·32 tokens keeps 14.0625 units with ReLU and 18.0625 with GELU; units of 16 KiB."""
    said = run(who_saves_what)

    assert said.measured("saved") == (12 + 4 * 32 / 64 + 4 / 64) * 16384
    assert run(who_saves_what, activation="gelu").measured("saved") == (16 + 4 * 32 / 64 + 4 / 64) * 16384
    assert said.measured("what the activation adds") == "nothing"
    assert sum(row["bytes"] for row in said.of("row")) == said.measured("saved")


def test_mutant_that_puts_gelu_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where ReLU is not ReLU, the claims on its bytes fail and the measured factor is 1."""
    monkeypatch.setattr(who_saves_what, "activation", lambda name: nn.GELU())
    said = run(who_saves_what, activation="gelu")

    assert said.failed == ["saved with ReLU"]
    assert said.measured("saved with GELU / with ReLU") == 1


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"width": 100, "heads": 8}, "width 100 does not split into 8 heads; choose a multiple"),
        ({"tokens": 512, "batch": 16, "width": 512}, "would keep .* MiB and a run stops at 256; choose fewer"),
        ({"block": "lstm"}, "block = lstm is not one of transformer"),
    ],
)
def test_refusals(params: dict[str, object], sentence: str) -> None:
    """What does not fit together or is too large is refused in one sentence."""
    with pytest.raises(Refused, match=sentence):
        run(who_saves_what, **params)
