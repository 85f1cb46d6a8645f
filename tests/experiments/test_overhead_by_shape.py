"""The overhead of four shapes: FLOPs to the digit, the mutant, the refusal. Times are shown and not tested."""

from __future__ import annotations

import pytest

from experiments.emit import Refused
from experiments.models import call
from experiments.recomputation import overhead_by_shape
from tests.experiments.support import run

SMALL = {"tokens": 128, "vocabulary": 1024, "pairs": 3}


def test_flops_of_the_four_shapes() -> None:
    """Replayed over step, by hand: the ratio is closest to 4/3 where attention rules and least where the head does."""
    said = run(overhead_by_shape, pairs=3)

    assert said.failed == []
    block, last, head = 12 * 64**2 + 4 * 256 * 64, 2 * 64**2, 2 * 64 * 64  # a token of the model with long sequences
    by_hand = 1 + 2 * (block - last) / (3 * (2 * block + head))
    assert said.measured("FLOPs ratio, attention") == pytest.approx(by_hand)
    ratios = [said.measured(f"FLOPs ratio, {model}") for model in ("attention", "tiny", "MLP", "vocabulary")]
    assert ratios == pytest.approx([1.2989, 1.2264, 1.2020, 1.0667], abs=1e-4)
    assert [len(said.points(model)) for model in ("tiny", "attention", "MLP", "vocabulary")] == [3, 3, 3, 3]
    assert all(p["y"] > 0 for p in said.of("point"))


def test_mutant_that_checkpoints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is replayed no FLOPs are added, and the claims on all four models fail."""
    monkeypatch.setattr(overhead_by_shape, "full_checkpoint", call)
    failed = run(overhead_by_shape, **SMALL).failed

    assert {f"FLOPs replayed, {model}" for model in ("tiny", "attention", "MLP", "vocabulary")} <= set(failed)


def test_a_run_that_would_take_long_is_refused() -> None:
    """The remedy names what makes it long."""
    with pytest.raises(Refused, match=r"GFLOP .* choose fewer pairs or tokens, or a smaller vocabulary"):
        run(overhead_by_shape, vocabulary=32768, pairs=25)
