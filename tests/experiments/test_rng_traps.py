"""The rng-traps experiment: what each trap measures, and what a run says where a trap is not one."""

from __future__ import annotations

import pytest
from torch import Tensor

from experiments.models import call
from experiments.randomness import rng_traps
from tests.experiments.support import Said, run


@pytest.fixture(scope="module")
def default() -> Said:
    """A run with the defaults."""
    return run(rng_traps)


def test_the_generator_of_its_own_is_not_replayed(default: Said) -> None:
    """The default stream gives the mask again, the other agrees on half of it, and its gradients are far off."""
    assert default.measured("masks that agree, default stream") == 1
    assert default.measured("masks that agree, own generator") == pytest.approx(0.5, abs=0.02)
    assert default.measured("gradient error, own generator") > 0.5
    assert default.measured("own generator") == "silent"


def test_batchnorm_moves_twice(default: Said) -> None:
    """Two updates instead of one, 1.9 times as far at momentum 0.1, and gradients that hide it."""
    assert [default.measured(f"BatchNorm updates, {name}") for name in ("plain", "checkpointed")] == [1, 2]
    assert default.measured("running mean moved") == pytest.approx(1.9, abs=1e-3)


def test_the_check_compares_metadata(default: Said) -> None:
    """Other values pass, another shape and another dtype raise."""
    rows = {row["replay_with_other"]: row["backward"] for row in default.of("row") if row["table"] != "masks"}

    assert rows == {"values": "silent", "shape": "error", "dtype": "error"}


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("seed", [1, 2])
def test_claims_hold_over_the_range(p: float, seed: int) -> None:
    """Whatever dropout and seed, also on the smallest layer."""
    assert run(rng_traps, p=p, seed=seed, width=64, batch=64).failed == []


def test_mutant_without_checkpointing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is replayed no trap shuts, and the claims on all three fail."""
    monkeypatch.setattr(rng_traps, "checkpointed", call)
    said = run(rng_traps)

    assert {"gradient error, own generator", "BatchNorm updates, checkpointed", "check, other shape"} <= set(
        said.failed
    )
    assert said.measured("own generator") == "replayed"
    assert said.measured("BatchNorm") == "once"
    assert said.measured("what the check sees") == "nothing"


def test_without_the_check_another_shape_breaks_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the check off another shape comes through to backward's arithmetic, whose error says nothing of a replay."""

    def unchecked(region: rng_traps.Region, x: Tensor) -> Tensor:
        out: Tensor = rng_traps.checkpoint(region, x, use_reentrant=False, determinism_check="none")
        return out

    monkeypatch.setattr(rng_traps, "checkpointed", unchecked)
    with pytest.raises(RuntimeError, match="size of tensor"):
        rng_traps.checked({"width": 64, "batch": 64}, rng_traps.CHANGES["shape"])
