"""The rng-replay experiment, run for real: the loss that stays, the gradients that do not, and its mutants."""

from __future__ import annotations

import pytest
from torch import Tensor, nn

from experiments.randomness import rng_replay
from tests.experiments.support import Said, description, run

DESCRIPTION = description(rng_replay)


@pytest.fixture(scope="module")
def default() -> Said:
    """A run with the defaults."""
    return run(rng_replay)


def test_the_loss_stays_and_the_gradients_go(default: Said) -> None:
    """Loss equal, error zero with the replay and large without, and no error raised: what differs is the gradients."""
    assert default.measured("loss difference") == 0
    assert default.measured("gradient error, replayed") == 0
    assert default.measured("gradient error, not replayed") > 0.5
    assert default.measured("what differs") == "gradients"
    assert [event["kind"] for event in default.of("event")] == ["quiet"]


def test_each_block_is_a_point(default: Said) -> None:
    """Both curves have a point a block; with the replay all lie at zero, without it none does."""
    assert [(p["x"], p["y"]) for p in default.points("replayed")] == [(number, 0.0) for number in (1, 2, 3, 4)]
    assert [p["x"] for p in default.points("not replayed")] == [1, 2, 3, 4]
    assert all(p["y"] > 0 for p in default.points("not replayed"))


@pytest.mark.parametrize("p", [0.1, 0.3, 0.7, 0.9])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_claims_hold_over_the_range(p: float, seed: int) -> None:
    """Whatever dropout and seed, the claims hold; masks agree on p² + (1-p)²."""
    said = run(rng_replay, p=p, seed=seed)

    assert said.failed == []
    assert said.measured("masks that agree") == pytest.approx(p * p + (1 - p) * (1 - p), abs=0.01)


@pytest.mark.parametrize("end", ["min", "max"])
def test_the_ends_of_the_ranges_run(end: str) -> None:
    """All parameters at their least and all at their largest run, and show all that is claimed."""
    assert run(rng_replay, **{name: p[end] for name, p in DESCRIPTION["parameters"].items()}).failed == []


def test_mutant_that_replays_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the replay on where it should be off nothing differs, and the claims on it fail."""
    monkeypatch.setattr(rng_replay, "not_replayed", rng_replay.replayed)
    said = run(rng_replay)

    assert said.failed == ["gradient error, not replayed", "dropped outputs that agree"]
    assert said.measured("what differs") == "nothing"


def test_mutant_that_never_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the replay off where it should be on, the gradients that should be equal are not."""
    monkeypatch.setattr(rng_replay, "replayed", rng_replay.not_replayed)

    assert run(rng_replay).failed == ["gradient error, replayed"]


def test_the_stash_is_one_state_a_checkpoint(default: Said) -> None:
    """Four checkpoints stash four CPU states of 5,056 bytes, however wide the layer is."""
    wide = run(rng_replay, width=256)

    assert [default.measured(name) for name in ("RNG state", "checkpoints that stash", "RNG stash")] == [5056, 4, 20224]
    assert wide.measured("RNG stash") == 20224
    assert run(rng_replay, blocks=12).measured("RNG stash") == 60672


def test_mutant_that_stashes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is checkpointed no state is stashed, and the claim on the stash fails."""
    monkeypatch.setattr(rng_replay, "checkpoint", lambda block, x, **_: block(x))
    said = run(rng_replay)

    assert "RNG stash" in said.failed
    assert said.measured("RNG stash") == 0


def test_an_error_would_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were an error raised in backward, the run would end, claim no silence and say which error."""

    def breaks(block: nn.Module, x: Tensor) -> Tensor:
        out: Tensor = block(x)
        out.register_hook(_complain)
        return out

    monkeypatch.setattr(rng_replay, "not_replayed", breaks)
    said = run(rng_replay)

    assert "no error raised" in said.failed
    assert said.measured("what differs") == "error"
    assert said.of("event")[0]["text"] == "the masks differ"


def _complain(_: Tensor) -> None:
    raise RuntimeError("the masks differ")
