"""Segments of a chain and of blocks, on few layers: the curve's digits, the mutants, the refusal."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from torch import Tensor, nn

from experiments.emit import Refused
from experiments.instruments.ledger import Ledger
from experiments.recomputation import sqrt_schedule
from tests.experiments.support import run

SMALL = {"layers": 16, "blocks": 9}


def test_the_curve_of_a_short_chain() -> None:
    """16 layers: boundaries and segment, one gradient, a quarter for the weight's; nine blocks are best one by one."""
    said = run(sqrt_schedule, **SMALL)

    assert said.failed == []
    assert {p["x"]: round(p["y"], 1) for p in said.points("chain")} == {
        1: 18.3, 2: 11.3, 3: 10.3, 4: 9.3, 5: 10.3, 8: 11.3, 16: 18.3,
    }  # fmt: skip
    assert [p["x"] for p in said.points("blocks")] == [1, 3, 5, 9]
    assert said.measured("best segments, blocks") == 9
    assert [row["saved"] for row in said.of("row")] == [4 * 256 * (256 + 3 * 32), 4 * 256 * 4 * 256]


def test_mutant_that_checkpoints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where segments change nothing the U is flat: the claims on the curves and on the saved bytes fail."""

    def plainly(layers: nn.Sequential, x: Tensor, starts: Sequence[int]) -> Tensor:
        out: Tensor = layers(x)
        return out

    monkeypatch.setattr(sqrt_schedule, "segmented", plainly)
    failed = set(run(sqrt_schedule, **SMALL).failed)

    assert {
        "chain in 4 segments",
        "best segments, chain",
        "blocks in 9 segments",
        "root of L against the best",
    } <= failed
    assert {"saved, narrow cuts", "peak, narrow cuts against wide"} <= failed


def test_mutant_ledger_that_never_subtracts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where what is freed stays counted, the laws are not met."""
    monkeypatch.setattr(Ledger, "_freed", lambda self, key, size: self._category.pop(key))

    assert {"chain in 4 segments", "blocks in 9 segments"} <= set(run(sqrt_schedule, **SMALL).failed)


@pytest.mark.parametrize("narrow", [8, 96])
def test_narrow_cuts_win_over_the_whole_range(narrow: int) -> None:
    """At both ends of its range the narrow cuts have the lower peak."""
    assert run(sqrt_schedule, **SMALL, narrow=narrow).failed == []


def test_a_chain_without_a_whole_root_is_refused() -> None:
    """The remedy names the squares on both sides."""
    with pytest.raises(Refused, match=r"30 has no whole square root .* choose 25 or 36 layers"):
        run(sqrt_schedule, layers=30)
