"""Offloading saved tensors to the disk: measured digits, mutants, refusals, and no file left."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from torch import Tensor

from experiments.emit import Refused
from experiments.instruments.saved import saved_for_backward
from experiments.models import GPT, batch_of
from experiments.recomputation import offload
from tests.experiments.support import by_default, run
from tutor.formulas.gpt import Shape

SMALL = {"layers": 2}
MIB = 2**20


def test_measures_of_the_default_run() -> None:
    """14.25 MiB written and 16.25 read, 1.5 and 2 with checkpointing; 28 KiB stay; the four peaks in MiB."""
    said = by_default(offload)

    assert said.failed == []
    assert [said.measured(f"{what}, offloaded") / MIB for what in ("written", "read")] == [14.25, 16.25]
    assert [said.measured(f"{what}, both") / MIB for what in ("written", "read")] == [1.5, 2.0]
    assert said.measured("held after forward, offloaded") == 29_192
    peaks = [said.measured(f"peak, {way}") / MIB for way in offload.WAYS]
    assert peaks == pytest.approx([15.28, 3.756, 1.651, 3.131], abs=0.005)
    assert max(p["y"] for p in said.points("offloaded")) * MIB == said.measured("peak, offloaded")


def test_what_is_written_is_what_autograd_saves() -> None:
    """The bytes written are those of a plain forward's saved tensors, but for the small ones that stay."""
    shape = Shape(layers=2, width=128, heads=4, tokens=64, batch=4, vocabulary=512)
    model = GPT(shape)
    with saved_for_backward(model) as saved:
        loss = model(*(tensor.cpu() for tensor in batch_of(shape, 0)))
    written = run(offload, **SMALL).measured("written, offloaded")

    assert loss.requires_grad
    assert 0 <= saved.bytes - written < 0.01 * saved.bytes


def test_no_file_is_left_even_where_a_run_dies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The file has no name in its directory while bytes are written to it, so that no ending can leave it there."""
    seen: list[list[Path]] = []
    fetch = offload.Disk.fetch

    def look(self: offload.Disk, *args: object) -> Tensor:
        seen.append(list(tmp_path.iterdir()))
        return fetch(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(offload.Disk, "fetch", look)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    run(offload, **SMALL)

    assert len(seen) > 10
    assert all(names == [] for names in seen)


def test_mutant_that_keeps_the_tensors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks that write nothing leave all in memory, and the claims say so."""
    monkeypatch.setattr(offload.Disk, "pack", lambda self, tensor: tensor)
    said = run(offload, **SMALL)

    assert {"peak, offloaded", "written, offloaded", "read, both", "left in memory"} <= set(said.failed)
    assert said.measured("left in memory") == "all"


def test_mutant_that_reads_from_the_wrong_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the bytes come back from elsewhere, no claim on bytes notices, and the gradients do."""
    fetch = offload.Disk.fetch
    monkeypatch.setattr(offload.Disk, "fetch", lambda self, place, *rest: fetch(self, 0 * place, *rest))

    assert run(offload, **SMALL).failed == ["gradients"]


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"batch": 1}, "Tensors below 64 KiB stay in memory; choose a larger batch"),
        ({"layers": 12, "batch": 16, "tokens": 128}, "This step saves .* MiB .* choose fewer layers"),
    ],
)
def test_what_cannot_run_is_refused(params: dict[str, int], sentence: str) -> None:
    """Tensors that would not be written, and more bytes than a run may move, are refused before anything runs."""
    with pytest.raises(Refused, match=sentence):
        run(offload, **params)
