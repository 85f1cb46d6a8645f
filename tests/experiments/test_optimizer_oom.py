"""The optimizer-oom experiment under a real limit, in a process of its own, and under the ledger's budget."""

from __future__ import annotations

import pytest

from experiments.emit import Refused
from experiments.instruments.budget import real_limit_available
from experiments.instruments.ledger import Ledger
from experiments.models import call
from experiments.optimizer_state import optimizer_oom
from tests.experiments.support import Said, by_default_apart, description, run

DESCRIPTION = description(optimizer_oom)
SMALL = {"layers": 2, "width": 64, "heads": 4, "tokens": 16, "batch": 2}
CHOICES = ("plain dies", "where it dies", "what fits")


@pytest.fixture(scope="module")
def real() -> Said:
    """The defaults in a process of their own, under a real limit where there is one."""
    return by_default_apart("experiments.optimizer_state.optimizer_oom")


@pytest.fixture(scope="module")
def ledger() -> Said:
    """The defaults under the ledger's budget."""
    return run(optimizer_oom, limit="ledger")


def test_every_claim_holds(real: Said) -> None:
    """With the defaults the plain job dies in forward, AdamW in its step, half the batch too; SGD and Adafactor fit."""
    default = real

    assert default.failed == []
    assert [default.measured(name) for name in CHOICES] == ["forward", "step", "sgd"]
    assert [default.theory(name) for name in CHOICES] == ["forward", "step", "sgd"]


@pytest.mark.skipif(not real_limit_available(), reason="this system has no limit on a process's data")
def test_the_failure_is_the_allocators(real: Said, ledger: Said) -> None:
    """The run says who kept the budget: the operating system here, the ledger where it is asked to."""
    instruments = {m["instrument"] for m in real.of("measure") if m["name"] == "where it dies"}

    assert instruments == {"RLIMIT_DATA"}
    assert "an allocation really fails" in real.of("note")[0]["text"]
    assert "kept by the ledger" in ledger.of("note")[0]["text"]


def test_limit_and_ledger_agree(real: Said, ledger: Said) -> None:
    """Each job ends in the same phase under the real limit and under the ledger's budget."""
    jobs = [job.name for job in optimizer_oom.JOBS]

    assert [real.measured(job) for job in jobs] == [ledger.measured(job) for job in jobs]


def test_what_died_came_close_to_its_budget(real: Said) -> None:
    """A job that died under the real limit held within a quarter of the budget; one that fits stayed a tenth below."""
    budget = DESCRIPTION["parameters"]["budget_mb"]["default"] * 2**20
    for job in optimizer_oom.JOBS:
        share = real.measured(f"{job.name}: peak") * 2**20 / budget

        assert 0.75 < share < 1.1 if real.measured(job.name) != "fits" else share < 0.9


def test_each_job_draws_its_curve(real: Said) -> None:
    """Every job has a curve that begins in forward and ends in the phase it reached."""
    ends = {job.name: real.points(job.name)[-1]["phase"] for job in optimizer_oom.JOBS}

    assert ends["plain + SGD"] == "forward"
    assert set(ends.values()) == {"forward", "optimizer.step"}


def test_the_table_says_what_each_job_needs(ledger: Said) -> None:
    """With 3.78 million parameters a step of AdamW takes 16 bytes each and two copies of the largest, foreach 20; the
    table's last column stays within the budget, and each job ends as theory says."""
    rows = {row["job"]: row for row in ledger.of("row")}

    assert [row["job"] for row in ledger.of("row")] == [job.name for job in optimizer_oom.JOBS]
    assert rows["checkpointed + AdamW"]["needs"] == 59
    assert rows["checkpointed + AdamW with foreach"]["needs"] == 72
    assert rows["checkpointed + momentum"]["needs"] == rows["checkpointed + momentum"]["peak"] == 43
    assert all(row["dies"] == ledger.theory(name) == ledger.measured(name) for name, row in rows.items())


def test_foreach_dies_where_the_loop_fits() -> None:
    """Between 16 and 20 bytes a parameter the loop fits and foreach does not."""
    said = run(optimizer_oom, limit="ledger", budget_mb=64)

    assert said.measured("checkpointed + AdamW") == said.theory("checkpointed + AdamW") == "fits"
    assert said.measured("checkpointed + AdamW with foreach") == "step"
    assert said.theory("checkpointed + AdamW with foreach") == "step"


def test_bytes_repeat() -> None:
    """Peaks under the ledger repeat to the byte."""
    first, second = (run(optimizer_oom, limit="ledger", **SMALL).of("measure") for _ in range(2))
    assert first == second


def test_mutant_without_checkpointing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where checkpointing does nothing every job dies in forward."""
    monkeypatch.setattr(
        optimizer_oom,
        "JOBS",
        [optimizer_oom.Job(j.name, call, j.optimizer, j.divide_batch) for j in optimizer_oom.JOBS],
    )
    said = run(optimizer_oom, limit="ledger")

    assert "checkpointed + SGD" in said.failed
    assert said.measured("where it dies") == "forward"


def test_mutant_optimizer_without_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where AdamW is SGD in disguise its job fits, and the claim that it dies in its step is not shown."""
    monkeypatch.setitem(optimizer_oom.OPTIMIZERS, "adamw", optimizer_oom.OPTIMIZERS["sgd"])
    said = run(optimizer_oom, limit="ledger")

    assert said.failed == ["checkpointed + AdamW dies in", "half the batch, still"]
    assert said.measured("what fits") == "checkpoint"


def test_mutant_ledger_that_never_subtracts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger that misses what is freed sees checkpointing save nothing."""
    monkeypatch.setattr(Ledger, "_freed", lambda self, key, size: self._category.pop(key))

    assert "checkpointed + SGD" in run(optimizer_oom, limit="ledger").failed


@pytest.mark.parametrize(
    ("budget_mb", "expected"), [(30, ["forward", "backward", "nothing"]), (2000, ["fits", "fits", "checkpoint"])]
)
def test_theory_at_the_ends_of_the_budget(budget_mb: int, expected: list[str]) -> None:
    """With hardly any budget nothing fits and with plenty everything does, by theory and by the ledger."""
    shape = SMALL if budget_mb == 2000 else {}
    said = run(optimizer_oom, limit="ledger", budget_mb=budget_mb, **shape)

    assert [said.theory(name) for name in CHOICES] == expected
    assert [said.measured(name) for name in CHOICES] == expected


def test_half_the_batch_can_be_what_helps() -> None:
    """Where the logits rule the peak, half the batch is what helps: no choice of the bet is a decoy."""
    logits = {"layers": 1, "width": 64, "heads": 1, "tokens": 256, "batch": 32, "vocabulary": 1024}
    said = run(optimizer_oom, limit="ledger", budget_mb=80, **logits)

    assert said.measured("where it dies") == said.theory("where it dies") == "backward"
    assert said.measured("what fits") == said.theory("what fits") == "batch"


def test_what_cannot_run_is_refused() -> None:
    """Heads that do not split the width, and a step far too large, are refused in one sentence before any message."""
    with pytest.raises(Refused, match="width 100 does not split into 8 heads"):
        run(optimizer_oom, width=100)
    with pytest.raises(Refused, match=r"takes \d+ GFLOP"):
        run(optimizer_oom, **{name: p["max"] for name, p in DESCRIPTION["parameters"].items() if "max" in p})


def test_the_smallest_model_runs() -> None:
    """All parameters at their least still run to the end."""
    least = {name: p["min"] for name, p in DESCRIPTION["parameters"].items() if "min" in p}

    assert run(optimizer_oom, limit="ledger", **least).of("done")
