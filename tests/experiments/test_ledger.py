"""The ledger against the allocator's own events and against torch's memory tracker, and its bookkeeping."""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass

import pytest
import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.distributed._tools.mem_tracker import MemTracker

from experiments.instruments.allocator import allocator_peak
from experiments.instruments.ledger import Curve, Ledger, LedgerOutOfMemory, Point
from experiments.models import GPT, Wrap, batch_of, call
from experiments.recomputation.checkpoint import full_checkpoint
from tutor.formulas.gpt import Shape, peak_bytes

SMALL = Shape(layers=4, width=128, heads=4, tokens=128, batch=4, vocabulary=512)
WIDE_VOCABULARY = Shape(layers=2, width=64, heads=4, tokens=128, batch=4, vocabulary=4096)
ALL_STATE = Shape(layers=2, width=256, heads=4, tokens=16, batch=1, vocabulary=64)


@dataclass
class Job:
    """A model and one step of it."""

    model: nn.Module
    step: Callable[[], None]


def gpt_job(shape: Shape, wrap: Wrap = call, adamw: bool = False, foreach: bool = False) -> Job:
    torch.manual_seed(0)
    model = GPT(shape)
    batch = batch_of(shape, seed=0)
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    optimizer = torch.optim.AdamW(model.parameters(), foreach=foreach) if adamw else None

    def step() -> None:
        model(*batch, wrap).backward()
        if optimizer is not None:
            optimizer.step()

    return Job(model, step)


def dropout_job() -> Job:
    layers = (nn.Sequential(nn.Linear(256, 256), nn.ReLU(), nn.Dropout(0.5)) for _ in range(6))
    model, x = nn.Sequential(*layers), torch.randn(512, 256)
    return Job(model, lambda: model(x).square().mean().backward())


JOBS: dict[str, Callable[[], Job]] = {
    "plain": lambda: gpt_job(SMALL),
    "checkpointed": lambda: gpt_job(SMALL, full_checkpoint),
    "wide vocabulary": lambda: gpt_job(WIDE_VOCABULARY),
    "AdamW's first step": lambda: gpt_job(ALL_STATE, adamw=True),
    "AdamW's first step, foreach": lambda: gpt_job(ALL_STATE, adamw=True, foreach=True),
    "dropout": dropout_job,
}


def ledger_of(job: Job) -> tuple[Ledger, int]:
    """Return a ledger that saw the job's step, and what was live before."""
    ledger = Ledger()
    ledger.register_training(job.model)
    base = ledger.live
    with ledger:
        job.step()
    return ledger, ledger.peak - base


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.mark.parametrize("name", JOBS)
def test_agrees_with_the_allocator(name: str) -> None:
    """On each of six models the ledger's peak is within half a percent of the allocator's own events."""
    JOBS[name]().step()  # what torch loads on a first call is not part of the comparison

    allocated = allocator_peak(JOBS[name]().step)
    _, seen = ledger_of(JOBS[name]())

    assert seen == pytest.approx(allocated, rel=0.005)


def two_steps(wrap: Wrap, watch: Ledger | MemTracker) -> None:
    """Train a small GPT for two steps of AdamW while `watch` looks on."""
    shape = Shape(layers=2, width=64, heads=4, tokens=32, batch=2, vocabulary=128)
    model, batch = GPT(shape), batch_of(shape, seed=0)
    optimizer = torch.optim.AdamW(model.parameters(), foreach=False)
    if isinstance(watch, Ledger):
        watch.register_training(model, optimizer)
    else:
        watch.track_external(model, optimizer)
    with watch:
        for _ in range(2):
            model(*batch, wrap).backward()
            optimizer.step()
            optimizer.zero_grad()
            if isinstance(watch, MemTracker):
                watch.reset_mod_stats()


@pytest.mark.parametrize("wrap", [call, full_checkpoint], ids=["plain", "checkpointed"])
@pytest.mark.parametrize("fake", [False, True], ids=["real", "fake"])
def test_agrees_with_the_tracker_of_torch(wrap: Wrap, fake: bool) -> None:
    """Over two steps of AdamW the peak is that of torch's MemTracker to the byte, with real tensors and with fake ones."""
    ledger, tracker = Ledger(), MemTracker()
    for watch in (ledger, tracker):
        with FakeTensorMode() if fake else nullcontext():
            two_steps(wrap, watch)

    peak = tracker.get_tracker_snapshot("peak")[torch.device("cpu")]
    assert ledger.peak == peak["Total"]
    assert ledger.peak == {call: 2_198_140, full_checkpoint: 2_102_140}[wrap]


@pytest.mark.parametrize("checkpointed", [False, True], ids=["plain", "checkpointed"])
@pytest.mark.parametrize(
    "shape",
    [
        SMALL,
        Shape(layers=12, width=128, heads=8, tokens=16, batch=2, vocabulary=2048),
        Shape(layers=4, width=64, heads=4, tokens=128, batch=2, vocabulary=16),
        Shape(layers=2, width=32, heads=1, tokens=256, batch=2, vocabulary=256),
    ],
    ids=["loss", "head", "softmax", "seam"],
)
def test_the_closed_form_of_the_peak(shape: Shape, checkpointed: bool) -> None:
    """Whichever moment rules the peak of a GPT, the closed form is within three percent of the ledger."""
    _, seen = ledger_of(gpt_job(shape, full_checkpoint if checkpointed else call))

    assert seen == pytest.approx(peak_bytes(shape, checkpointed), rel=0.03)


def test_the_peak_knows_its_phase_and_categories() -> None:
    """The categories at the peak add up to the peak, the phase is the one it came in, and parameters have their bytes."""
    model, batch = GPT(SMALL), batch_of(SMALL, seed=0)
    ledger = Ledger()
    ledger.register_training(model)
    with ledger:
        ledger.phase = "forward"
        loss = model(*batch)
        ledger.phase = "backward"
        loss.backward()

    parameters = sum(p.nbytes for p in model.parameters())
    assert ledger.peak_phase == "backward"
    assert ledger.peak_operation == "aten._log_softmax_backward_data.default"
    assert ledger.peak_tensor == ((SMALL.batch * SMALL.tokens, SMALL.vocabulary), "float32")
    assert [sum(point.values()) for point in ledger.category_points] == [live for _, live, _ in ledger.points]
    assert sum(ledger.peak_by_category.values()) == ledger.peak
    assert ledger.peak_by_category["parameter"] == parameters
    assert ledger.by_category["gradient"] == parameters


def test_what_dies_is_subtracted() -> None:
    """A tensor counts while it lives: a view adds nothing, and the last name that goes takes the bytes along."""
    ledger = Ledger()
    with ledger:
        first = torch.zeros(1000)
        view = first.view(10, 100)
        at_most = ledger.live
        del first
        still = ledger.live
        del view
        gc.collect()

    assert (at_most, still, ledger.live, ledger.peak) == (4000, 4000, 0, 4000)


def test_registering_later_renames() -> None:
    """A tensor seen as an activation and registered as a parameter afterwards is counted once, as a parameter."""
    ledger = Ledger()
    with ledger:
        weights = torch.zeros(1000)
    ledger.register([weights], "parameter")

    assert ledger.live == 4000
    assert +ledger.by_category == {"parameter": 4000}


def test_the_budget_raises_where_it_is_crossed() -> None:
    """The operation that allocates the byte too many raises, and names the phase."""
    ledger = Ledger(budget=5000)
    kept: list[Tensor] = []
    with pytest.raises(LedgerOutOfMemory, match=r"5,000 bytes is crossed in second"), ledger:
        ledger.phase = "first"
        kept.append(torch.zeros(1000))
        ledger.phase = "second"
        kept.append(torch.zeros(1000))

    assert len(kept) == 1


def test_a_curve_keeps_its_maximum() -> None:
    """Of each stretch the highest point is sent, the unfinished last stretch included."""
    sent: list[Point] = []
    curve = Curve(sent.append, stretch=3)
    for number, live in enumerate([1, 9, 2, 3, 3, 4, 7]):
        curve((number, live, "forward"))
    curve.flush()
    curve.flush()

    assert [(number, live) for number, live, _ in sent] == [(1, 9), (5, 4), (6, 7)]
