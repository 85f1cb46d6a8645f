"""What ranks hold under DDP, ZeRO-1 and FSDP2, to the byte, and what a step's peak is made of."""

from __future__ import annotations

import sys

import pytest
from torch.optim import AdamW

from experiments.emit import Refused
from experiments.models import call
from experiments.sharding import zero_shards
from tests.experiments.support import Said, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="ranks are forked on Linux alone")

SMALL = {"ranks": 2, "width": 64, "tokens": 32, "vocabulary": 128}
COUNT = 2 * (12 * 64**2 + 13 * 64) + 128 * 64 + 32 * 64 + 2 * 64 + 128 * 64


@pytest.fixture(scope="module")
def small() -> Said:
    """A run on two ranks."""
    return run(zero_shards, **SMALL)


def test_bytes_by_hand(small: Said) -> None:
    """DDP holds 4 + 4 + 8 bytes a parameter, FSDP2 half of each; ZeRO-1 about half of the moments."""
    assert small.failed == []
    held = {kind: [small.measured(f"{part}, {kind}") for part in zero_shards.PARTS] for kind in zero_shards.KINDS}

    assert held["DDP"] == [4 * COUNT, 4 * COUNT, 8 * COUNT]
    assert held["FSDP2"] == [2 * COUNT, 2 * COUNT, 4 * COUNT]
    assert held["ZeRO-1"][:2] == [4 * COUNT, 4 * COUNT]
    assert 4 * COUNT <= held["ZeRO-1"][2] < 4.2 * COUNT
    assert small.measured("share, FSDP2") == 0.5
    assert small.measured("what ZeRO-1 divides") == "moments"


def test_curves_start_at_one_process(small: Said) -> None:
    """Each kind starts at 16 bytes a parameter; on two ranks DDP stays, FSDP2 halves."""
    ends = {kind: [point["y"] for point in small.points(kind)] for kind in zero_shards.KINDS}

    assert (ends["DDP"], ends["FSDP2"]) == ([16, 16], [16, 8])
    assert ends["ZeRO-1"] == [16, pytest.approx(12, abs=0.2)]


def test_mutant_that_shards_and_recomputes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole moments on each rank, and a stack without checkpointing: the claims on both fail, and the bet says so."""
    first, second, (what, precision, _) = zero_shards.STACK
    monkeypatch.setattr(zero_shards, "STACK", (first, second, (what, precision, call)))
    monkeypatch.setattr(zero_shards, "shard_state", lambda model: AdamW(model.parameters()))
    said = run(zero_shards, **SMALL)

    assert said.failed == ["moments, ZeRO-1", "peak, FSDP2 + bf16 + checkpointing below FSDP2 + bf16"]
    assert said.measured("what ZeRO-1 divides") == "nothing"


@pytest.mark.parametrize(("factor", "choice"), [(1.0, "not"), (1.3, "less"), (3.3, "less"), (3.9, "ranks")])
def test_how_far_the_peak_fell(factor: float, choice: str) -> None:
    """The key of the bet for a peak that fell by `factor` on four ranks."""
    assert zero_shards.how_far(factor, 4) == choice


def test_steps_that_take_long_are_refused() -> None:
    """Every rank takes the step on this machine: one sentence with the remedy."""
    with pytest.raises(Refused, match="Every rank takes such a step on this machine; choose fewer"):
        run(zero_shards, layers=8, width=256, tokens=128, batch=8)
