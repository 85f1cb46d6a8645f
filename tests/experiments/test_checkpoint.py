"""The checkpoint experiment, run for real and small: its claims, its mutants, its refusals."""

from __future__ import annotations

import pytest

from experiments.emit import Refused
from experiments.instruments.ledger import Ledger
from experiments.models import call
from experiments.recomputation import checkpoint
from tests.experiments.support import Said, by_default, description, run

SMALL = {"layers": 4, "width": 64, "tokens": 64, "batch": 2, "vocabulary": 128}
DESCRIPTION = description(checkpoint)


@pytest.fixture(scope="module")
def default() -> Said:
    """A run with the defaults."""
    return by_default(checkpoint)


def test_measures_of_the_default_run(default: Said) -> None:
    """Twelve blocks run 12 and 24 times, a step costs 1.233 of the plain FLOPs, 7 % of the saved bytes are left."""
    assert default.measured("block calls, plain") == 12
    assert default.measured("block calls, checkpointed") == 24
    assert default.measured("FLOPs ratio") == pytest.approx(1.2326, abs=1e-4)
    assert default.measured("saved ratio") == pytest.approx(0.0733, abs=1e-4)


def test_variants_of_the_default_run(default: Said) -> None:
    """Early stop off and reentrant cost 1.326: 11.476 G for 8.657 G, the last Linears included."""
    assert default.measured("FLOPs ratio, early stop off") == pytest.approx(11.476 / 8.657, abs=1e-4)
    assert default.measured("FLOPs ratio, reentrant") == default.measured("FLOPs ratio, early stop off")
    assert default.measured("whole blocks again") == "off-and-reentrant"
    assert [row["share_of_blocks_forward"] for row in default.of("row")] == [0.714, 1.0, 1.0]


def test_both_curves_are_drawn(default: Said) -> None:
    """Each curve has enough points to see its shape, keeps the measured peak, and moves from forward to backward."""
    for name in ("plain", "checkpointed"):
        points = default.points(name)

        assert 40 <= len(points) <= 200
        assert max(p["y"] for p in points) * 2**20 == default.measured(f"peak, {name}")
        assert [p["x"] for p in points] == sorted(p["x"] for p in points)
        assert [points[0]["phase"], points[-1]["phase"]] == ["forward", "backward"]


def test_points_come_while_the_step_runs() -> None:
    """The plain curve is sent before the checkpointed run begins: the screen draws from the start."""
    kinds = [(m["type"], m.get("series", m.get("name"))) for m in run(checkpoint, **SMALL).messages]

    assert kinds.index(("point", "plain")) < kinds.index(("series", "checkpointed"))
    assert kinds.index(("series", "plain")) + 1 == kinds.index(("point", "plain"))


def test_a_rerun_measures_the_same() -> None:
    """Bytes, FLOPs, calls and points repeat to the last digit."""
    first, second = (run(checkpoint, **SMALL) for _ in range(2))

    assert first.of("measure") == second.of("measure")
    assert first.of("point") == second.of("point")


def test_mutant_without_the_technique(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where checkpointing does nothing, the claims on memory and calls fail and the measure says that nothing changed."""
    monkeypatch.setattr(checkpoint, "full_checkpoint", call)
    said = run(checkpoint, **SMALL)

    assert {"saved ratio", "peak ratio", "block calls, checkpointed", "FLOPs ratio"} <= set(said.failed)
    assert said.measured("what changes") == "nothing"


def test_mutant_early_stop_left_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where early stop stays on, its variant does not add a whole forward, and the bet's measure names another choice."""
    monkeypatch.setattr(checkpoint, "early_stop_off", checkpoint.full_checkpoint)
    said = run(checkpoint, **SMALL)

    assert "FLOPs added, early stop off" in said.failed
    assert said.measured("whole blocks again") == "one"


def test_mutant_ledger_that_never_subtracts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger that misses what is freed cannot show a lower peak, and the claims on it fail."""
    monkeypatch.setattr(Ledger, "_freed", lambda self, key, size: self._category.pop(key))

    assert {"peak ratio", "peak, checkpointed"} <= set(run(checkpoint, **SMALL).failed)


def test_one_block_saves_little_and_says_so() -> None:
    """With a single block the whole block is rebuilt at the peak: the claim on the peak is not shown, nothing is faked."""
    said = run(checkpoint, layers=1)

    assert said.failed == ["peak ratio"]
    assert said.measured("peak, checkpointed") / said.measured("peak, plain") > 0.75


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"width": 100, "heads": 8}, "width 100 does not split into 8 heads; choose a multiple"),
        ({"layers": 48, "width": 512, "tokens": 512}, "A step of this size takes .* GFLOP .* choose fewer layers"),
        ({"width": 32, "heads": 8, "tokens": 512, "batch": 16}, "ask for .* MiB of activations .* choose fewer"),
        ({"layers": 0}, "layers = 0 is out of range; it goes from 1 to 48"),
        ({"depth": 3}, "depth is not a parameter of checkpoint; it has layers"),
    ],
)
def test_what_cannot_run_is_refused(params: dict[str, int], sentence: str) -> None:
    """Sizes that do not fit together, are too large or are unknown are refused in one sentence, before any message."""
    with pytest.raises(Refused, match=sentence) as refusal:
        run(checkpoint, **params)

    assert "\n" not in str(refusal.value)


def test_the_smallest_model_runs() -> None:
    """All parameters at their least still run to the end."""
    least = {name: p["min"] for name, p in DESCRIPTION["parameters"].items()}

    assert run(checkpoint, **least).of("done")
