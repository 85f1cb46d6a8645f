"""The memory timeline: the drawn cases against theory, mutants, and cases that are too close to bet on."""

from __future__ import annotations

import itertools

import pytest

from experiments.emit import Refused
from experiments.instruments.ledger import Ledger
from experiments.models import call
from experiments.saved_tensors import memory_timeline
from tests.experiments.support import by_default, run

MIB = 2**20


def test_measures_of_the_default_run() -> None:
    """Plain with AdamW: 51.5 MiB in backward, at the gradient of the logits; the four curves add up to it."""
    said = by_default(memory_timeline)

    assert said.failed == []
    assert said.measured("peak, backward") / MIB == pytest.approx(51.51, abs=0.01)
    assert said.of("row")[0]["operation"] == "_log_softmax_backward_data"
    sums = [sum(p["y"] for p in points) for points in zip(*map(said.points, memory_timeline.CATEGORIES), strict=True)]
    assert max(sums) == pytest.approx(said.measured("peak, backward") / MIB, abs=0.05)
    phases = [p["phase"] for p in said.points("gradient")]
    assert 30 <= len(phases) <= 150
    assert list(dict.fromkeys(phases)) == ["forward", "backward", "optimizer.step"]


@pytest.mark.parametrize(
    ("model", "optimizer"), [*itertools.product(("plain", "checkpointed"), memory_timeline.OPTIMIZERS)]
)
def test_drawn_cases_hold(model: str, optimizer: str) -> None:
    """Each model with each optimizer peaks where theory says, and in what it says."""
    assert run(memory_timeline, model=model, optimizer=optimizer).failed == []


def test_checkpointed_with_foreach_peaks_in_the_step() -> None:
    """Five sizes of 5.07 MiB of parameters, at the root of the second moment, as measured."""
    said = run(memory_timeline, model="checkpointed", optimizer="adamw-foreach")

    assert said.measured("phase of the peak") == "step"
    assert said.of("row")[0]["operation"] == "_foreach_sqrt"
    assert said.measured("peak, step") / MIB == pytest.approx(25.38, abs=0.01)


def test_a_first_step_has_no_state_before_it() -> None:
    """The first step's backward is two sizes of the parameters lower than a later one's, and its own step is not."""
    first, later = (run(memory_timeline, first_step=value) for value in (True, False))
    state = 2 * first.points("parameter")[0]["y"] * MIB

    assert later.measured("peak, backward") - first.measured("peak, backward") == pytest.approx(state, rel=0.001)
    assert first.measured("peak, step") == pytest.approx(later.measured("peak, step"), rel=0.001)


def test_mutant_ledger_that_never_subtracts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger that misses what is freed puts every peak at the end, and the claims fail."""
    monkeypatch.setattr(Ledger, "_freed", lambda self, key, size: self._category.pop(key))
    said = run(memory_timeline)

    assert {"peak, backward", "peak, step", "phase of the peak"} <= set(said.failed)


def test_mutant_blocks_that_are_not_checkpointed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where checkpointing does nothing, the peak is not what theory says of checkpointed blocks."""
    monkeypatch.setitem(memory_timeline.MODELS, "checkpointed", (512, call))

    assert {"peak, forward", "peak, backward"} <= set(run(memory_timeline, model="checkpointed").failed)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"layers": 12, "batch": 2}, "two phases lie within 5 %: backward, forward; choose another optimizer"),
        (
            {"layers": 3, "model": "checkpointed", "optimizer": "sgd"},
            "two categories lie within 5 %: activations, parameters; choose",
        ),
        ({"layers": 24, "width": 256, "batch": 4}, "This step asks for .* MiB .* choose fewer layers"),
    ],
)
def test_what_cannot_be_bet_on_is_refused(params: dict[str, int | str], sentence: str) -> None:
    """Two phases or two categories within 5 % of each other, and steps that are too large, are refused before anything runs."""
    with pytest.raises(Refused, match=sentence):
        run(memory_timeline, **params)
