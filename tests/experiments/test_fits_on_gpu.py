"""The fits-on-gpu experiment on few blocks of the true width: closed forms, sharding, the mutants, the refusal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch

from experiments.emit import Refused
from experiments.instruments.fake import estimate, sharded_peak, train
from experiments.instruments.ledger import Ledger
from experiments.optimizers import Factored, MasterCopy
from experiments.sharding import fits_on_gpu
from tests.experiments.support import run
from tutor.formulas import llama

BLOCKS = {"layers": 2, "budget_gb": 10}
SMALL = llama.Shape(layers=2, width=64, heads=4, hidden=172, tokens=32, batch=2, vocabulary=100)
PLAIN = {"checkpoint": False, "precision": "fp32", "optimizer": "adamw", "foreach": True}


@pytest.fixture
def bf16() -> Iterator[None]:
    """Tensors are bf16 unless told otherwise."""
    torch.set_default_dtype(torch.bfloat16)
    yield
    torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize(
    "params",
    [
        {"optimizer": "factored", "batch": 4},
        {"precision": "bf16-master", "foreach": False},
        {"precision": "fp32", "checkpoint": True, "batch": 4, "ranks": 16},
    ],
    ids=str,
)
def test_the_closed_form_holds(params: dict[str, object]) -> None:
    """Settings beside the default and the variations."""
    assert run(fits_on_gpu, **BLOCKS, **params).failed == []


def test_one_step_to_settle_is_enough() -> None:
    """The optimizer's step alone gives the same second step as a whole first one."""
    job = fits_on_gpu.job_of(SMALL, PLAIN)
    short, whole = estimate(job), estimate(replace(job, settle=False))

    assert short.points == whole.points
    assert short.category_points == whole.category_points


def test_fake_equals_real() -> None:
    """A small LLaMA of real tensors fills the ledger with the same points."""
    job = replace(fits_on_gpu.job_of(SMALL, PLAIN | {"checkpoint": True}), settle=False)
    real = Ledger()
    train(job, real)

    assert estimate(job).points == real.points


def test_mutant_without_checkpointing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where checkpointing does nothing, the peak is not the closed form's."""
    monkeypatch.setattr(fits_on_gpu, "keep_input", fits_on_gpu.keep_all)

    assert "peak" in run(fits_on_gpu, **BLOCKS, batch=8, checkpoint=True).failed


def test_mutant_loop_where_all_at_once_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the optimizer takes one tensor at a time, the peak is lower."""
    loop = fits_on_gpu.optimizer_of
    monkeypatch.setattr(fits_on_gpu, "optimizer_of", lambda params: loop(params | {"foreach": False}))

    assert "peak" in run(fits_on_gpu, **BLOCKS, tokens=128).failed


def test_shards() -> None:
    """At rest a rank of 8 holds an eighth; in backward it holds a unit's weights and gradients beside it, and all activations."""
    ledger = Ledger()
    ledger.points = [(1, 1000, "forward"), (2, 1300, "backward"), (3, 1600, "optimizer.step")]
    ledger.category_points = [
        {"parameter": 800, "activation": 200},
        {"parameter": 800, "gradient": 400, "activation": 100},
        {"parameter": 800, "gradient": 800},
    ]
    ledger.peak = 1600

    assert sharded_peak(ledger, 1, 50) == 1600
    assert sharded_peak(ledger, 8, 50) == 150 + 100 + 2 * 50
    assert sharded_peak(ledger, 8, 0) == 100 + 200


@pytest.mark.usefixtures("bf16")
def test_optimizers_lower_a_loss() -> None:
    """The factored one and the master copy train for real, and the copy keeps what bf16 would round away."""
    for make in (Factored, lambda weights: MasterCopy(weights, lambda copies: torch.optim.SGD(copies, lr=1e-4))):
        torch.manual_seed(0)
        layer, x = torch.nn.Linear(8, 8), torch.randn(16, 8)
        optimizer, losses = make(layer.parameters()), []
        for _ in range(300):
            loss = layer(x).float().square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
        assert losses[-1] < losses[0]
        assert any(state for state in optimizer.state.values())


def test_a_long_run_is_refused() -> None:
    """More checkpointed layers than a short run takes are refused in one sentence."""
    with pytest.raises(Refused, match="replay of 48 layers is a long run; choose at most 36"):
        run(fits_on_gpu, layers=48, checkpoint=True)
