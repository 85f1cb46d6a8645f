"""The peak at the loss of a large vocabulary: measured digits, mutants, refusals."""

from __future__ import annotations

import pytest
from torch import Tensor, nn

from experiments.emit import Refused
from experiments.saved_tensors import logits_peak
from tests.experiments.support import by_default, run

SMALL = {"layers": 2, "width": 32, "tokens": 64, "batch": 2, "vocabulary": 4096}
MIB = 2**20


def test_measures_of_the_default_run() -> None:
    """Whole 48.76 MiB, three copies of 16 MiB above 0.76; eight chunks 8.87 MiB; the peak is the gradient of the logits."""
    said = by_default(logits_peak)

    assert said.failed == []
    assert said.measured("peak, whole") / MIB == pytest.approx(48.76, abs=0.005)
    assert said.measured("peak, chunked") / MIB == pytest.approx(8.868, abs=0.005)
    assert [row["operation"] for row in said.of("row")] == ["_log_softmax_backward_data"] * 2
    for name in ("whole", "chunked"):
        assert max(p["y"] for p in said.points(name)) * MIB == said.measured(f"peak, {name}")


def test_more_chunks_stop_helping_at_three_gradients_of_the_head() -> None:
    """With 16 chunks and with 32 the gradient of the head's weight rules: 2 MiB three times, and the hidden states."""
    sixteen, more = (run(logits_peak, chunks=chunks).measured("peak, chunked") for chunks in (16, 32))

    assert sixteen == pytest.approx(more, rel=0.002)
    assert sixteen / MIB == pytest.approx(6.88, abs=0.01)


def test_mutant_chunks_without_checkpointing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks that keep their logits for backward hold all of them, and the claim on the peak fails."""

    def plain(work: object, head: nn.Module, rows: Tensor, wanted: Tensor, use_reentrant: bool) -> Tensor:
        return logits_peak.summed_loss(head, rows, wanted)

    monkeypatch.setattr(logits_peak, "checkpoint", plain)

    assert run(logits_peak, **SMALL).failed == ["peak, chunked"]


def test_mutant_a_name_left_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loss that keeps its logits by mistake holds four copies, and the claims on the whole peak fail."""
    monkeypatch.setattr(logits_peak, "whole_loss", logits_peak.named_loss)
    said = run(logits_peak, **SMALL)

    assert {"peak, whole", "copies of the logits"} <= set(said.failed)
    assert said.measured("copies of the logits") == "four"


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"chunks": 3}, "512 tokens do not split into 3 equal chunks; choose a number that divides 512"),
        ({"vocabulary": 16384, "batch": 16}, "ask for .* MiB of activations .* choose a smaller vocabulary"),
    ],
)
def test_what_cannot_run_is_refused(params: dict[str, int], sentence: str) -> None:
    """Unequal chunks and peaks that are too large are refused before anything runs."""
    with pytest.raises(Refused, match=sentence):
        run(logits_peak, **params)
