"""State on the host: digits by hand, the state left in place, a copy forgotten, refusals."""

from __future__ import annotations

import pytest
import torch

from experiments.emit import Refused
from experiments.optimizer_state import optimizer_offload as lesson
from tests.experiments.support import Said, run

SMALL = {"layers": 1, "width": 64, "tokens": 16, "vocabulary": 64}


def per_parameter(said: Said, precision: str) -> dict[str, float]:
    parameters = said.measured("up a step") / (4 if precision == "fp32" else 2)
    return {m["name"]: m["value"] / parameters for m in said.of("measure") if m["unit"] == "B"}


@pytest.mark.parametrize(
    ("precision", "device", "way", "share"), [("fp32", 8, 4, 0.5), ("bf16", 4, 2, 0.25)], ids=["fp32", "bf16"]
)
def test_bytes_a_parameter(precision: str, device: int, way: int, share: float) -> None:
    """fp32: 16 become 8, with 4 down and 4 up. bf16 with a master copy: 16 become 4, with 2 and 2; the host holds 12."""
    said = run(lesson, precision=precision, **SMALL)
    held = per_parameter(said, precision)

    assert said.failed == []
    assert held["device, kept"] == pytest.approx(16, abs=0.01)
    assert held["device, offloaded"] == device
    assert held["host, offloaded"] == pytest.approx(12, abs=0.01)
    assert (held["down a step"], held["up a step"]) == (way, way)
    assert said.measured("device share") == pytest.approx(share, abs=0.001)


def test_mutant_state_left_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where copies and moments live on the device after all, the claims on both places fail."""
    monkeypatch.setattr(lesson, "place_of_state", lambda offloaded, on_device, on_host: on_device)

    assert {"device, offloaded", "host, offloaded"} == set(run(lesson, **SMALL).failed)


def test_mutant_weights_never_come_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where new weights stay on the host the device trains on old ones: the copies and the weights show it."""
    monkeypatch.setattr(lesson.Link, "up", lambda self, tensor, onto: None)
    said = run(lesson, **SMALL)

    assert {"up a step", "weights"} == set(said.failed)
    assert (said.measured("what crosses"), said.measured("weights")) == ("gradients", "differ")


def test_a_link_counts_what_it_copies() -> None:
    """Ten fp32 numbers down and ten bf16 ones up are 40 and 20 bytes; what goes down is a copy."""
    link, numbers = lesson.Link(), torch.ones(10)
    below = link.down(numbers)
    link.up(torch.zeros(10, dtype=torch.bfloat16), onto=numbers)

    assert (link.down_bytes, link.up_bytes) == (40, 20)
    assert below.sum() == 10
    assert numbers.sum() == 0


def test_what_cannot_run_is_refused() -> None:
    """A model too large to hold twice is refused in one sentence."""
    with pytest.raises(Refused, match="22 million parameters are too many, a run is kept to 8; choose fewer layers"):
        run(lesson, layers=12, width=384)
